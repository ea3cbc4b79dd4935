// Values of controls: their indices, texts and limits.

import { format } from "./numbers.js";

/** @import { ControlSpec, Message, NumberSpec, SliderSpec, Value, Values } from "../types.d.ts" */

/**
 * Return a value as links have it.
 * @param {Value} value
 */
export const inLink = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));

/**
 * Return the index of the grid value nearest to a number.
 * @param {number[]} grid
 * @param {number} value
 */
export function nearest(grid, value) {
  let best = 0;
  for (let i = 1; i < grid.length; i++) {
    if (Math.abs(grid[i] - value) < Math.abs(grid[best] - value)) best = i;
  }
  return best;
}

/**
 * Return the grid value at an index, clipped to the ends.
 * @param {number[]} grid
 * @param {number} place
 */
export const at = (grid, place) => grid[Math.min(Math.max(place, 0), grid.length - 1)];

/**
 * Return the text of a grid value: its words, or at most four significant digits.
 * @param {SliderSpec} spec
 * @param {number} value
 */
function show(spec, value) {
  return spec.words?.[nearest(spec.grid, value)] ?? format(value, spec.format || ".4g");
}

/**
 * Return the index of a value along a control's dimension.
 * @param {ControlSpec} spec
 * @param {Value} value
 */
export function indexOf(spec, value) {
  if (spec.kind === "slider") return nearest(spec.grid, Number(value));
  if (spec.kind === "choice")
    return Math.max(
      0,
      spec.options.findIndex((option) => option[0] === value),
    );
  return Number(value);
}

/**
 * Return the text of a control's value.
 * @param {ControlSpec} spec
 * @param {Value} value
 */
export function words(spec, value) {
  if (spec.kind === "slider") return show(spec, Number(value)) + (spec.unit ?? "");
  if (spec.kind === "choice") return spec.options.find((option) => option[0] === value)?.[1] ?? "";
  return String(value);
}

/**
 * Return the nearest value that a control allows.
 * @param {ControlSpec} spec
 * @param {Value} value
 */
export const snap = (spec, value) => (spec.kind === "slider" ? spec.grid[nearest(spec.grid, Number(value))] : value);

/**
 * Return the integer that a text stands for, or null when the control does not allow it.
 * @param {Pick<NumberSpec, "low" | "high">} spec
 * @param {string} text
 */
export function whole({ low, high }, text) {
  const value = text === "" ? NaN : Number(text);
  const allowed = Number.isSafeInteger(value) && value >= (low ?? -Infinity) && value <= (high ?? Infinity);
  return allowed ? value : null;
}

/**
 * Return the state of a slider at a value: its index, the filled share of its length, and the words for screen readers.
 * @param {SliderSpec} spec
 * @param {Value} value
 */
export function sliderState(spec, value) {
  const index = nearest(spec.grid, Number(value));
  const text = words(spec, spec.grid[index]);
  const share = spec.grid.length > 1 ? index / (spec.grid.length - 1) : 0;
  const [low, high] = spec.ends ?? ["", ""];
  const side = share === 0 ? low : share === 1 ? high : ""; // an end may be a place, such as "published model"
  return { index, text, share, heard: `${text}${side ? `, ${side}` : ""}` };
}

/**
 * Return the value of a slider some steps on.
 * @param {SliderSpec} spec
 * @param {Value} value
 * @param {number} by
 */
export const stepped = (spec, value, by) => at(spec.grid, indexOf(spec, value) + by);

/**
 * Return the first slider in view.
 * @param {ControlSpec[]} specs
 */
export const firstSlider = (specs) =>
  specs.find((spec) => spec.kind === "slider" && !spec.hidden && !plays(spec))?.name;

/**
 * Return the slider that stays in view on a phone: the one that the page asks to move, or else the first.
 * @param {ControlSpec[]} specs
 */
export const topSlider = (specs) =>
  specs.find((spec) => spec.kind === "slider" && !spec.hidden && spec.asked)?.name ?? firstSlider(specs);

/**
 * Return whether a control is a slider that plays: its place is the reader's, whatever Python answers.
 * @param {ControlSpec} spec
 */
export const plays = (spec) => spec.kind === "slider" && spec.play;

/**
 * Return the values of an answer, except for controls that play, that only the browser has, or that `keeps` names: these
 * keep the reader's. With `anew` the first two take the answer's too.
 * @param {Values} own
 * @param {Pick<Message, "controls" | "values">} answer
 * @param {(name: string) => boolean} keeps
 * @param {boolean} [anew]
 * @returns {Values}
 */
export function merged(own, { controls, values }, keeps, anew = false) {
  const readers = (/** @type {ControlSpec} */ spec) => plays(spec) || (spec.kind === "slider" && spec.own);
  const kept = controls.filter((spec) => spec.name in own && ((readers(spec) && !anew) || keeps(spec.name)));
  return { ...values, ...Object.fromEntries(kept.map((spec) => [spec.name, snap(spec, own[spec.name])])) };
}

/**
 * Return the name of a saved picture: the figure, the panel, and the values of the sliders in view.
 * @param {string} figure
 * @param {string} panel
 * @param {ControlSpec[]} specs
 * @param {Values} values
 */
export function fileName(figure, panel, specs, values) {
  const shown = specs.filter((spec) => spec.kind === "slider" && !spec.more && !plays(spec) && !spec.own);
  return [figure, panel, ...shown.map((spec) => `${spec.name}-${values[spec.name]}`)].join("_");
}
