// Arrays as pixels: grey pictures, fields over a lattice, shades of one colour. No DOM.

/** @import { LayerOf, Numbers } from "../types.d.ts" */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

let lattice = new Float32Array(0); // shared by all fields: a frame would otherwise allocate a megabyte

/**
 * Return red, green and blue of `#rrggbb`.
 * @param {string} hex
 */
export const rgb = (hex) => {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
};

/**
 * Concatenate two lists.
 * @param {Numbers} first
 * @param {Numbers} second
 */
export function joined(first, second) {
  const made = new Float32Array(first.length + second.length);
  made.set(first);
  made.set(second, first.length);
  return made;
}

/**
 * Write the grey pixels of one picture: ink is dark on a light ground, light on a dark one.
 * @param {Uint8ClampedArray} data
 * @param {Numbers} values
 * @param {number} start
 * @param {[number, number]} range
 * @param {boolean} dark
 */
export function greys(data, values, start, [low, high], dark) {
  const factor = 255 / (high - low);
  for (let i = 0; i < data.length / 4; i++) {
    const ink = (values[start + i] - low) * factor;
    const v = dark ? ink : 255 - ink;
    data[4 * i] = data[4 * i + 1] = data[4 * i + 2] = v;
    data[4 * i + 3] = 255;
  }
}

/**
 * Return one picture with a rim of paper, so that no stroke ends at the edge. Where 0 lies inside the range the values
 * are no ink on paper, and get no rim.
 * @param {Numbers} values of all pictures, one after the other
 * @param {number} k which picture
 * @param {[number, number]} shape rows and columns
 * @param {[number, number]} range
 * @returns {{ values: Numbers, shape: [number, number] }}
 */
export function rimmed(values, k, [h, w], [low]) {
  const rim = low < 0 ? 0 : 1;
  const across = w + 2 * rim;
  const made = new Float32Array((h + 2 * rim) * across).fill(low);
  for (let i = 0; i < h * w; i++) {
    made[(Math.floor(i / w) + rim) * across + (i % w) + rim] = values[k * h * w + i];
  }
  return { values: made, shape: [h + 2 * rim, across] };
}

/**
 * Write one colour over a square of values, rows from the bottom: opaque at `low`, transparent from `high` on.
 * @param {Uint8ClampedArray} data
 * @param {Numbers} values
 * @param {number} side
 * @param {[number, number]} range
 * @param {[number, number, number]} colour red, green, blue
 * @param {number} alpha
 */
export function shaded(data, values, side, [low, high], [r, g, b], alpha) {
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const part = 1 - (values[(side - 1 - j) * side + i] - low) / (high - low);
      data.set([r, g, b, 255 * alpha * Math.min(Math.max(part, 0), 1)], 4 * (j * side + i));
    }
  }
}

/**
 * Interpolate a square lattice of values at the middle of every pixel of a box.
 * @param {Numbers} values rows from the bottom
 * @param {LayerOf<"field">["extent"]} extent
 * @param {{ invX: (pixel: number) => number, invY: (pixel: number) => number }} scales
 * @param {Box} box
 * @param {number} width
 * @param {number} height
 */
export function sampled(values, [x0, x1, y0, y1], scales, { left, right, top, bottom }, width, height) {
  const side = Math.round(Math.sqrt(values.length));
  const scaleX = (side - 1) / (x1 - x0);
  const scaleY = (side - 1) / (y1 - y0);
  if (lattice.length < width * height) lattice = new Float32Array(width * height);
  const found = lattice.subarray(0, width * height);
  for (let j = 0; j < height; j++) {
    const v = (scales.invY(top + ((j + 0.5) * (bottom - top)) / height) - y0) * scaleY;
    const row = Math.min(Math.max(Math.floor(v), 0), side - 2);
    const b = v - row;
    for (let i = 0; i < width; i++) {
      const u = (scales.invX(left + ((i + 0.5) * (right - left)) / width) - x0) * scaleX;
      const column = Math.min(Math.max(Math.floor(u), 0), side - 2);
      const a = u - column;
      const at = row * side + column;
      const low = values[at] * (1 - a) + values[at + 1] * a;
      const high = values[at + side] * (1 - a) + values[at + side + 1] * a;
      found[j * width + i] = low * (1 - b) + high * b;
    }
  }
  return found;
}

/**
 * Write the pixels of a probability between two classes: more opaque where surer.
 * @param {Uint8ClampedArray} data
 * @param {Float32Array} values
 * @param {string[]} colours of the two classes
 */
export function between(data, values, colours) {
  const classes = colours.map(rgb);
  for (let at = 0; at < values.length; at++) {
    const p = values[at];
    data.set(classes[p > 0.5 ? 1 : 0], 4 * at);
    data[4 * at + 3] = 255 * (0.06 + 0.4 * Math.abs(2 * p - 1));
  }
}
