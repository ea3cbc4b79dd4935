// Between values and pixels: what the axes of a Plotly frame say.

/** @import { Area, PlotlyElement } from "./types.d.ts" */

/**
 * The scales of a frame; null before it is laid out.
 * @param {PlotlyElement["_fullLayout"]} layout
 */
export function scalesOf(layout) {
  if (!layout?.xaxis?._length) return null;
  const { xaxis, yaxis } = layout;
  /** @type {Area} */
  const area = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
  return {
    x: (/** @type {number} */ value) => xaxis.d2p(value) + xaxis._offset,
    y: (/** @type {number} */ value) => yaxis.d2p(value) + yaxis._offset,
    invX: (/** @type {number} */ pixel) => xaxis.p2d(pixel - xaxis._offset),
    invY: (/** @type {number} */ pixel) => yaxis.p2d(pixel - yaxis._offset),
    area,
  };
}

/**
 * What of a zoom other panels follow: the ranges of its axes.
 * @param {Record<string, unknown>} change
 */
export const followed = (change) =>
  Object.fromEntries(Object.entries(change).filter(([key]) => /^[xy]axis\./.test(key)));
