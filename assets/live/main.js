// A lab: one description from Python, drawn and moved here. Idempotent: every rerun calls render().

import { control } from "./controls.js";
import { button, element } from "./dom.js";
import { Panel } from "./panels.js";
import { Pin } from "./pin.js";
import { Protocol } from "./protocol.js";
import { fill, number, sentence, spoken } from "./sentences.js";
import { held, receive, Slices } from "./slices.js";
import { surfaceOf } from "./testing.js";
import { theme } from "./theme.js";
import { at, indexOf, merged, plays, snap } from "./values.js";

/** @import { Colours, Component, ControlSpec, ControlView, Happened, Message, Move } from "./types.d.ts" */
/** @import { Phase, Plotly, TestSurface, Told, Value, Values, Verdict } from "./types.d.ts" */
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */

const PATIENCE = 3; // incomplete answers in a row before a reader is told

/** @type {WeakMap<HTMLElement, Lab>} */
const LABS = new WeakMap();
/** @type {Promise<Plotly> | null} */
let plotlyPromise = null;

/**
 * @param {string} url
 * @returns {Promise<Plotly>}
 */
function loadPlotly(url) {
  plotlyPromise ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => (window.Plotly ? resolve(window.Plotly) : reject(new Error(`${url} holds no Plotly`)));
    script.onerror = () => {
      plotlyPromise = null; // the next rerun tries again
      reject(new Error(`${url} could not be loaded`));
    };
    document.head.append(script);
  });
  return plotlyPromise;
}

/** A lab in the page. */
export class Lab {
  /**
   * @param {HTMLElement} parent
   * @param {Message} data
   */
  constructor(parent, data) {
    this.data = data;
    /** @type {Map<string, ControlSpec>} */
    this.specs = new Map();
    /** @type {(event: Told) => void} */
    this.send = () => {};
    /** @type {string | null} */
    this.ahead = null;
    this.ready = false;
    /** @type {Colours} */
    this.colours = theme(parent);
    /** @type {number | null} */
    this.frame = null;
    /** @type {Promise<void>} */
    this.rendering = Promise.resolve();
    /** @type {Plotly | null} */
    this.plotly = null;
    /** @type {string | undefined} */
    this.tab = undefined;
    /** @type {string | null} */
    this.tabNames = null;
    /** @type {Map<string, HTMLElement>} */
    this.bodies = new Map();
    /** @type {Timer} */
    this.alarm = undefined;
    this.protocol = new Protocol(
      {
        values: () => this.values,
        send: (event) => this.tell({ ...event, held: held() }),
        committing: () => this.say(),
      },
      data,
    );
    /** @type {Parameters<TestSurface["listen"]>[0][]} */
    this.listeners = [];
    /** @type {(event: Told) => Told} */
    this.outgoing = (event) => event;
    /** @type {HTMLElement | null} */
    this.failure = null;
    this.slices = new Slices();
    /** @type {Map<string, ControlView>} */
    this.controls = new Map();
    /** @type {Map<string, Panel>} */
    this.panels = new Map();
    /** @type {Values} */
    this.values = {};
    this.stats = { mounts: 1, draws: 0, events: 0, drawTime: 0 };
    this.root = element("div", "dp-lab");
    this.side = element("div", "dp-side");
    this.main = element("div", "dp-main");
    this.first = element("div", "dp-controls");
    this.more = element("details", "dp-more");
    this.all = button("dp-button dp-all", "All controls", () => {
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
    this.meter = element("progress");
    this.meterText = element("span");
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
    this.meter.max = 1;
    this.meter.setAttribute("aria-label", "Progress of the computation");
    bar.append(
      this.meter,
      this.meterText,
      button("dp-mini", "Cancel", () => this.act("cancel")),
    );
    return bar;
  }

  /** @param {Component} component */
  async render(component) {
    const { data } = component;
    this.send = (event) => component.setStateValue("event", event);
    const missing = receive(data.arrays).length > 0;
    const { seq, session, busy } = data;
    const verdict = this.protocol.answer({ seq, session, missing, busy: Boolean(busy) }, performance.now());
    try {
      if (verdict.draw) await this.show(data, verdict);
      else if (this.protocol.incomplete >= PATIENCE) throw new Error("parts of it did not arrive");
    } finally {
      this.protocol.proceed(performance.now());
      this.follow();
    }
    if (verdict.draw && !this.protocol.mine) this.say();
  }

  /**
   * Draw an answer.
   * @param {Message} data
   * @param {Extract<Verdict, { draw: true }>} verdict
   */
  async show(data, verdict) {
    this.data = data;
    this.values = merged(this.values, data, verdict.keeps);
    if (!verdict.mine) this.slices.alias = this.ahead = null;
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
    if (!this.ready) this.root.classList.add("dp-ready");
    this.ready = true;
    this.failure?.remove();
    this.schedule();
  }

  /** What the protocol wants after each message: to be woken, and the hint of a late answer. */
  follow() {
    this.root.classList.toggle("dp-late", this.protocol.late);
    clearTimeout(this.alarm);
    const { wakeAt } = this.protocol;
    if (wakeAt === Infinity) return;
    const rest = Math.max(wakeAt - performance.now(), 0);
    this.alarm = setTimeout(() => {
      if (!this.root.isConnected) return; // the next answer goes on
      this.protocol.wake(performance.now());
      this.follow();
    }, Math.ceil(rest));
  }

  /**
   * What a reader sees instead of an empty space.
   * @param {unknown} error
   */
  failed(error) {
    console.error("live figure:", error);
    this.failure ??= element("p", "dp-failure");
    this.failure.setAttribute("role", "alert");
    this.failure.textContent = `The figure could not be drawn (${error instanceof Error ? error.message : error}). Reload the page to try again.`;
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
    const top = [...this.specs.values()].find((spec) => spec.kind === "slider" && !spec.hidden && !plays(spec));
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
      const tile = /** @type {HTMLElement} */ (this.tiles.children[i]);
      const [term, , , small] = tile.children;
      term.textContent = readout.label;
      small.textContent = readout.note ?? "";
      tile.title = readout.help ?? "";
      tile.dataset.role = readout.role ?? "";
    });
    while (this.words.children.length < this.data.texts.length) this.words.append(element("p"));
    while (this.words.children.length > this.data.texts.length) this.words.lastChild?.remove();
  }

  updateBusy() {
    const { busy } = this.data;
    this.busy.classList.toggle("dp-on", Boolean(busy));
    if (!busy) return;
    this.meter.value = busy.progress;
    this.meterText.textContent = busy.text;
  }

  /** @param {Plotly} plotly */
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
    if (this.tab === undefined || !tabs.includes(this.tab)) this.tab = tabs[0];
    this.updateTabs(tabs);
    this.plotly = plotly;
    for (const spec of panels) {
      let panel = this.panels.get(spec.key);
      if (panel && panel.spec.kind !== spec.kind) {
        panel.remove();
        panel = undefined;
      }
      if (!panel) {
        panel = new Panel(this, spec);
        this.panels.set(spec.key, panel);
      }
      const home = this.bodies.get(spec.tab) ?? this.row;
      if (panel.root.parentElement !== home) home.append(panel.root);
      panel.root.style.setProperty("--height", `${spec.height}px`);
      panel.wanted = spec; // panels of closed tabs wait until they are opened
      if (!spec.tab || spec.tab === this.tab) await this.refresh(panel);
    }
  }

  /** @param {Panel} panel */
  async refresh(panel) {
    const spec = panel.wanted;
    panel.wanted = null;
    if (spec && this.plotly) await panel.update(spec, this.colours, this.plotly);
    this.schedule();
  }

  /** @param {string[]} tabs */
  updateTabs(tabs) {
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

  /**
   * @param {string} name
   * @param {string[]} tabs
   */
  tabButton(name, tabs) {
    const made = button("dp-tab", name, () => this.openTab(name));
    made.setAttribute("role", "tab");
    made.addEventListener("keydown", (event) => {
      const turn = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!turn) return;
      const next = (tabs.indexOf(name) + turn + tabs.length) % tabs.length;
      this.openTab(tabs[next]);
      /** @type {HTMLElement} */ (this.tabs.children[next]).focus();
    });
    return made;
  }

  /** @param {string | undefined} name */
  openTab(name) {
    this.tab = name;
    for (const made of /** @type {Iterable<HTMLElement>} */ (this.tabs.children)) {
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

  /**
   * @param {Panel} source
   * @param {Record<string, unknown>} change
   */
  zoomed(source, change) {
    for (const panel of this.panels.values()) {
      if (panel !== source && panel.spec.link === source.spec.link) panel.follow(change);
    }
  }

  /**
   * A control's description, by its name.
   * @param {string} name
   */
  spec(name) {
    const found = this.specs.get(name);
    if (!found) throw new Error(`there is no control ${name}`);
    return found;
  }

  /** @param {string} name */
  indexOf(name) {
    return indexOf(this.spec(name), this.values[name]);
  }

  /** @param {string} name */
  value(name) {
    return this.values[name];
  }

  /** @param {string} key */
  fileName(key) {
    const shown = [...this.specs.values()].filter((s) => s.kind === "slider" && !s.more && !plays(s));
    const parts = shown.map((spec) => `${spec.name}-${this.values[spec.name]}`);
    return [this.data.name, key, ...parts].join("_");
  }

  /**
   * A control has a new value; `moved` says what follows from it.
   * @param {string} name
   * @param {Value} value
   */
  set(name, value) {
    this.values[name] = snap(this.spec(name), value);
    this.protocol.touched(name);
    this.slices.moved();
    this.controls.get(name)?.show(this.values[name]);
    const { mode, hidden } = this.spec(name);
    if (mode !== "server" || hidden || this.preview(name)) this.schedule(); // else nothing moves before Python answers
  }

  /**
   * What stands in for the sweep while this control moves, when Python has sent it.
   * @param {string} name
   */
  preview(name) {
    return this.data.previews?.[name];
  }

  /**
   * @param {string} name a slider
   * @param {number} by places
   */
  step(name, by) {
    const spec = this.spec(name);
    if (spec.kind === "slider") this.set(name, at(spec.grid, this.indexOf(name) + by));
  }

  /**
   * @param {string} name
   * @param {Move} how
   */
  moved(name, how) {
    if (!this.specs.has(name)) return; // a control that went away while it was playing
    const ahead = this.preview(name);
    const mode = ahead ? "local" : this.spec(name).mode;
    if (ahead && this.slices.alias !== ahead) {
      this.slices.alias = ahead;
      this.ahead = name;
      for (const panel of this.panels.values()) panel.drawn = false; // what stood still may move now
      this.slices.moved();
      this.schedule();
    }
    const now = performance.now();
    if (how === "commit") {
      this.say();
      this.protocol.commit(now);
    } else if (how === "drag") this.protocol.drag(mode === "server", now);
    else this.protocol.key(mode === "server", now);
    this.follow();
  }

  /** @param {string} template */
  fill(template) {
    return fill(this, template);
  }

  /** The numbers and sentences under the figure, as one text. */
  spoken() {
    return spoken(this);
  }

  /** Bring up to date what is heard: not while a handle moves. */
  say() {
    if (!this.ready) return;
    for (const panel of this.panels.values()) panel.describe();
    const text = this.spoken();
    if (this.stats.events && this.said.textContent !== text) this.said.textContent = text;
  }

  /** @param {string} name */
  act(name) {
    if (name === "pin") return this.pin.take();
    if (name === "reset") this.pin.drop();
    this.protocol.act(name, performance.now());
    this.follow();
  }

  /** @param {Told} event */
  tell(event) {
    this.stats.events += 1;
    this.send(this.outgoing(event));
    this.happened("sent", event);
  }

  /**
   * Tests and benchmarks may listen.
   * @param {Happened} what
   * @param {{ seq: number, phase: Phase | null }} event
   */
  happened(what, event) {
    for (const listener of this.listeners) listener(what, event);
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
    this.happened("drawn", { seq: this.protocol.answered, phase: null });
  }

  drawReadouts() {
    this.data.readouts.forEach((readout, i) => {
      const [, shown, pinned] = this.tiles.children[i].children;
      const text = number(this.slices, readout);
      if (shown.textContent !== text) shown.textContent = text;
      shown.classList.toggle("dp-words", /^[a-z]/.test(text)); // a sentence's piece is not a number
      const b = this.pin.number(readout.label);
      if (pinned.textContent !== b) pinned.textContent = b;
    });
    this.data.texts.forEach((text, i) => {
      const found = sentence(this, text);
      if (this.words.children[i].textContent !== found) this.words.children[i].textContent = found;
    });
  }
}

/**
 * Called by the component at every rerun, theme change and mount.
 * @param {Component} component
 */
export function render(component) {
  const { parentElement: parent, data } = component;
  const lab = LABS.get(parent) ?? new Lab(parent, data);
  if (!LABS.has(parent)) {
    LABS.set(parent, lab);
    window.__dpLive ??= {};
    lab.stats.mounts = (window.__dpLive[data.name]?.stats.mounts ?? 0) + 1;
    window.__dpLive[data.name] = surfaceOf(lab);
  }
  lab.rendering = lab.rendering.then(() => lab.render(component)).catch((error) => lab.failed(error));
  return () => {
    clearTimeout(lab.alarm);
    for (const panel of lab.panels.values()) panel.remove();
    lab.panels.clear();
    lab.root.remove();
    LABS.delete(parent);
  };
}
