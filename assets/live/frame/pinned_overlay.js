// The copy of a figure that Pin keeps: its layers with numbers in place of names, and its readouts.

import { words } from "../data/values.js";
import { KINDS } from "../draw/layer_kinds.js";
import { argument } from "../draw/layers.js";
import { number } from "./sentences.js";

/** @import { Arrays, ControlSpec, Kind, Layer, LayerOf, PanelSpec, ReadoutSpec, Values } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */

/**
 * How a pinned copy looks, where it differs from the layer.
 * @type {{ [K in Kind]?: (layer: LayerOf<K>) => Partial<LayerOf<K>> | LayerOf<"boundary"> }}
 */
const LOOKS = {
  line: ({ alpha }) => (alpha ? { alpha: 0.3, width: 1 } : { dash: true, width: 1.8 }), // one of many
  dot: () => ({ size: 4 }),
  bars: () => ({ hollow: true }),
  parabolas: () => ({ dash: true, alpha: 0.5, width: 1 }),
  markers: () => ({ hollow: true, size: 7 }),
  regions: ({ centres, labels }) => ({ kind: "boundary", centres, labels }),
  field: () => ({ line: true }),
};

/**
 * Return whether *Pin* keeps a layer: one of the private result, or that moves; others would be drawn twice.
 * @param {Layer} layer
 * @param {Arrays} arrays
 */
function pinned(layer, arrays) {
  const { pinned: when, slots } = KINDS[layer.kind];
  if (when === "moving") return arrays[String(argument(layer, slots[0]))]?.dims.some((dim) => dim !== null) ?? false;
  const { role, keep } = /** @type {{ role?: string | number, keep?: boolean }} */ (layer);
  return when === "private" && (keep ?? (role === undefined || role === "private"));
}

/** @param {PanelSpec} spec */
const axes = (spec) => JSON.stringify([spec.kind, spec.x, spec.y]);

/**
 * Return the present content of a layer's argument: a number for a dot, a list for the rest.
 * @param {Layer} layer
 * @param {string} slot
 * @param {Slices} slices
 */
function contentOf(layer, slot, slices) {
  const named = argument(layer, slot);
  if (layer.kind === "dot") return slices.scalar(/** @type {string | number} */ (named));
  return Array.from(slices.get(/** @type {string} */ (named)));
}

/**
 * Return the layers of a panel as they are now, with numbers in place of names.
 * @param {Pick<PanelSpec, "layers">} spec
 * @param {Slices} slices
 * @returns {Layer[]}
 */
export function pinnedLayers(spec, slices) {
  const found = [];
  for (const layer of spec.layers ?? []) {
    const { slots } = KINDS[layer.kind];
    if (!pinned(layer, slices.arrays) || !slots.every((slot) => slices.has(argument(layer, slot)))) continue;
    const look = /** @type {((layer: Layer) => object) | undefined} */ (LOOKS[layer.kind]);
    const kept = Object.fromEntries(slots.map((slot) => [slot, contentOf(layer, slot, slices)]));
    found.push(
      /** @type {Layer} */ ({ ...layer, ...look?.(layer), ...kept, role: "pinned", ghost: true, ...named(layer) }),
    );
  }
  return found;
}

/**
 * Return the label of a pinned copy.
 * @param {Layer} layer
 */
const named = ({ label }) => (label ? { label: `${label} (B)`, label_short: "B" } : {});

/** A pinned result. */
export class PinnedResult {
  /**
   * @param {PanelSpec[]} panels
   * @param {ReadoutSpec[]} readouts
   * @param {Slices} slices
   * @param {Values} values
   */
  constructor(panels, readouts, slices, values) {
    this.dataset = values.dataset;
    /** @type {Map<string, { axes: string, layers: Layer[] }>} */
    this.panels = new Map(panels.map((spec) => [spec.key, { axes: axes(spec), layers: pinnedLayers(spec, slices) }]));
    const numbers = readouts.map((r) => /** @type {[string, string]} */ ([r.label, number(slices, r)]));
    this.numbers = new Map(numbers.filter(([, text]) => text !== "–" && text !== "∞"));
  }

  /**
   * Return whether the result is about the data that is shown.
   * @param {Values} values
   */
  fits(values) {
    return this.dataset === values.dataset;
  }

  /**
   * Return the pinned layers of a panel whose axes are still the same.
   * @param {PanelSpec} spec
   */
  layers(spec) {
    const kept = this.panels.get(spec.key);
    return kept?.axes === axes(spec) ? kept.layers : [];
  }
}

/**
 * Say what a reader chose: no seeds, which would give the noise away.
 * @param {ControlSpec[]} specs
 * @param {Values} values
 */
export function chosenWords(specs, values) {
  const shown = specs.filter((spec) => ["slider", "choice"].includes(spec.kind) && !spec.hidden && !spec.more);
  return shown
    .map((spec) => `${spec.symbol ? `${spec.symbol} =` : `${spec.label}:`} ${words(spec, values[spec.name])}`)
    .join("; ");
}

/**
 * Return the line that says what was pinned.
 * @param {ControlSpec[]} specs
 * @param {Values} values
 */
export const pinnedWords = (specs, values) => `B, pinned: ${chosenWords(specs, values)}. `;
