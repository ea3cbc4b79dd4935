// The pictures of a mosaic: their layout, and how they are drawn on a canvas.

import { wrapped } from "./axes.js";
import { context } from "./dom.js";
import { greys, rimmed } from "./raster.js";
import { drawReadings, readingsOf } from "./readings.js";

/** @import { Colours, Numbers, PanelSpec } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */
/** @import { Layout } from "../frame/layout.js" */
/** @import { keptCanvas } from "./canvas.js" */

const LINE = 15; // pixels from one line of a name to the next
const LEAST = 34; // pixels across a picture that is read: in small panels there are fewer of them
const GAP = 4; // pixels between pictures that are read
const READ = 24; // pixels under a picture for what is read

/**
 * Return how many pictures stand in a row, and how many there are: of pictures that are read, the first ones that fit
 * without being too small.
 * @param {Pick<PanelSpec, "columns" | "layers">} spec
 * @param {number} n
 * @param {number} width
 * @param {number} height
 */
export function fitting({ columns, layers }, n, width, height) {
  if (!readingsOf(layers).length) return { columns, n };
  const across = Math.max(Math.min(columns, Math.floor((width + GAP) / (LEAST + GAP))), 1);
  const rows = Math.max(Math.min(Math.ceil(n / columns), Math.floor(height / (LEAST + READ + GAP))), 1);
  return { columns: across, n: Math.min(n, rows * across) };
}

/**
 * Return the places of the pictures of a mosaic.
 * @param {Pick<PanelSpec, "columns" | "captions" | "rows"> & { layers?: PanelSpec["layers"] }} spec
 * @param {number} n how many pictures
 * @param {number} width
 * @param {number} height
 * @param {number} [beside] how wide the names of the rows are
 */
export function mosaic({ columns, captions = [], rows: heads = [], layers = [] }, n, width, height, beside = 0) {
  const reads = readingsOf(layers).length > 0;
  const rows = Math.ceil(n / columns);
  const foot = heads.length && captions.length ? 18 : 0; // named rows: captions once, under the columns
  const label = reads ? READ : captions.length && !foot ? 18 : 0;
  const side = heads.length ? Math.max(70, beside + 8) : 0; // at least a word of eight letters
  const gap = heads.length || reads ? GAP : 8;
  const across = (width - side - gap * (columns - 1)) / columns;
  const size = Math.min(across, (height - foot - rows * (label + gap)) / rows);
  const left = side + (width - side - columns * size - gap * (columns - 1)) / 2;
  const place = (/** @type {number} */ k) => ({
    x: left + (k % columns) * (size + gap),
    y: Math.floor(k / columns) * (size + label + gap),
    caption: captions[foot ? k - (n - columns) : k],
  });
  return {
    size,
    left,
    place,
    rowAt: (/** @type {number} */ row) => row * (size + gap),
    used: foot + rows * (across + label + gap),
  };
}

/**
 * Draw the pictures; return the height they need, and where each is.
 * @param {CanvasRenderingContext2D} ctx
 * @param {PanelSpec} spec
 * @param {Numbers} values of all pictures, one after the other
 * @param {{ colours: Colours, tile: ReturnType<typeof keptCanvas>, type: Layout["type"], slices?: Slices }} look
 *   `tile`: for one picture at a time; `type`: that of the page, as large as the room under a picture allows;
 *   `slices`: the arrays of what is read
 * @param {number} width
 * @param {number} height
 */
export function drawMosaic(ctx, spec, values, { colours, tile: tileOf, type, slices }, width, height) {
  const { range, rows: heads = [], shape } = spec;
  const [h, w] = shape;
  const { columns, n } = fitting(spec, values.length / (h * w), width, height);
  ctx.font = `${Math.min(type.size, 14)}px ${type.family}`;
  const wide = (/** @type {string} */ text) => ctx.measureText(text).width;
  const beside = Math.max(62, ...heads.flatMap((head) => head.split(" ").map(wide)));
  const { size, left, place, rowAt, used } = mosaic({ ...spec, columns }, n, width, height, beside);
  ctx.imageSmoothingEnabled = true; // strokes of a pen, not squares
  ctx.imageSmoothingQuality = "high";
  ctx.textAlign = "center";
  for (let k = 0; k < n; k++) {
    const { values: picture, shape: whole } = rimmed(values, k, shape, range);
    const { canvas: tile, image } = tileOf(whole[1], whole[0]);
    greys(image.data, picture, 0, range, colours.dark);
    context(tile).putImageData(image, 0, 0);
    const { x, y, caption } = place(k);
    ctx.drawImage(tile, x, y, size, size);
    ctx.strokeStyle = colours.grid;
    ctx.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
    ctx.fillStyle = colours.faint;
    if (caption !== undefined) ctx.fillText(caption, x + size / 2, y + size + 13);
  }
  if (slices) drawReadings(ctx, readingsOf(spec.layers), slices, { n, size, place }, { colours, type });
  ctx.textAlign = "right";
  for (const [row, head] of heads.entries()) {
    const lines = wrapped(head, beside, wide); // a name that is too long is broken into lines
    const first = rowAt(row) + size / 2 + 4 - (LINE * (lines.length - 1)) / 2;
    for (const [k, line] of lines.entries()) ctx.fillText(line, left - 8, first + LINE * k);
  }
  ctx.textAlign = "start";
  return { used, tileAt: (/** @type {number} */ k) => ({ ...place(k), size }) };
}
