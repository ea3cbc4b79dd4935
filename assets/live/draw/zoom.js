// Zoom: a box drawn over a panel shows that part; a double click shows the whole again.

import { element } from "./dom.js";
import { toAxis } from "./scales.js";

/** @import { Area, PanelSpec, Scales, Span, View } from "../types.d.ts" */
/** @typedef {{ x: number, y: number }} Place */

const LEAST = 10; // pixels: less is a click, or along one axis alone

/**
 * Return the box between two places of an area: all of an axis along which there was hardly a move. Null: a click.
 * @param {Place} from
 * @param {Place} to
 * @param {Area} area
 * @returns {Area | null}
 */
export function boxed(from, to, { left, top, width, height }) {
  const within = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ size) =>
    Math.min(Math.max(at, low), low + size);
  const xs = [from.x, to.x].map((at) => within(at, left, width)).sort((a, b) => a - b);
  const ys = [from.y, to.y].map((at) => within(at, top, height)).sort((a, b) => a - b);
  const [wide, high] = [xs[1] - xs[0] >= LEAST, ys[1] - ys[0] >= LEAST];
  if (!wide && !high) return null;
  const box = { left: xs[0], top: ys[0], width: xs[1] - xs[0], height: ys[1] - ys[0] };
  if (!wide) return { ...box, left, width };
  return high ? box : { ...box, top, height };
}

/**
 * Return a box with the proportions of the area, around the same middle: for maps, whose scales are equal.
 * @param {Area} box
 * @param {Area} area
 * @returns {Area}
 */
export function widened(box, area) {
  const share = Math.min(1, Math.max(box.width / area.width, box.height / area.height));
  const [width, height] = [share * area.width, share * area.height];
  const within = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ room) =>
    Math.min(Math.max(at, low), low + room);
  return {
    left: within(box.left + (box.width - width) / 2, area.left, area.width - width),
    top: within(box.top + (box.height - height) / 2, area.top, area.height - height),
    width,
    height,
  };
}

/**
 * Return the view that a box fills; only of the axes that change.
 * @param {Area} box
 * @param {Scales} scales
 * @param {Pick<PanelSpec, "x" | "y">} spec
 * @returns {Partial<View>}
 */
export function viewOf(box, { invX, invY, area }, spec) {
  /** @type {Partial<View>} */
  const view = {};
  const ends = (/** @type {"x" | "y"} */ axis, /** @type {number[]} */ values) =>
    /** @type {Span} */ (values.map((value) => toAxis(spec[axis], value)));
  if (box.width < area.width) view.x = ends("x", [invX(box.left), invX(box.left + box.width)]);
  if (box.height < area.height) view.y = ends("y", [invY(box.top + box.height), invY(box.top)]);
  return view;
}

/** The pointer that draws a box over a frame. */
export class Zoom {
  /**
   * @param {HTMLElement} root
   * @param {() => { spec: PanelSpec, scales: Scales } | null} seen returns the panel under the pointer; null: nothing to zoom
   * @param {(view: Partial<View> | null) => void} chosen called with the new view; null: the whole
   * @param {(at: Place) => void} clicked called with the place of a click
   */
  constructor(root, seen, chosen, clicked) {
    this.root = root;
    this.seen = seen;
    this.chosen = chosen;
    this.clicked = clicked;
    /** @type {Place | null} */
    this.from = null;
    this.box = element("div", "dp-zoom");
    this.box.hidden = true;
    root.append(this.box);
    root.addEventListener("pointerdown", (event) => this.start(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.end(event));
    root.addEventListener("pointercancel", () => this.stop());
    root.addEventListener("dblclick", () => this.seen() && chosen(null));
  }

  /** @param {PointerEvent} event */
  place(event) {
    const { left, top } = this.root.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {PointerEvent} event */
  start(event) {
    const area = this.seen()?.scales.area;
    const at = this.place(event);
    if (event.button !== 0 || !area) return;
    if (at.x < area.left || at.x > area.left + area.width || at.y < area.top || at.y > area.top + area.height) return;
    this.from = at;
    this.root.setPointerCapture(event.pointerId);
  }

  /**
   * Return the box between where the pointer started and where it is.
   * @param {PointerEvent} event
   */
  drawn(event) {
    const seen = this.seen();
    if (!seen || !this.from) return null;
    const { area } = seen.scales;
    const box = boxed(this.from, this.place(event), area);
    return box && seen.spec.kind === "map" ? widened(box, area) : box;
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.from) return;
    const box = this.drawn(event);
    this.box.hidden = !box;
    if (!box) return;
    for (const side of /** @type {const} */ (["left", "top", "width", "height"]))
      this.box.style[side] = `${box[side]}px`;
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { from } = this;
    const box = this.drawn(event);
    const seen = this.seen();
    this.stop();
    if (!seen || !from) return;
    if (box) this.chosen(viewOf(box, seen.scales, seen.spec));
    else this.clicked(from);
  }

  stop() {
    this.from = null;
    this.box.hidden = true;
  }
}
