// Ticks of an axis and their texts: nice numbers, decades, or the ticks that a description gives. No DOM.

import { format, raised, spaced } from "../data/numbers.js";

/** @import { Axis, Span, Tick } from "../types.d.ts" */

const ALMOST = 1e-9; // tolerance for rounding at the ends of an axis
const NICE = [1, 2, 5, 10];
const PLAIN = { from: 1e-4, below: 1e5 }; // between these a number is written out

/**
 * Return the smallest of 1, 2, 5 times a power of ten that divides a span into at most so many parts.
 * @param {number} span
 * @param {number} parts
 */
export function niceStep(span, parts) {
  const rough = span / Math.max(parts, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (NICE.find((factor) => factor * power >= rough * (1 - ALMOST)) ?? 10);
}

/**
 * Return the multiples of a nice step between two numbers, both included.
 * @param {Span} span
 * @param {number} parts
 */
export function linearPlaces([low, high], parts) {
  const step = niceStep(high - low, parts);
  const first = Math.ceil(low / step - ALMOST);
  const last = Math.floor(high / step + ALMOST);
  const places = Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  return { step, places };
}

/**
 * Return powers of ten between two numbers: with their 2 and 5 where they fit, every second, third, ... one where they
 * do not. Null where an axis is so short that its nice numbers are those of a linear one.
 * @param {Span} span
 * @param {number} parts
 */
export function logPlaces([low, high], parts) {
  const inside = (/** @type {number} */ place) => place >= low * (1 - ALMOST) && place <= high * (1 + ALMOST);
  const from = Math.floor(Math.log10(low));
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - from + 1 }, (_, k) => from + k);
  const fine = decades.flatMap((n) => [1, 2, 5].map((factor) => Number(`${factor}e${n}`))).filter(inside);
  if (fine.length < 3) return null;
  if (fine.length <= parts + 1) return fine;
  for (let every = 1; ; every++) {
    const coarse = decades.filter((n) => n % every === 0).map((n) => Number(`1e${n}`));
    const found = coarse.filter(inside);
    if (found.length <= parts + 1) return found.length < 2 ? fine.filter((_, k) => k % every === 0) : found;
  }
}

/**
 * Write a number out, with thin spaces between thousands; as a power of ten where it would be long.
 * @param {number} value
 * @param {{ powers?: boolean, digits?: number, precision?: number }} how `powers`: write every power of ten beyond
 * ten as one; `digits`: after the point; `precision`: how many digits a long number has in all
 */
export function written(value, { powers = false, digits, precision = 4 } = {}) {
  const size = Math.abs(value);
  const exponent = size ? Math.floor(Math.log10(size) + ALMOST) : 0;
  const long = size > 0 && (size < PLAIN.from || size >= PLAIN.below);
  const sign = value < 0 ? "−" : "";
  if (long || (powers && Math.abs(exponent) > 1)) {
    const factor = Number((size / 10 ** exponent).toPrecision(precision));
    return `${sign}${factor === 1 ? "" : `${factor}·`}10${raised(exponent)}`;
  }
  return sign + spaced(digits === undefined ? String(size) : size.toFixed(digits));
}

/**
 * Return how many decimals a step needs.
 * @param {number} step
 */
export const decimals = (step) => Math.max(0, -Math.floor(Math.log10(step) + ALMOST));

/**
 * Return the texts of ticks: in the axis's format, with as many digits as tell neighbours apart.
 * @param {number[]} places
 * @param {string} code the axis's format
 * @param {number | null} step between neighbours of a linear axis
 */
export function tickTexts(places, code, step) {
  const percent = /^\.(\d+)%$/.exec(code);
  if (percent) {
    const digits = Math.max(Number(percent[1]), step === null ? 0 : decimals(100 * step));
    return places.map((place) => format(place, `.${digits}%`));
  }
  if (code) return places.map((place) => format(place, code));
  if (step !== null) return numbers(places, step);
  const tens = places.every((place) => place > 0 && Math.abs(Math.log10(place) % 1) < ALMOST);
  const powers = tens && places.some((place) => place < PLAIN.from || place >= PLAIN.below);
  return places.map((place) => written(place, { powers }));
}

/**
 * Return the texts of multiples of a step.
 * @param {number[]} places
 * @param {number} step
 */
function numbers(places, step) {
  const size = Math.max(...places.map(Math.abs));
  const precision = Math.min(Math.max(4, Math.ceil(Math.log10(size / step)) + 2), 15);
  const plain = step >= PLAIN.from && size < PLAIN.below;
  return places.map((place) => written(place, plain ? { digits: decimals(step) } : { precision }));
}

/**
 * Return the ticks of an axis between two numbers, in data units: those given, or nice ones; nice ones also where a
 * zoom has left fewer than two of given numbers.
 * @param {Axis} axis
 * @param {Span} span
 * @param {number} parts largest number of intervals, about
 * @returns {Tick[]}
 */
export function ticksOf(axis, span, parts) {
  const { ticks, words, log, format: code } = axis;
  const slack = ALMOST * Math.max(Math.abs(span[0]), Math.abs(span[1]));
  const given = (ticks ?? []).flatMap((at, k) => (at >= span[0] - slack && at <= span[1] + slack ? [{ at, k }] : []));
  if (ticks && (words || ticks.length < 2 || given.length > 1)) {
    const said = words ?? tickTexts(ticks, code, null);
    return given.map(({ at, k }) => ({ at, text: said[k] ?? "" }));
  }
  const decades = log ? logPlaces(span, parts) : null;
  const { places, step } = decades ? { places: decades, step: null } : linearPlaces(span, parts);
  const said = tickTexts(places, code, step);
  return places.map((at, k) => ({ at, text: said[k] }));
}
