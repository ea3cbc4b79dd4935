// Arrays with named dimensions, and their slices at the present values of the controls.

import { unpacked } from "./decode.js";
import { format } from "./numbers.js";

/** @import { Content } from "./decode.js" */
/** @import { Arrays, FileSpec, Numbers } from "../types.d.ts" */

/** @type {Map<string, Content>} */
const CACHE = new Map(); // digest -> typed array; shared by all figures of the tab, bounded below
const CACHE_BYTES = 64 * 2 ** 20;

/**
 * Receive the arrays of a message; return the digests that are neither here nor in one of its files. `limit`: bytes
 * kept.
 * @param {Arrays} arrays
 * @param {FileSpec[]} files
 */
export function receive(arrays, files = [], limit = CACHE_BYTES) {
  const coming = new Set(files.flatMap((file) => file.ids));
  /** @type {string[]} */
  const missing = [];
  for (const spec of Object.values(arrays)) {
    const kept = spec.data === undefined ? CACHE.get(spec.id) : unpacked(spec.data, spec.dtype);
    if (kept) keep(spec.id, kept);
    else if (!coming.has(spec.id)) missing.push(spec.id);
  }
  let bytes = 0;
  for (const array of CACHE.values()) bytes += array.byteLength;
  const needed = new Set(Object.values(arrays).map((spec) => spec.id));
  for (const [id, array] of CACHE) {
    if (bytes <= limit) break;
    if (needed.has(id)) continue;
    bytes -= array.byteLength;
    CACHE.delete(id);
  }
  return missing;
}

/**
 * Keep an array as the most recently used one.
 * @param {string} id
 * @param {Content} content
 */
export function keep(id, content) {
  CACHE.delete(id);
  CACHE.set(id, content);
}

/** @param {string} id */
export const isHere = (id) => CACHE.has(id);

/** Return the digests used last: enough for a live figure, and the message stays small. */
export const held = () => [...CACHE.keys()].slice(-500);

/** Slices of a figure's arrays: integer indices of controls, interpolated fractional indices of coordinates. */
export class Slices {
  constructor() {
    /** @type {Arrays} */
    this.arrays = {};
    /** @type {Record<string, string>} */
    this.coords = {};
    /** @type {(name: string) => number} */
    this.index = () => 0;
    /** @type {Map<string, Float32Array>} */
    this.buffers = new Map();
    /** @type {Record<string, string> | null} */
    this.alias = null;
    /** @type {Record<string, string> | null} the arrays of an outcome that stand in for those of this draw */
    this.outcomes = null;
    /** @type {Map<string, Content>} */
    this.memo = new Map();
  }

  /**
   * @param {Arrays} arrays
   * @param {Record<string, string>} coords
   * @param {(name: string) => number} index
   */
  set(arrays, coords, index) {
    this.arrays = arrays;
    this.coords = coords;
    this.index = index;
    this.buffers.clear();
    this.memo.clear();
  }

  /** Discard computed slices after a value has changed. */
  moved() {
    this.memo.clear();
  }

  /** Discard what changes with the outcome in view. */
  turned() {
    for (const name of this.memo.keys()) if (this.arrays[name].dims.includes("outcome")) this.memo.delete(name);
  }

  /**
   * Return the array that replaces another while a handle moves or an outcome is in view; "" for none.
   * @param {string} name
   */
  real(name) {
    return this.alias?.[name] ?? this.outcomes?.[name] ?? name;
  }

  /** @param {string | Numbers | number | undefined} asked */
  has(asked) {
    return typeof asked !== "string" || this.holds(this.real(asked));
  }

  /**
   * Return whether an array itself is here, whatever stands in for it.
   * @param {string} name
   */
  holds(name) {
    return name in this.arrays && CACHE.has(this.arrays[name].id);
  }

  /** @param {string} name */
  shape(name) {
    const spec = this.arrays[this.real(name)];
    return spec.shape.slice(spec.dims.filter((d) => d !== null).length);
  }

  /**
   * Return the fractional index along a dimension.
   * @param {string} dim
   * @returns {number}
   */
  place(dim) {
    return dim in this.coords ? this.scalar(this.coords[dim]) : this.index(dim);
  }

  /** @param {string | number} name */
  scalar(name) {
    return typeof name === "number" ? name : this.get(name)[0];
  }

  /**
   * Return the payload of an array at the present values; a literal list is its own payload.
   * @param {string | Numbers} asked
   * @returns {Numbers}
   */
  get(asked) {
    return typeof asked === "string" ? this.own(this.real(asked)) : asked;
  }

  /**
   * Return the payload of an array itself, whatever stands in for it.
   * @param {string} name
   */
  own(name) {
    const known = this.memo.get(name);
    if (known) return known;
    const found = this.compute(name);
    this.memo.set(name, found);
    return found;
  }

  /**
   * @param {string} name
   * @returns {Content}
   */
  compute(name) {
    const spec = this.arrays[name];
    const source = CACHE.get(spec.id);
    if (!source) throw new Error(`the array ${name} is not here`);
    const named = spec.dims.filter((d) => d !== null);
    const size = spec.shape.slice(named.length).reduce((a, b) => a * b, 1);
    if (named.length === 0 && !spec.scale) return source;
    let corners = [[0, 1]];
    named.forEach((dim, axis) => {
      const n = spec.shape[axis];
      const at = Math.min(Math.max(this.place(dim), 0), n - 1);
      const low = Math.floor(at);
      const part = at - low;
      const next = [];
      for (const [offset, weight] of corners) {
        if (part < 1) next.push([offset * n + low, weight * (1 - part)]);
        if (part > 0) next.push([offset * n + low + 1, weight * part]);
      }
      corners = next;
    });
    return this.blend(name, source, corners, size, spec.scale);
  }

  /**
   * @param {string} name
   * @param {Content} source
   * @param {number[][]} corners offset and weight of each
   * @param {number} size
   * @param {[number, number] | null} scale
   */
  blend(name, source, corners, size, scale) {
    let out = this.buffers.get(name);
    if (!out || out.length !== size) {
      out = new Float32Array(size);
      this.buffers.set(name, out);
    }
    if (corners.length === 0) return out.fill(NaN); // no place along some axis: nothing to draw
    const factor = scale ? (scale[1] - scale[0]) / 255 : 1;
    out.fill(scale ? scale[0] : 0);
    for (const [offset, weight] of corners) {
      const start = offset * size;
      const w = weight * factor;
      for (let i = 0; i < size; i++) out[i] += w * source[start + i];
    }
    return out;
  }
}

/**
 * Say how a curve runs: "rises from 72 % to 96 %". Less than a tenth of a percentage point, or a hundredth of its size,
 * is no change.
 * @param {Numbers} values
 */
export function trend(values, code = ".0%") {
  const known = Array.from(values).filter(Number.isFinite);
  if (known.length < 2) return "is not known yet";
  const [first, last] = [known[0], known[known.length - 1]];
  const enough = code.endsWith("%") ? 1e-3 : 0.01 * Math.max(Math.abs(first), Math.abs(last));
  if (Math.abs(last - first) <= enough) return `stays at ${format(last, code)}`;
  return `${last > first ? "rises" : "falls"} from ${format(first, code)} to ${format(last, code)}`;
}
