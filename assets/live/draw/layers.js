// Properties of layers: whether their arrays are here, whether they move, on which canvas they are drawn.

import { KINDS } from "./layer_kinds.js";

/** @import { Layer, Slot } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */

/**
 * Return an argument of a layer by its name; undefined when this kind has none.
 * @param {Layer} layer
 * @param {string} slot
 * @returns {Slot | number | undefined}
 */
export const argument = (layer, slot) =>
  /** @type {Record<string, Slot | number | undefined>} */ (/** @type {unknown} */ (layer))[slot];

/**
 * Return whether all arrays of a layer are here.
 * @param {Layer} layer
 * @param {Slices} slices
 */
export const ready = (layer, slices) => KINDS[layer.kind].slots.every((slot) => slices.has(argument(layer, slot)));

/**
 * Return whether a layer is drawn from one of some arrays.
 * @param {Layer} layer
 * @param {string[]} names
 */
export const reads = (layer, names) =>
  KINDS[layer.kind].slots.some((slot) => names.includes(/** @type {string} */ (argument(layer, slot))));

/**
 * Return whether an argument names an array that moves with a control.
 * @param {Slot | number | undefined} named
 * @param {Slices} slices
 */
const moves = (named, slices) =>
  typeof named === "string" && (slices.arrays[slices.real(named)]?.dims ?? []).some((dim) => dim !== null);

/**
 * Return whether a layer never moves with a control: it is drawn once, and again on zoom or theme.
 * @param {Layer} layer
 * @param {Slices} slices
 */
export const still = (layer, slices) =>
  !layer.front &&
  !(layer.kind === "annotation" && layer.words.includes("{")) &&
  !KINDS[layer.kind].moves &&
  !KINDS[layer.kind].slots.some((slot) => moves(argument(layer, slot), slices));

/**
 * Return whether a layer lies under the frame.
 * @param {Layer} layer
 */
export const under = (layer) => KINDS[layer.kind].under;

/**
 * Return the canvas that a layer is drawn on.
 * @param {Layer} layer
 * @param {Slices} slices
 * @returns {"still" | "under" | "over"}
 */
export function surfaceOf(layer, slices) {
  if (layer.ghost) return "still";
  if (under(layer)) return "under";
  return still(layer, slices) ? "still" : "over";
}

/** @param {Layer} layer */
const knob = (layer) => layer.kind === "handle";

/**
 * Return the canvases to draw anew: all when the frame is fresh, else those with something that moves; labels lie over
 * all.
 * @param {Layer[]} layers
 * @param {Slices} slices
 * @param {boolean} fresh
 * @returns {("under" | "over" | "still")[]}
 */
export function stale(layers, slices, fresh) {
  if (fresh) return ["under", "over", "still"];
  const moving = layers.filter((layer) => !knob(layer) && !still(layer, slices));
  /** @type {("under" | "over")[]} */
  const found = [];
  if (moving.some(under)) found.push("under");
  const words = layers.some((layer) => layer.label && layer.kind !== "handle");
  if (moving.some((layer) => !under(layer)) || (words && (moving.length || layers.some(knob)))) found.push("over");
  return found;
}
