// A live figure: drawn and moved here from one description by Python.

import { ControlSet } from "../controls/control_set.js";
import { Moves } from "../controls/moves.js";
import { ArrayLoader } from "../data/array_loader.js";
import { Connection } from "../data/connection.js";
import { Prefetch } from "../data/prefetch.js";
import { Slices } from "../data/slices.js";
import { fileName, indexOf, merged } from "../data/values.js";
import { theme } from "../draw/theme.js";
import { Breathing } from "./breathing.js";
import { Enlarged } from "./enlarge.js";
import { Layout } from "./layout.js";
import { OddsPictogram } from "./odds_pictogram.js";
import { Overture } from "./overture.js";
import { PanelSet } from "./panel_set.js";
import { Paper } from "./paper.js";
import { Phone } from "./phone.js";
import { Pin } from "./pin.js";
import { Readouts } from "./readouts.js";
import { fill, spoken } from "./sentences.js";
import { StaleCard } from "./stale_card.js";

/** @import { Colours, Component, ControlSpec, Message, TextSpec, Values, Verdict } from "../types.d.ts" */

const PATIENCE = 3; // incomplete answers in a row before a message is shown

/** A figure in the page. */
export class LiveFigure {
  /**
   * @param {HTMLElement} parent
   * @param {Component["data"]} data perhaps not a whole one, where the figure came back to its place
   */
  constructor(parent, data) {
    this.data = /** @type {Message} */ (data);
    /** @type {number | null} the number of the message that is drawn */
    this.whole = null;
    /** @type {Map<string, ControlSpec>} */
    this.specs = new Map();
    /** @type {Values} */
    this.values = {};
    this.slices = new Slices();
    this.loader = new ArrayLoader(this);
    this.prefetch = new Prefetch(this.loader, () => this.connection.look());
    /** @type {Colours} */
    this.colours = theme(parent);
    /** @type {string | null} the control whose stand-ins are drawn */
    this.ahead = null;
    this.ready = false;
    /** @type {number | null} */
    this.frame = null;
    /** @type {Promise<void>} */
    this.rendering = Promise.resolve();
    this.stats = { mounts: 1, draws: 0, drawTime: 0 };
    this.layout = new Layout(() => this.act("cancel"));
    this.moves = new Moves(this);
    this.controls = new ControlSet(this.moves, this.layout);
    this.panels = new PanelSet(this);
    this.enlarged = new Enlarged(this);
    this.readouts = new Readouts();
    this.people = new OddsPictogram(() => this.schedule());
    /** @type {TextSpec | undefined} the odds that the hundred people show */
    this.crowd = undefined;
    this.pin = new Pin(this);
    this.breathing = new Breathing(this);
    this.overture = new Overture(this);
    this.paper = new Paper(this);
    this.card = new StaleCard(this);
    const { root, main, busy, row } = this.layout;
    const { meaning, tiles, full, words, said } = this.readouts;
    this.layout.side.append(this.people.root);
    this.phone = new Phone(
      this.layout,
      this.people.root,
      () => this.controls.top,
      () => this.controls.row,
    );
    const { root: tabs, sections } = this.panels.tabs;
    main.append(row, this.breathing.root, meaning, tiles, full.root, this.pin.root, words, said, tabs, sections, busy);
    parent.append(root);
    const partner = {
      values: () => this.values,
      committing: () => this.say(),
      looking: () => ({ tab: this.panels.tabs.open, near: this.prefetch.near }),
      connected: () => root.isConnected,
      late: (/** @type {boolean} */ late) => root.classList.toggle("dp-late", late),
      progress: (/** @type {Message["busy"]} */ busy) => this.progress(busy),
    };
    this.connection = new Connection(partner, data);
  }

  /**
   * Draw a message, after those before it.
   * @param {Component} component
   */
  render(component) {
    this.rendering = this.rendering.then(() => this.take(component)).catch((error) => this.layout.failed(error));
    return this.rendering;
  }

  /** @param {Component} component */
  async take(component) {
    const { data } = component;
    const { connection } = this;
    const missing = "same" in data ? this.whole !== data.same : await this.loader.lacks(data, this.panels.tabs.open);
    const verdict = connection.answer(component, missing);
    try {
      if ("same" in data) this.turn();
      if (verdict.draw && "same" in data) this.progress(data.busy);
      else if (verdict.draw) this.show(/** @type {Message} */ (data), verdict);
      else if (connection.protocol.incomplete >= PATIENCE) throw new Error("parts of it did not arrive");
    } finally {
      connection.proceed();
    }
    if (verdict.draw && !connection.protocol.mine) this.say();
  }

  /**
   * Show how far the work has come, where nothing else is new.
   * @param {Message["busy"]} busy
   */
  progress(busy) {
    this.layout.progress(busy);
    this.overture.wake();
  }

  /**
   * Whether what is computed is only other outcomes, for which nobody waits: at first sight, while all pictures are
   * there and no handle was moved.
   */
  get quiet() {
    const { connection, data, panels } = this;
    const outcomes = data.breathing || data.awaits_outcomes;
    const whole = outcomes && !data.main_tab && ![...panels.all.values()].some((panel) => panel.pending);
    return Boolean(whole) && !connection.acted;
  }

  /** Whether numbers and sentences wait for the reader's guess: at first sight. */
  get asks() {
    return !this.data.main_tab && this.panels.asks;
  }

  /** Take the colours of the theme, which may have changed although there is nothing new to draw. */
  turn() {
    if (!this.ready || !this.coloured()) return;
    this.panels.update(this.data.panels, this.data.main_tab);
    this.schedule();
  }

  /** Take the colours of the theme; return whether they have changed. */
  coloured() {
    const { root } = this.layout;
    const before = this.colours.key;
    this.colours = theme(root);
    root.classList.toggle("dp-dark", this.colours.dark);
    root.style.setProperty("--dp-private", this.colours.private);
    root.style.setProperty("--dp-other", this.colours.other);
    return this.colours.key !== before;
  }

  /** Draw arrays that were fetched after their message. */
  arrived() {
    this.slices.moved();
    this.panels.invalidate();
    this.panels.describe();
    this.schedule();
  }

  /**
   * Draw an answer.
   * @param {Message} data
   * @param {Extract<Verdict, { draw: true }>} verdict
   */
  show(data, verdict) {
    this.data = data;
    this.values = merged(this.values, data, verdict.keeps, verdict.anew);
    if (!verdict.mine) this.slices.alias = this.ahead = null;
    this.specs = new Map(data.controls.map((spec) => [spec.name, spec]));
    this.loader.take(data);
    this.slices.set(data.arrays, data.coords, (name) => this.indexOf(name));
    this.coloured();
    this.layout.root.classList.toggle("dp-compact", Boolean(data.compact));
    this.controls.update(this.specs, this.values);
    this.phone.arrange();
    this.crowd = this.readouts.update(data);
    this.people.update(this.crowd, Boolean(data.main_tab));
    this.layout.progress(data.busy);
    this.layout.arrange(this.panels.tabs, this.readouts.said, Boolean(data.main_tab));
    this.panels.update(data.panels, data.main_tab);
    this.controls.settle(this.panels.tabs.bodies);
    this.breathing.update(data.breathing, data.awaits_outcomes);
    this.ready = true;
    this.whole = data.seq;
    this.layout.drawn();
    this.card.look();
    this.schedule();
    this.prefetch.drawn();
  }

  /**
   * Return a control's description by its name.
   * @param {string} name
   */
  spec(name) {
    const found = this.specs.get(name);
    if (!found) throw new Error(`there is no control ${name}`);
    return found;
  }

  /** @param {string} name a control, or the dimension of outcomes */
  indexOf(name) {
    if (name === "outcome") return this.breathing.place;
    return indexOf(this.spec(name), this.values[name]);
  }

  /** @param {string} panel */
  fileName(panel) {
    return fileName(this.data.name, panel, [...this.specs.values()], this.values);
  }

  /** @param {string} template */
  fill(template) {
    return fill(this, template);
  }

  /** Return the numbers and sentences under the figure as one text. */
  spoken() {
    return spoken(this);
  }

  /** Update what screen readers say: not while a handle moves, and not before the reader did something. */
  say() {
    if (!this.ready) return;
    this.panels.describe();
    if (this.connection.events && !this.asks) this.readouts.say(this.spoken());
  }

  /** @param {string} name */
  act(name) {
    if (name === "pin") {
      this.breathing.rest();
      return this.pin.take();
    }
    if (name === "reset") this.pin.drop();
    this.connection.act(name);
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
    this.breathing.follow();
    this.panels.draw();
    this.layout.hush(this.quiet);
    this.layout.root.classList.toggle("dp-asks", this.asks);
    this.readouts.draw(this, (label) => this.pin.number(label), this.panels.tabs.open);
    if (this.crowd) this.people.draw(this, this.crowd);
    this.stats.draws += 1;
    this.stats.drawTime = performance.now() - start;
    this.breathing.wake();
    this.overture.wake();
    this.connection.happened("drawn", { seq: this.connection.protocol.answered, phase: null });
  }

  remove() {
    this.connection.stop();
    this.prefetch.stop();
    this.breathing.remove();
    this.overture.stop();
    this.paper.remove();
    this.card.remove();
    this.panels.remove();
    this.people.remove();
    this.phone.remove();
    this.layout.root.remove();
  }
}
