// Tell whether the result of a panel is still being computed: then the panel says so, and nothing provisional looks
// like a result. No DOM.

/** @import { Layer, PanelSpec, Slot } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */

/** The argument of a kind of layer that holds its result. */
const ANSWER = /** @type {Record<string, string>} */ ({
  line: "y",
  dot: "y",
  band: "low",
  bars: "heights",
  parabolas: "xy",
  markers: "xy",
  cloud: "xy",
  points: "xy",
  arrows: "xy",
  coins: "spent",
  rain: "xy",
  cards: "answers",
  counted: "upto",
  phones: "answers",
  field: "values",
  readings: "votes",
});
const OF_DATA = new Set(["points", "cloud"]); // in the colours of classes these are records

/**
 * Return the array of a layer's result; null where the description gives numbers.
 * @param {Layer} layer
 * @returns {string | null}
 */
function numbers(layer) {
  const slot = ANSWER[layer.kind];
  const named = /** @type {Record<string, Slot | number | undefined>} */ (/** @type {unknown} */ (layer))[slot];
  return typeof named === "string" ? named : null;
}

/**
 * Return the array that a layer shows as a result; null for references, records, numbers in the description, and
 * records that may leave the data: having no place for them is the result.
 * @param {Layer} layer
 * @returns {string | null}
 */
function answer(layer) {
  if (layer.kind === "points" && layer.leaves) return null;
  const { role } = /** @type {{ role?: string | number }} */ (layer);
  const { keep } = /** @type {{ keep?: boolean }} */ (layer); // what Pin keeps is a result in any colour
  if (role === undefined ? OF_DATA.has(layer.kind) : role !== "private" && role !== "other" && !keep) return null;
  return numbers(layer);
}

/**
 * Return whether an array has no values: it is not here, empty, or NaN; of bars, all heights are 0.
 * @param {string} name
 * @param {boolean} bars
 * @param {Slices} slices
 */
function unknown(name, bars, slices) {
  if (!slices.has(name)) return true;
  const values = slices.get(name);
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i]) && (!bars || values[i] !== 0)) return false;
  return true;
}

/**
 * Return the arrays that the layers of a mosaic show as a result.
 * @param {Layer[]} layers
 */
const answersOf = (layers) => layers.map(answer).filter((name) => name !== null);

/**
 * Return whether a panel has nothing to show yet.
 * @param {Pick<PanelSpec, "kind" | "tiles" | "layers">} spec
 * @param {Slices} slices
 */
export function isPending({ kind, tiles, layers }, slices) {
  if (kind === "mosaic") return [tiles, ...answersOf(layers)].some((name) => unknown(name, false, slices));
  const answers = layers.map((layer) => [answer(layer), layer.kind === "bars"]).filter(([name]) => name !== null);
  if (!answers.length) {
    const records = layers.filter((layer) => OF_DATA.has(layer.kind)).map(numbers);
    return records.length ? records.every((name) => name !== null && unknown(name, false, slices)) : !layers.length;
  }
  return answers.every(([name, bars]) => unknown(String(name), Boolean(bars), slices));
}
