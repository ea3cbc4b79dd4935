// The still frame of a panel: axes and zoom, drawn anew only when they change.

import { axesOf, axesSvg } from "./axes.js";
import { context, element } from "./dom.js";
import { filled, scalesOf, wholeView } from "./scales.js";
import { Zoom } from "./zoom.js";

/** @import { Axes, Colours, PanelSpec, Scales, View } from "../types.d.ts" */

const USUAL = 15; // pixels of the page's type for which axes are laid out; a projector's is larger

/**
 * @param {Axes["area"]} area
 * @param {number} by
 */
const times = ({ left, top, width, height }, by) => ({
  left: by * left,
  top: by * top,
  width: by * width,
  height: by * height,
});

/** Axes and zoom of one panel. */
export class StillFrame {
  /**
   * @param {(view: Partial<View> | null) => void} zoomed called with what changed, when linked panels have to follow
   * @param {(at: { x: number, y: number }) => void} clicked called with the place of a click, in pixels
   */
  constructor(zoomed, clicked) {
    this.zoomed = zoomed;
    this.plot = element("div", "dp-frame");
    this.paper = element("div");
    this.paper.setAttribute("aria-hidden", "true");
    this.plot.append(this.paper);
    this.pen = context(element("canvas"));
    this.size = { width: 0, height: 0 };
    /** @type {PanelSpec | null} */
    this.spec = null;
    /** @type {Colours | null} */
    this.colours = null;
    /** @type {View | null} */
    this.view = null;
    /** @type {Axes | null} in units that are larger where the type is */
    this.axes = null;
    this.unit = 1; // pixels
    /** @type {Scales | null} between values and pixels; null before the frame is there */
    this.scales = null;
    this.key = "";
    this.whole = "";
    new Zoom(
      this.plot,
      () => (this.spec && this.scales && !this.spec.fixed ? { spec: this.spec, scales: this.scales } : null),
      (view) => this.show(view),
      clicked,
    );
  }

  /**
   * @param {PanelSpec} spec
   * @param {Colours} colours
   * @param {{ width: number, height: number }} size
   */
  update(spec, colours, size) {
    const { kind, x, y, key } = spec;
    const whole = JSON.stringify([kind, x.range, x.log, y.range, y.log, key]);
    const wanted = JSON.stringify([whole, x, y, spec.top, spec.fixed, colours.key]);
    if (wanted === this.key) return;
    this.key = wanted;
    if (whole !== this.whole || !this.view) this.view = wholeView(spec); // of other data: an old zoom is void
    this.whole = whole;
    this.spec = spec;
    this.colours = colours;
    this.size = size;
    this.plot.classList.toggle("dp-fixed", Boolean(spec.fixed));
    this.draw();
  }

  /** Lay out and draw the frame. */
  draw() {
    if (!this.spec || !this.view) return;
    this.unit = Math.max((parseFloat(getComputedStyle(this.plot).fontSize) || USUAL) / USUAL, 1);
    const { width, height } = this.size;
    const size = { width: width / this.unit, height: height / this.unit };
    const view = this.spec.fills ? filled(this.view, size) : this.view;
    this.axes = axesOf(this.spec, view, size, this.measure());
    this.scales = scalesOf(this.spec, view, times(this.axes.area, this.unit));
    this.paper.innerHTML = this.markup();
  }

  /**
   * Return the frame as SVG. `family`: the typeface where none is inherited.
   * @param {string} [family]
   */
  markup(family) {
    return this.axes && this.colours ? axesSvg(this.axes, this.size, this.colours, family, this.unit) : "";
  }

  /** Whether the panel is zoomed. */
  get part() {
    return Boolean(this.spec && this.view && JSON.stringify({ ...this.view }) !== JSON.stringify(wholeView(this.spec)));
  }

  /** The typeface that the frame is drawn in. */
  get family() {
    return getComputedStyle(this.plot).fontFamily || "sans-serif";
  }

  /**
   * Return how wide a text is in a font.
   * @param {string} text
   * @param {string} font
   */
  widthOf(text, font) {
    this.pen.font = font;
    return this.pen.measureText(text).width;
  }

  measure() {
    const { family } = this;
    return (/** @type {string} */ text, /** @type {number} */ size) => this.widthOf(text, `${size}px ${family}`);
  }

  /**
   * Show a part of the panel, or all of it, and zoom linked panels.
   * @param {Partial<View> | null} change
   */
  show(change) {
    if (!this.spec) return;
    const view = change ?? wholeView(this.spec);
    this.follow(view);
    this.zoomed(view);
  }

  /**
   * Take the zoom of a linked panel.
   * @param {Partial<View>} change
   */
  follow(change) {
    if (!this.view) return;
    this.view = { ...this.view, ...change };
    this.draw();
    this.zoomed(null);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (width <= 0) return;
    this.size = { width, height };
    this.draw();
  }

  remove() {
    this.plot.remove();
  }
}
