// All panels of a figure: which exist, which are in a closed tab, which zoom together.

import { Panel } from "./panel.js";
import { Tabs } from "./tabs.js";

/** @import { PanelSpec, View } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

/**
 * Return the words of the tab for the panels without one; "" where there are none.
 * @param {PanelSpec[]} specs
 * @param {string} [main]
 */
const mainTab = (specs, main = "") => (specs.some((spec) => !spec.tab) ? main : "");

/** The panels of a figure. */
export class PanelSet {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {Map<string, Panel>} */
    this.all = new Map();
    this.updating = false;
    this.tabs = new Tabs(
      figure.layout.row,
      () => this.opened(),
      (name) => figure.prefetch.tab(name),
    );
  }

  /**
   * @param {PanelSpec[]} specs
   * @param {string} [main] the words of a tab for the panels without one
   */
  update(specs, main) {
    const keys = new Set(specs.map((spec) => spec.key));
    for (const key of this.all.keys()) if (!keys.has(key)) this.drop(key);
    this.updating = true; // the open tab is sent when all is drawn
    this.tabs.update([...new Set(specs.map((spec) => spec.tab).filter(Boolean))], mainTab(specs, main));
    this.updating = false;
    /** @type {Map<HTMLElement, number>} how many panels stand there already */
    const places = new Map();
    for (const spec of specs) {
      if (this.all.get(spec.key)?.spec.kind !== spec.kind) this.drop(spec.key);
      const panel = this.all.get(spec.key) ?? new Panel(this.figure, spec);
      this.all.set(spec.key, panel);
      const home = this.tabs.bodies.get(spec.tab) ?? this.figure.layout.row;
      const place = places.get(home) ?? 0;
      places.set(home, place + 1);
      this.put(this.figure.enlarged.inPlaceOf(panel), home, place);
      panel.root.style.setProperty("--height", `${spec.height}px`);
      panel.wanted = spec; // panels of closed tabs wait until they are opened
      if (!spec.tab || spec.tab === this.tabs.open) this.refresh(panel);
    }
  }

  /**
   * Put the panels in their order, also when a depth adds some; a panel in its place is not touched.
   * @param {HTMLElement} part
   * @param {HTMLElement} home
   * @param {number} place
   */
  put(part, home, place) {
    if (home.children[place] === part) return;
    if (place) home.children[place - 1].after(part);
    else home.prepend(part);
  }

  /** @param {string} key */
  drop(key) {
    if (this.figure.enlarged.panel === this.all.get(key)) this.figure.enlarged.dialog.close();
    this.all.get(key)?.remove();
    this.all.delete(key);
  }

  /** @param {Panel} panel */
  refresh(panel) {
    const spec = panel.wanted;
    panel.wanted = null;
    if (spec) panel.update(spec, this.figure.colours);
    this.figure.schedule();
  }

  /** Draw the panels of a tab that was opened. */
  opened() {
    if (this.tabs.open) this.figure.prefetch.tab(this.tabs.open);
    this.figure.loader.bring(`tab ${this.tabs.open}`, "high");
    for (const panel of this.all.values()) {
      if (panel.wanted && panel.wanted.tab === this.tabs.open) this.refresh(panel);
    }
    this.figure.schedule();
    if (!this.updating) this.figure.connection.look();
  }

  /**
   * Zoom the panels of one link together.
   * @param {Panel} source
   * @param {Partial<View>} change
   */
  zoomed(source, change) {
    for (const panel of this.all.values()) {
      if (panel !== source && panel.spec.link === source.spec.link) panel.frame.follow(change);
    }
  }

  /** Whether a picture asks a question that numbers would answer. */
  get asks() {
    return [...this.all.values()].some((panel) => panel.faces?.asks);
  }

  /** Mark all panels to be drawn again. */
  invalidate() {
    for (const panel of this.all.values()) panel.drawn = false;
  }

  draw() {
    for (const panel of this.all.values()) panel.draw();
  }

  describe() {
    for (const panel of this.all.values()) panel.describe();
  }

  remove() {
    for (const key of this.all.keys()) this.drop(key);
  }
}
