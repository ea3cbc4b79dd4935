// Scales: values to pixels and back. No DOM.

/** @import { Area, Axis, PanelSpec, Span, View } from "../types.d.ts" */

/**
 * Return a value in the units of its axis: log10 on a logarithmic axis, NaN where it has none.
 * @param {Axis} axis
 * @param {number} value
 */
export const toAxis = ({ log }, value) => (log ? (value > 0 ? Math.log10(value) : Number.NaN) : value);

/**
 * Return the value at a place of an axis.
 * @param {Axis} axis
 * @param {number} place
 */
export const fromAxis = ({ log }, place) => (log ? 10 ** place : place);

/**
 * Return the view of a panel without zoom, in the units of its axes.
 * @param {Pick<PanelSpec, "x" | "y">} spec
 * @returns {View}
 */
export function wholeView({ x, y }) {
  const ends = (/** @type {Axis} */ axis) => /** @type {Span} */ (axis.range.map((end) => toAxis(axis, end)));
  return { x: ends(x), y: ends(y) };
}

/**
 * Return the scales of a panel.
 * @param {Pick<PanelSpec, "x" | "y">} spec
 * @param {View} view
 * @param {Area} area
 */
export function scalesOf(spec, view, area) {
  const [x0, x1] = view.x;
  const [y0, y1] = view.y;
  const across = area.width / (x1 - x0);
  const up = area.height / (y1 - y0);
  const bottom = area.top + area.height;
  return {
    x: (/** @type {number} */ value) => area.left + (toAxis(spec.x, value) - x0) * across,
    y: (/** @type {number} */ value) => bottom - (toAxis(spec.y, value) - y0) * up,
    invX: (/** @type {number} */ pixel) => fromAxis(spec.x, x0 + (pixel - area.left) / across),
    invY: (/** @type {number} */ pixel) => fromAxis(spec.y, y0 + (bottom - pixel) / up),
    area,
  };
}

/**
 * Return the largest area within a box in which both axes of a view have the same scale.
 * @param {View} view
 * @param {Area} room
 * @returns {Area}
 */
export function equalArea({ x, y }, room) {
  const scale = Math.min(room.width / (x[1] - x[0]), room.height / (y[1] - y[0]));
  const width = scale * (x[1] - x[0]);
  const height = scale * (y[1] - y[0]);
  return { left: room.left + (room.width - width) / 2, top: room.top + (room.height - height) / 2, width, height };
}

/**
 * Return the view that fills a box at the scale at which the whole of a view is seen: with more of the plane on two sides.
 * @param {View} view
 * @param {{ width: number, height: number }} box
 * @returns {View}
 */
export function filled({ x, y }, { width, height }) {
  const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const around = (/** @type {Span} */ [low, high], /** @type {number} */ size) => {
    const [middle, half] = [(low + high) / 2, (unit * size) / 2];
    return /** @type {Span} */ ([middle - half, middle + half]);
  };
  return { x: around(x, width), y: around(y, height) };
}
