// Read by the type checker alone: each line below it has to be an error.

/** @import { Layer, LayerOf } from "../../../assets/live/types.d.ts" */

/** @type {Layer} */
export const right = { kind: "line", x: "at", y: [1, 2], width: 2 };

/** @type {Layer} */
// @ts-expect-error a misspelt option
export const misspelt = { kind: "line", x: "at", y: [1, 2], widht: 2 };

/** @type {Layer} */
// @ts-expect-error an option of other kinds
export const foreign = { kind: "band", x: "at", low: [1], high: [2], dash: true };

/** @type {Layer} */
// @ts-expect-error an argument that it cannot be drawn without
export const short = { kind: "points", xy: "points" };

export const wrong = (/** @type {LayerOf<"dot">} */ dot) =>
  // @ts-expect-error a dot has no width
  dot.width;
