// Decision regions of a nearest-prototype classifier, computed for every frame in the browser.

import { context } from "./dom.js";

/** @import { Numbers } from "../types.d.ts" */
/** @typedef {{ colour: string, alpha: number }} Edge */

/**
 * Label the cells of a raster by their nearest centre: argmin |z - c|² + r².
 * @template {Uint8Array | number[]} Labels
 * @param {Numbers} centres (P, 2) or (P, 3), flat
 * @param {Numbers} labels (P,)
 * @param {number} width
 * @param {number} height
 * @param {(column: number) => number} toX data coordinates of a column
 * @param {(row: number) => number} toY data coordinates of a row
 * @param {Labels} out
 */
export function nearest(centres, labels, width, height, toX, toY, out) {
  const n = labels.length;
  const cx = new Float32Array(n);
  const cy = new Float32Array(n);
  const c0 = new Float32Array(n);
  const stride = centres.length / n;
  for (let p = 0; p < n; p++) {
    cx[p] = -2 * centres[p * stride];
    cy[p] = -2 * centres[p * stride + 1];
    const rest = stride > 2 ? centres[p * stride + 2] : 0;
    c0[p] = (cx[p] * cx[p] + cy[p] * cy[p]) / 4 + rest;
  }
  const row = new Float32Array(n);
  for (let j = 0; j < height; j++) {
    const y = toY(j);
    for (let p = 0; p < n; p++) row[p] = c0[p] + cy[p] * y;
    for (let i = 0; i < width; i++) {
      const x = toX(i);
      let best = Infinity;
      let at = 0;
      for (let p = 0; p < n; p++) {
        const d = row[p] + cx[p] * x;
        if (d < best) {
          best = d;
          at = p;
        }
      }
      out[j * width + i] = labels[at];
    }
  }
  return out;
}

/**
 * Return red, green and blue of `#rrggbb`.
 * @param {string} hex
 */
export const rgb = (hex) => {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
};

/**
 * Write the colours of the cells (fill) with their edges, or the edges alone, as 32-bit pixels.
 * @param {Uint8Array} labels
 * @param {number} width
 * @param {number} height
 * @param {string[]} palette
 * @param {number} fill opacity
 * @param {Edge} edge
 * @param {Uint32Array} pixels
 */
export function tint(labels, width, height, palette, fill, edge, pixels) {
  const packed = (/** @type {string} */ colour, /** @type {number} */ alpha) => {
    const [r, g, b] = rgb(colour);
    return (Math.round(255 * alpha) << 24) | (b << 16) | (g << 8) | r;
  };
  const colours = palette.map((hex) => packed(hex, fill));
  const line = packed(edge.colour, edge.alpha);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const k = j * width + i;
      const here = labels[k];
      const border = (i + 1 < width && labels[k + 1] !== here) || (j + 1 < height && labels[k + width] !== here);
      pixels[k] = border ? line : fill > 0 ? colours[here % colours.length] : 0;
    }
  }
}

/** @type {{ canvas: HTMLCanvasElement, image: ImageData } | null} */
let raster = null;
let kept = new Uint8Array(0);

/**
 * Paint regions (fill) or only their edges (edge colour) and return the canvas that holds them.
 * @param {Uint8Array} labels
 * @param {number} width
 * @param {number} height
 * @param {string[]} palette
 * @param {number} fill
 * @param {Edge} edge
 */
export function paint(labels, width, height, palette, fill, edge) {
  const canvas = raster?.canvas ?? document.createElement("canvas");
  const ctx = context(canvas);
  if (!raster || canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    raster = { canvas, image: ctx.createImageData(width, height) };
  }
  tint(labels, width, height, palette, fill, edge, new Uint32Array(raster.image.data.buffer));
  ctx.putImageData(raster.image, 0, 0);
  return canvas;
}

/**
 * Return a label buffer that is large enough, kept between frames.
 * @param {number} size
 */
export function labelBuffer(size) {
  if (kept.length < size) kept = new Uint8Array(size);
  return kept;
}
