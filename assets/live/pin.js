// Pinned: a result kept as B. Its numbers stay beside the next ones, its curves and marks under them.

import { words } from "./controls.js";
import { format } from "./slices.js";

// Only what shows the private result is kept: everything else would be drawn twice (`keep` says otherwise).
const OWN = (layer) => layer.keep ?? (layer.role === undefined || layer.role === "private");
const MOVES = (slot) => (layer, arrays) => arrays[layer[slot]]?.dims.some((dim) => dim !== null);
const GHOSTS = {
  line: {
    slots: ["x", "y"],
    when: OWN,
    look: ({ alpha }) => (alpha ? { alpha: 0.3, width: 1 } : { dash: true, width: 1.8 }), // one of many
  },
  dot: { slots: ["x", "y"], when: OWN, look: () => ({ size: 4 }) },
  bars: { slots: ["edges", "heights"], when: OWN, look: () => ({ hollow: true }) },
  parabolas: { slots: ["xy"], when: OWN, look: () => ({ dash: true, alpha: 0.5, width: 1 }) },
  markers: { slots: ["xy", "labels"], when: MOVES("xy"), look: () => ({ hollow: true, size: 7 }) },
  regions: { slots: ["centres", "labels"], when: MOVES("centres"), look: () => ({ kind: "boundary" }) },
  field: { slots: ["values"], when: MOVES("values"), look: () => ({ line: true }) },
};

const axes = (spec) => JSON.stringify([spec.kind, spec.x, spec.y]);

/** What a layer's argument is now: a dot has numbers, the rest has lists. */
const contentOf = (layer, slot, slices) =>
  layer.kind === "dot" ? slices.scalar(layer[slot]) : Array.from(slices.get(layer[slot]));

/** The layers of a panel as they are now, with their numbers in place of names. */
function ghosts(spec, slices) {
  const found = [];
  for (const layer of spec.layers ?? []) {
    const ghost = GHOSTS[layer.kind];
    if (!ghost?.when(layer, slices.arrays) || !ghost.slots.every((slot) => slices.has(layer[slot]))) continue;
    const kept = ghost.slots.map((slot) => [slot, contentOf(layer, slot, slices)]);
    found.push({ ...layer, ...ghost.look(layer), ...Object.fromEntries(kept), role: "pinned", ghost: true });
  }
  return found;
}

/** What a lab has pinned, and the line that says so. */
export class Pin {
  constructor(lab) {
    this.lab = lab;
    this.kept = null;
    this.root = document.createElement("p");
    this.root.className = "dp-pinned";
    this.root.hidden = true;
    this.text = document.createElement("span");
    const drop = document.createElement("button");
    drop.type = "button";
    drop.className = "dp-mini";
    drop.textContent = "Unpin";
    drop.addEventListener("click", () => this.drop());
    this.root.append(this.text, drop);
  }

  take() {
    const { lab } = this;
    const { panels, readouts } = lab.data;
    const known = (r) => lab.slices.has(r.value) && Number.isFinite(lab.slices.scalar(r.value));
    const numbers = readouts.filter(known);
    this.kept = {
      dataset: lab.values.dataset,
      panels: new Map(panels.map((spec) => [spec.key, [axes(spec), ghosts(spec, lab.slices)]])),
      numbers: new Map(numbers.map((r) => [r.label, format(lab.slices.scalar(r.value), r.format)])),
    };
    const shown = [...lab.specs.values()].filter((s) => ["slider", "choice"].includes(s.kind) && !s.hidden && !s.more);
    const said = shown.map((spec) => `${spec.symbol || spec.label} ${words(spec, lab.values[spec.name])}`);
    this.text.textContent = `B, pinned (green): ${said.join(", ")}. `;
    for (const panel of lab.panels.values()) panel.keepPicture();
    this.show();
  }

  drop() {
    this.kept = null;
    for (const panel of this.lab.panels.values()) panel.dropPicture();
    this.show();
  }

  show() {
    this.root.hidden = !this.kept;
    for (const panel of this.lab.panels.values()) panel.drawn = null;
    this.lab.schedule();
  }

  /** Whether what was pinned is about the data that is shown. */
  get fits() {
    return Boolean(this.kept) && this.kept.dataset === this.lab.values.dataset;
  }

  /** The pinned layers of a panel whose axes are still the same. */
  layers(spec) {
    const [frame, found] = (this.fits && this.kept.panels.get(spec.key)) || ["", []];
    return frame === axes(spec) ? found : [];
  }

  /** The pinned number beside a readout. */
  number(label) {
    return (this.fits && this.kept.numbers.get(label)) || "";
  }
}
