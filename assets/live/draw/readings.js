// As what networks read the pictures of a mosaic: written under each, wrong ones marked.

import { ready } from "./layers.js";
import { legible, shade } from "./theme.js";

/** @import { Colours, Layer, LayerOf, Numbers } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */
/** @import { Layout } from "../frame/layout.js" */
/** @typedef {LayerOf<"readings">} Readings */
/** @typedef {{ n: number, size: number, place: (k: number) => { x: number, y: number } }} Tiles */
/** @typedef {{ colours: Colours, type: Layout["type"] }} Look */

/**
 * Return the layers of readings.
 * @param {Layer[]} [layers]
 * @returns {Readings[]}
 */
export const readingsOf = (layers = []) => /** @type {Readings[]} */ (layers.filter(({ kind }) => kind === "readings"));

/**
 * Return the class with the most votes for a picture, the first of equals; -1 where none is known.
 * @param {Numbers} votes
 * @param {number} k
 * @param {number} classes
 */
export function reading(votes, k, classes) {
  let best = -1;
  for (let c = 0; c < classes; c++) {
    const here = votes[k * classes + c];
    if (here > 0 && (best < 0 || here > votes[k * classes + best])) best = c;
  }
  return best;
}

/**
 * Return the classes read of a picture with their shares: one class, and on the way between two outcomes both of them.
 * @param {Numbers} votes
 * @param {number} k
 * @param {number} classes
 * @returns {[number, number][]}
 */
export function shares(votes, k, classes) {
  /** @type {[number, number][]} */
  const found = [];
  let all = 0;
  for (let c = 0; c < classes; c++) {
    const here = votes[k * classes + c];
    if (!(here > 0)) continue;
    found.push([c, here]);
    all += here;
  }
  return found.map(([c, here]) => [c, here / all]);
}

/**
 * Write the readings of all layers side by side under each picture.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Readings[]} layers
 * @param {Slices} slices
 * @param {Tiles} tiles
 * @param {Look} look
 */
export function drawReadings(ctx, layers, slices, tiles, look) {
  for (const [at, layer] of layers.entries()) {
    if (!ready(layer, slices)) continue;
    const [votes, truth] = [slices.get(layer.votes), slices.get(layer.truth)];
    const classes = votes.length / truth.length;
    for (let k = 0; k < tiles.n; k++) {
      for (const [read, share] of shares(votes, k, classes)) {
        ctx.globalAlpha = share;
        write(ctx, layer, { read, right: read === truth[k] }, { k, across: (at + 0.5) / layers.length }, tiles, look);
      }
    }
    ctx.globalAlpha = 1;
  }
}

/**
 * Write one reading: a wrong one on a ground of its own or struck through, so that it is told without its colour too.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Readings} layer
 * @param {{ read: number, right: boolean }} found
 * @param {{ k: number, across: number }} where `across`: its share of the width of a picture
 * @param {Tiles} tiles
 * @param {Look} look
 */
function write(ctx, { role = "private", marks }, { read, right }, { k, across }, { size, place }, { colours, type }) {
  const { x, y } = place(k);
  const [middle, line] = [x + across * size, y + size + 17];
  ctx.font = `${marks ? 700 : 400} ${marks ? 17 : 14}px ${type.family}`;
  ctx.textAlign = "center";
  ctx.fillStyle = legible(shade(colours, role), colours.ground);
  if (marks && !right) {
    ctx.fillStyle = shade(colours, "danger", 0.28);
    ctx.fillRect(x, y, size, size);
    ctx.strokeStyle = shade(colours, "danger");
    ctx.lineWidth = 3;
    ctx.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
    ctx.lineWidth = 1;
    ctx.fillStyle = shade(colours, "danger");
    ctx.fillRect(middle - 9, line - 15, 18, 19);
    ctx.fillStyle = colours.ground;
  }
  ctx.fillText(String(read), middle, line);
  if (marks || right) return;
  ctx.fillRect(middle - 7, line - 5.5, 14, 1.5);
}
