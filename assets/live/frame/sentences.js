// The figure in words: templates filled with the present values, readouts, sentences that follow controls.

import { format } from "../data/numbers.js";
import { trend } from "../data/slices.js";
import { words } from "../data/values.js";
import { withOdds } from "./odds.js";
import { prior } from "./prior.js";
import { plain } from "./terms.js";

/** @import { ControlSpec, Message, ReadoutSpec, TextSpec, Values } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */

/**
 * What sentences are made of.
 * @typedef {object} Shown
 * @property {Pick<Message, "arrays" | "readouts" | "texts" | "terms">} data
 * @property {Map<string, ControlSpec>} specs
 * @property {Values} values
 * @property {Slices} slices
 * @property {string | null} ahead the control whose stand-ins are drawn
 * @property {(name: string) => number} indexOf
 */

/**
 * Fill a sentence template with `{name}` of controls and scalar arrays, and `{trend:name}` of curves;
 * `{trend:name:.3g}` and `{name:.0%}` give the numbers a format of their own: without one a trend is in per cent, and a
 * scalar as its readout, where the depth shows one. A control is written as it shows its value, without a format.
 * @param {Shown} shown
 * @param {string} template
 */
export function fill({ data, specs, values, slices }, template) {
  return template.replace(/\{(trend:)?(\w+)(?::([^}]+))?\}/g, (all, curve, name, as) => {
    if (curve) return slices.has(name) ? trend(slices.get(name), as) : "is not known yet";
    const spec = specs.get(name);
    if (spec) return as ? format(Number(values[name]), as) : words(spec, values[name]);
    if (!(name in data.arrays) || !slices.has(name)) return all;
    const code = as ?? data.readouts.find((readout) => readout.value === name)?.format;
    return format(slices.scalar(name), code);
  });
}

/**
 * Return the sentences of a template whose numbers are computed: a text that is read aloud has no braces.
 * @param {Shown} shown
 * @param {string} template
 */
function computed({ data, slices }, template) {
  const missing = (/** @type {string} */ name) => name in data.arrays && !slices.has(name);
  const whole = (/** @type {string} */ part) =>
    ![...part.matchAll(/\{(?:trend:)?(\w+)[^}]*\}/g)].some(([, name]) => missing(name));
  return template
    .split(/(?<=[.!?]) (?=[A-Z{])/)
    .filter(whole)
    .join(" ");
}

/** Note of a difference whose interval holds 0. */
export const NO_DIFFERENCE = "no difference shown";

/**
 * @param {Slices} slices
 * @param {string | undefined} name
 */
const scalar = (slices, name) => (name && slices.has(name) ? slices.scalar(name) : Number.NaN);

/**
 * Return the number of a readout as text: of its value, or of this draw while that is not known.
 * @param {Slices} slices
 * @param {Pick<ReadoutSpec, "value" | "format"> & Partial<ReadoutSpec>} readout
 */
export function number(slices, { value, format: code, draw, to, low, high }) {
  const known = scalar(slices, value);
  if (scalar(slices, low) <= 0 && scalar(slices, high) >= 0 && !Number.isNaN(known)) return NO_DIFFERENCE;
  const found = Number.isNaN(known) && draw ? scalar(slices, draw) : known;
  if (Number.isNaN(found)) return "–";
  const ends = to && found === known ? [found, scalar(slices, to)] : [found];
  return ends.map((end) => format(end, code)).join(" to ");
}

/**
 * Return the note under the number of a readout.
 * @param {Shown} shown
 * @param {ReadoutSpec} readout
 */
export function noted(shown, { value, draw, note, alone }) {
  if (!draw || !Number.isNaN(scalar(shown.slices, value))) return fill(shown, note ?? "");
  return Number.isNaN(scalar(shown.slices, draw)) ? "" : fill(shown, alone ?? "");
}

/**
 * Return the text that counts now, or its replacement while a handle moves, and the index of its sentence.
 * @param {Pick<Shown, "ahead" | "indexOf">} shown
 * @param {TextSpec} text
 */
export function found(shown, text) {
  const now = (shown.ahead !== null && text.along?.[shown.ahead]) || text;
  return { now, place: now.dims.reduce((sum, dim, axis) => sum * now.sizes[axis] + shown.indexOf(dim), 0) };
}

/**
 * Return the template of a text at the present values.
 * @param {Shown} shown
 * @param {TextSpec} text
 */
function template(shown, text) {
  const { now, place } = found(shown, text);
  return now.bounds?.length ? withOdds(now.strings[place], now.bounds[place], prior() / 100) : now.strings[place];
}

/**
 * Return the sentence of a text at the present values.
 * @param {Shown} shown
 * @param {TextSpec} text
 */
export const sentence = (shown, text) => fill(shown, template(shown, text));

/**
 * Return the short form of a text at the present values; undefined where only the whole sentence is shown.
 * @param {Shown} shown
 * @param {TextSpec} text
 * @returns {string | undefined}
 */
export function brief(shown, text) {
  const { now, place } = found(shown, text);
  const short = now.brief?.length === 1 ? now.brief[0] : now.brief?.[place];
  return short === undefined ? undefined : fill(shown, short);
}

/**
 * Return the numbers and sentences under the figure as one text.
 * @param {Shown} shown
 */
export function spoken(shown) {
  const known = shown.data.readouts.filter((readout) => shown.slices.has(readout.value));
  const numbers = known.map((readout) => {
    const note = noted(shown, readout); // what the number counts
    return `${readout.label}: ${number(shown.slices, readout)}${note ? ` (${note})` : ""}`;
  });
  const said = shown.data.texts
    .map((text) => plain(fill(shown, computed(shown, template(shown, text)))))
    .filter((text) => text !== "");
  const told = numbers.length ? [`${numbers.join("; ")}.`, ...said] : said;
  const open = (/** @type {string} */ part, /** @type {number} */ k) => k < told.length - 1 && !/[.!?)]$/.test(part);
  return told.map((part, k) => (open(part, k) ? `${part}.` : part)).join(" ");
}
