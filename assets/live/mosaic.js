// Where the pictures of a mosaic stand.

/** @import { PanelSpec } from "./types.d.ts" */

/**
 * Where the pictures of a mosaic stand in a given room.
 * @param {Pick<PanelSpec, "columns" | "captions" | "rows">} spec
 * @param {number} n how many pictures
 * @param {number} width
 * @param {number} height
 * @param {number} [beside] how wide the names of the rows are
 */
export function mosaic({ columns, captions = [], rows: heads = [] }, n, width, height, beside = 0) {
  const rows = Math.ceil(n / columns);
  const foot = heads.length && captions.length ? 18 : 0; // named rows: captions once, under the columns
  const label = captions.length && !foot ? 18 : 0;
  const side = heads.length ? Math.max(70, beside + 8) : 0; // at least a word of eight letters
  const gap = heads.length ? 4 : 8;
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
