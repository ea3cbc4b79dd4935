// A published picture beside the pictures that it may be of: their places, and how they are drawn and marked.

import { context } from "./dom.js";
import { greys, rimmed } from "./raster.js";
import { shade } from "./theme.js";

/** @import { Colours, Numbers } from "../types.d.ts" */
/** @import { keptCanvas } from "./canvas.js" */
/** @typedef {{ x: number, y: number, size: number }} Place */
/** @typedef {{ place: number, role: string, words: string, low?: boolean }} Mark `low`: named at its lower edge */

const GAP = 8;
const ROWS = 2;

/**
 * Return the places of the published picture and of n candidates in two rows beside it.
 * @param {number} n
 * @param {number} width
 * @param {number} height
 * @returns {{ large: Place, small: Place[], used: number }}
 */
export function facesAt(n, width, height) {
  const columns = Math.ceil(n / ROWS);
  const apart = 3 * GAP;
  // As high as both rows together: large = 2 small + gap, where the width allows it.
  const across = (width - apart - GAP * (columns - 1) - GAP) / (columns + ROWS);
  const size = Math.max(Math.min(across, (height - GAP) / ROWS), 1);
  const large = {
    x: Math.max((width - (columns + ROWS) * size - apart - GAP * columns) / 2, 0),
    y: 0,
    size: 2 * size + GAP,
  };
  const left = large.x + large.size + apart;
  const small = Array.from({ length: n }, (_, k) => ({
    x: left + (k % columns) * (size + GAP),
    y: Math.floor(k / columns) * (size + GAP),
    size,
  }));
  return { large, small, used: large.size };
}

/**
 * Draw the pictures, the published one first, and mark some of the candidates.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Numbers} values of all pictures, one after the other
 * @param {{ shape: [number, number], range: [number, number] }} spec
 * @param {ReturnType<typeof facesAt>} places
 * @param {Mark[]} marks
 * @param {{ colours: Colours, tile: ReturnType<typeof keptCanvas>, family: string }} look
 */
export function drawFaces(ctx, values, { shape, range }, { large, small }, marks, { colours, tile, family }) {
  ctx.imageSmoothingEnabled = true; // strokes of a pen, not squares
  ctx.imageSmoothingQuality = "high";
  for (const [k, { x, y, size }] of [large, ...small].entries()) {
    const { values: picture, shape: whole } = rimmed(values, k, shape, range);
    const { canvas, image } = tile(whole[1], whole[0]);
    greys(image.data, picture, 0, range, colours.dark);
    context(canvas).putImageData(image, 0, 0);
    ctx.drawImage(canvas, x, y, size, size);
    ctx.lineWidth = 1;
    ctx.strokeStyle = colours.grid;
    ctx.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
  }
  ctx.font = `650 13px ${family}`;
  ctx.textAlign = "start";
  for (const { place, role, words, low } of marks) {
    const { x, y, size } = small[place];
    ctx.strokeStyle = shade(colours, role);
    ctx.lineWidth = 4;
    ctx.strokeRect(x + 2, y + 2, size - 4, size - 4);
    const high = low ? y + size - 20 : y;
    ctx.fillStyle = shade(colours, role);
    ctx.fillRect(x, high, Math.min(ctx.measureText(words).width + 12, size), 20);
    ctx.fillStyle = colours.ground;
    ctx.fillText(words, x + 6, high + 15, size - 12);
  }
  ctx.lineWidth = 1;
}
