// A lab: one description from Python, drawn and moved here. Idempotent: every rerun calls render().

import { control, indexOf, snap, words } from "./controls.js";
import { Panel } from "./panels.js";
import { Pin } from "./pin.js";
import { format, held, receive, Slices, trend } from "./slices.js";
import { theme } from "./theme.js";

const LABS = new WeakMap();
let plotlyPromise = null;

function loadPlotly(url) {
  plotlyPromise ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      plotlyPromise = null; // the next rerun tries again
      reject(new Error(`${url} could not be loaded`));
    };
    document.head.append(script);
  });
  return plotlyPromise;
}

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

class Lab {
  constructor(parent) {
    this.slices = new Slices();
    this.controls = new Map();
    this.panels = new Map();
    this.values = {};
    this.sent = 0;
    this.answered = 0;
    this.waiting = null;
    this.touching = 0;
    this.acting = 0; // the event whose answer changes values
    this.touched = new Set(); // what a reader moved since then
    this.stats = { mounts: 1, draws: 0, events: 0, drawTime: 0, presented: 0 };
    this.root = element("div", "dp-lab");
    this.side = element("div", "dp-side");
    this.main = element("div", "dp-main");
    this.first = element("div", "dp-controls");
    this.more = element("details", "dp-more");
    this.all = element("button", "dp-button dp-all", "All controls");
    this.all.type = "button";
    this.all.addEventListener("click", () => {
      const open = this.side.classList.toggle("dp-open");
      this.all.textContent = open ? "Fewer controls" : "All controls";
    });
    this.moreBody = element("div", "dp-controls");
    this.more.append(element("summary", null, "More"), this.moreBody);
    this.side.append(this.first, this.more, this.all);
    this.row = element("div", "dp-row");
    this.tiles = element("dl", "dp-readouts");
    this.pin = new Pin(this);
    this.words = element("div", "dp-texts");
    this.said = element("p", "dp-said"); // heard, not seen: once for each value let go
    this.said.setAttribute("role", "status");
    this.busy = this.busyBar();
    this.tabs = element("div", "dp-tabs");
    this.tabs.setAttribute("role", "tablist");
    this.sections = element("div", "dp-sections");
    this.main.append(this.busy, this.row, this.tiles, this.pin.root, this.words, this.said, this.tabs, this.sections);
    this.root.append(this.side, this.main);
    parent.append(this.root);
  }

  busyBar() {
    const bar = element("div", "dp-busy");
    this.meter = element("progress");
    this.meter.max = 1;
    this.meter.setAttribute("aria-label", "Progress of the computation");
    this.meterText = element("span");
    const cancel = element("button", "dp-mini", "Cancel");
    cancel.type = "button";
    cancel.addEventListener("click", () => this.act("cancel"));
    bar.append(this.meter, this.meterText, cancel);
    return bar;
  }

  async render(component) {
    const { data } = component;
    this.send = (event) => component.setStateValue("event", event);
    this.data = data;
    const missing = receive(data.arrays);
    this.answered = Math.max(this.answered, data.seq);
    if (missing.length && data.seq === this.asked) return; // Python resends what was asked for
    if (missing.length) {
      this.asked = this.sent + 1;
      return this.tell("missing");
    }
    const own = this.touching || this.waiting || this.answered < this.sent;
    const acted = this.acting && this.answered >= this.acting;
    if (!own || !this.ready || acted) this.values = { ...data.values, ...this.place(data.controls, own) };
    if (acted) this.acting = 0;
    if (!own) this.slices.alias = this.ahead = null;
    this.specs = new Map(data.controls.map((spec) => [spec.name, spec]));
    this.slices.set(data.arrays, data.coords, (name) => this.indexOf(name));
    this.colours = theme(this.root);
    this.root.classList.toggle("dp-dark", this.colours.dark);
    this.root.classList.toggle("dp-compact", Boolean(data.compact));
    this.root.style.setProperty("--dp-private", this.colours.private);
    this.updateControls();
    this.updateReadouts();
    this.updateBusy();
    await this.updatePanels(await loadPlotly(data.plotly));
    this.ready = true;
    this.root.classList.add("dp-ready");
    this.failure?.remove();
    this.schedule();
    this.next();
    if (this.answered >= this.sent && !this.touching) this.say();
  }

  /** Theirs to keep, whatever Python answers: where in a training a reader is, and what they move. */
  place(controls, moving) {
    const kept = controls.filter(
      ({ name, play }) => this.ready && name in this.values && (play || (moving && this.touched.has(name))),
    );
    return Object.fromEntries(kept.map((spec) => [spec.name, snap(spec, this.values[spec.name])]));
  }

  /** What a reader sees instead of an empty space. */
  failed(error) {
    console.error("live figure:", error);
    this.failure ??= element("p", "dp-failure");
    this.failure.setAttribute("role", "alert");
    this.failure.textContent = `The figure could not be drawn (${error.message}). Reload the page to try again.`;
    this.root.prepend(this.failure);
  }

  updateControls() {
    for (const [name, made] of this.controls) {
      if (!this.specs.has(name)) {
        made.root.remove();
        this.controls.delete(name);
      }
    }
    for (const spec of this.specs.values()) {
      let made = this.controls.get(spec.name);
      if (!made) {
        made = control(this, spec);
        this.controls.set(spec.name, made);
        (spec.more ? this.moreBody : this.first).append(made.root);
      }
      made.update(spec, this.values[spec.name]);
    }
    this.more.hidden = !this.moreBody.querySelector(":scope > :not([hidden])");
    const top = [...this.specs.values()].find((spec) => spec.kind === "slider" && !spec.hidden && !spec.play);
    for (const [name, made] of this.controls) made.root.classList.toggle("dp-pin", name === top?.name);
  }

  updateReadouts() {
    const { readouts } = this.data;
    if (this.tiles.children.length !== readouts.length) {
      this.tiles.replaceChildren(
        ...readouts.map(() => {
          const tile = element("div", "dp-tile");
          tile.append(element("dt"), element("dd"), element("span", "dp-b"), element("small"));
          return tile;
        }),
      );
    }
    readouts.forEach((readout, i) => {
      const [term, , , small] = this.tiles.children[i].children;
      term.textContent = readout.label;
      small.textContent = readout.note ?? "";
      this.tiles.children[i].title = readout.help ?? "";
      this.tiles.children[i].dataset.role = readout.role ?? "";
    });
    while (this.words.children.length < this.data.texts.length) this.words.append(element("p"));
    while (this.words.children.length > this.data.texts.length) this.words.lastChild.remove();
  }

  updateBusy() {
    const { busy } = this.data;
    this.busy.classList.toggle("dp-on", Boolean(busy));
    clearTimeout(this.tick);
    if (!busy) return;
    this.meter.value = busy.progress;
    this.meterText.textContent = busy.text;
    this.tick = setTimeout(() => {
      if (this.root.isConnected && this.answered >= this.sent && !this.touching) this.tell("tick");
    }, 400);
  }

  async updatePanels(plotly) {
    const { panels } = this.data;
    const keys = new Set(panels.map((spec) => spec.key));
    for (const [key, panel] of this.panels) {
      if (!keys.has(key)) {
        panel.remove();
        this.panels.delete(key);
      }
    }
    const tabs = [...new Set(panels.map((spec) => spec.tab).filter(Boolean))];
    if (!tabs.includes(this.tab)) this.tab = tabs[0];
    this.updateTabs(tabs);
    this.plotly = plotly;
    for (const spec of panels) {
      let panel = this.panels.get(spec.key);
      if (panel && panel.spec.kind !== spec.kind) {
        panel.remove();
        panel = null;
      }
      if (!panel) {
        panel = new Panel(this, spec);
        this.panels.set(spec.key, panel);
      }
      const home = spec.tab ? this.bodies.get(spec.tab) : this.row;
      if (panel.root.parentElement !== home) home.append(panel.root);
      panel.root.style.setProperty("--height", `${spec.height}px`);
      panel.wanted = spec; // panels of closed tabs wait until they are opened
      if (!spec.tab || spec.tab === this.tab) await this.refresh(panel);
    }
  }

  async refresh(panel) {
    const spec = panel.wanted;
    panel.wanted = null;
    if (spec) await panel.update(spec, this.colours, this.plotly);
    this.schedule();
  }

  updateTabs(tabs) {
    this.bodies ??= new Map();
    if (tabs.join("\n") !== this.tabNames) {
      this.tabNames = tabs.join("\n");
      this.tabs.replaceChildren(...tabs.map((name) => this.tabButton(name, tabs)));
      for (const name of tabs) {
        if (this.bodies.has(name)) continue;
        const body = element("div", "dp-row dp-section");
        body.setAttribute("role", "tabpanel");
        body.setAttribute("aria-label", name);
        this.bodies.set(name, body);
        this.sections.append(body);
      }
    }
    this.openTab(this.tab);
  }

  tabButton(name, tabs) {
    const made = element("button", "dp-tab", name);
    made.type = "button";
    made.setAttribute("role", "tab");
    made.addEventListener("click", () => this.openTab(name));
    made.addEventListener("keydown", (event) => {
      const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!turn) return;
      const next = (tabs.indexOf(name) + turn + tabs.length) % tabs.length;
      this.openTab(tabs[next]);
      this.tabs.children[next].focus();
    });
    return made;
  }

  openTab(name) {
    this.tab = name;
    for (const made of this.tabs.children) {
      const open = made.textContent === name;
      made.setAttribute("aria-selected", String(open));
      made.tabIndex = open ? 0 : -1;
    }
    for (const [key, body] of this.bodies) body.hidden = key !== name;
    for (const panel of this.panels.values()) {
      if (panel.wanted && panel.wanted.tab === name && this.plotly) this.refresh(panel);
    }
    this.schedule();
  }

  zoomed(source, change) {
    for (const panel of this.panels.values()) {
      if (panel !== source && panel.spec.link === source.spec.link) panel.follow(change);
    }
  }

  indexOf(name) {
    return indexOf(this.specs.get(name), this.values[name]);
  }

  value(name) {
    return this.values[name];
  }

  fileName(key) {
    const shown = [...this.specs.values()].filter((s) => s.kind === "slider" && !s.more && !s.play);
    const parts = shown.map((spec) => `${spec.name}-${this.values[spec.name]}`);
    return [this.data.name, key, ...parts].join("_");
  }

  /** A control has a new value; `moved` says what follows from it. */
  set(name, value) {
    this.values[name] = snap(this.specs.get(name), value);
    this.touched.add(name);
    this.slices.moved();
    this.controls.get(name)?.show(this.values[name]);
    const { mode, hidden } = this.specs.get(name);
    if (mode !== "server" || hidden || this.preview(name)) this.schedule(); // else nothing moves before Python answers
  }

  /** What stands in for the sweep while this control moves, when Python has sent it. */
  preview(name) {
    return this.data.previews?.[name];
  }

  step(name, by) {
    const { grid } = this.specs.get(name);
    this.set(name, grid[Math.min(Math.max(this.indexOf(name) + by, 0), grid.length - 1)]);
  }

  moved(name, how) {
    if (!this.specs.has(name)) return; // a control that went away while it was playing
    const ahead = this.preview(name);
    const mode = ahead ? "local" : this.specs.get(name).mode;
    if (ahead && this.slices.alias !== ahead) {
      this.slices.alias = ahead;
      this.ahead = name;
      for (const panel of this.panels.values()) panel.drawn = null; // what stood still may move now
      this.slices.moved();
      this.schedule();
    }
    clearTimeout(this.commitTimer);
    if (how === "drag") {
      this.touching = 1;
      if (mode === "server") this.tell("drag");
    } else if (how === "commit") this.commit();
    else {
      this.touching = 1; // keys: the last of a quick series is the one that counts
      if (mode === "server") this.tell("drag");
      this.commitTimer = setTimeout(() => this.commit(), 250);
    }
  }

  commit() {
    this.touching = 0;
    this.say();
    this.tell("commit");
  }

  /** A sentence template with `{name}` of controls and scalar arrays, and `{trend:name}` of curves, filled in. */
  fill(template) {
    return template.replace(/\{(trend:)?(\w+)\}/g, (all, curve, name) => {
      if (curve) return this.slices.has(name) ? trend(this.slices.get(name)) : "is not known yet";
      if (this.specs.has(name)) return words(this.specs.get(name), this.values[name]);
      if (!(name in this.data.arrays) || !this.slices.has(name)) return all;
      const code = this.data.readouts.find((readout) => readout.value === name)?.format;
      return format(this.slices.scalar(name), code);
    });
  }

  /** The numbers and sentences under the figure, as one text. */
  spoken() {
    const known = this.data.readouts.filter((readout) => this.slices.has(readout.value));
    const numbers = known.map(
      (readout) => `${readout.label}: ${format(this.slices.scalar(readout.value), readout.format)}`,
    );
    return [numbers.join("; "), ...this.data.texts.map((text) => this.sentence(text))].join(". ");
  }

  /** Bring up to date what is heard: not while a handle moves. */
  say() {
    if (!this.ready) return;
    for (const panel of this.panels.values()) panel.describe();
    const text = this.spoken();
    if (this.stats.events && this.said.textContent !== text) this.said.textContent = text;
  }

  act(name) {
    if (name === "pin") return this.pin.take();
    if (name === "reset") this.pin.drop();
    this.tell("action", name);
  }

  /** Tell Python, one event at a time: while one is under way only the newest is remembered. */
  tell(phase, action = null, again = 0) {
    if (this.answered < this.sent && !again) {
      const urgent = { drag: 0, commit: 1, action: 2 };
      const more = !this.waiting || (urgent[phase] ?? 1) >= (urgent[this.waiting.phase] ?? 1);
      if (phase !== "tick" && more) this.waiting = { phase, action };
      return;
    }
    this.sent = Math.max(this.sent, this.answered) + 1;
    this.sentAt = performance.now();
    if (phase === "action") {
      this.acting = this.sent;
      if (!again) this.touched.clear();
    }
    this.stats.events += 1;
    clearTimeout(this.late);
    this.late = setTimeout(() => {
      if (this.answered < this.sent) this.root.classList.add("dp-late");
    }, 400);
    clearTimeout(this.watch); // an event that meets a script still starting up can be lost
    this.watch = setTimeout(
      () => {
        if (this.root.isConnected && this.answered < this.sent) this.tell(phase, action, again + 1);
      },
      1500 * 2 ** Math.min(again, 4),
    );
    this.send({ seq: this.sent, phase, action, values: { ...this.values }, held: held() });
  }

  next() {
    if (this.answered < this.sent) return;
    if (!this.waiting || performance.now() - this.sentAt < 400) this.root.classList.remove("dp-late");
    if (!this.waiting) return;
    const { phase, action } = this.waiting;
    this.waiting = null;
    this.tell(phase, action);
  }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    if (!this.ready) return;
    const start = performance.now();
    for (const panel of this.panels.values()) panel.draw();
    this.drawReadouts();
    this.stats.draws += 1;
    this.stats.drawTime = performance.now() - start;
  }

  drawReadouts() {
    this.data.readouts.forEach((readout, i) => {
      const [, shown, pinned] = this.tiles.children[i].children;
      const ready = this.slices.has(readout.value);
      const text = ready ? format(this.slices.scalar(readout.value), readout.format) : "–";
      if (shown.textContent !== text) shown.textContent = text;
      shown.classList.toggle("dp-words", /^[a-z]/.test(text)); // a sentence's piece is not a number
      const b = this.pin.number(readout.label);
      if (pinned.textContent !== b) pinned.textContent = b;
    });
    this.data.texts.forEach((text, i) => {
      const found = this.sentence(text);
      if (this.words.children[i].textContent !== found) this.words.children[i].textContent = found;
    });
  }

  sentence(text) {
    const now = text.along?.[this.ahead] ?? text;
    const at = now.dims.reduce((sum, dim, axis) => sum * now.sizes[axis] + this.indexOf(dim), 0);
    return now.strings[at];
  }
}

/** Called by the component at every rerun, theme change and mount. */
export function render(component) {
  const { parentElement: parent, data } = component;
  let lab = LABS.get(parent);
  if (!lab) {
    lab = new Lab(parent);
    LABS.set(parent, lab);
    window.__dpLive ??= {};
    const all = window.__dpLive;
    const before = all[data.name]?.lab.stats.mounts ?? 0;
    lab.stats.mounts = before + 1;
    lab.sent = lab.answered = data.seq;
    all[data.name] = {
      lab,
      get stats() {
        return { ...lab.stats, waiting: lab.answered < lab.sent };
      },
      slice: (name) => Array.from(lab.slices.get(name)),
      get values() {
        return { ...lab.values };
      },
    };
  }
  lab.rendering = (lab.rendering ?? Promise.resolve())
    .then(() => lab.render(component))
    .catch((error) => lab.failed(error));
  return () => {
    clearTimeout(lab.watch);
    clearTimeout(lab.tick);
    for (const panel of lab.panels.values()) panel.remove();
    lab.panels.clear();
    lab.root.remove();
    LABS.delete(parent);
  };
}
