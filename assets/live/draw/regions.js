// Decision regions of a nearest-prototype classifier as polygons, computed for every frame. No DOM.

/** @import { Numbers } from "../types.d.ts" */
/** @typedef {{ x0: number, x1: number, y0: number, y1: number }} Box */
/** @typedef {number[]} Polygon x, y and the centre beyond the edge that begins there (-1: the box), flat */
/**
 * `fills`: the polygons of each label; `edges`: x, y, x, y of each piece of border between two labels.
 * @typedef {{ fills: Map<number, Polygon[]>, edges: number[] }} Cells
 */

const BOX = -1;

/**
 * Return the cells of the nearest centre in a box, argmin |z - c|² + r²: a power diagram, so their edges are straight.
 *
 * Each cell is the box, cut along the line on which its centre and another one are equally near.
 * @param {Numbers} centres (P, 2) or (P, 3), flat
 * @param {Numbers} labels (P,)
 * @param {Box} box
 * @returns {Cells}
 */
export function cells(centres, labels, box) {
  const lines = distances(centres, labels.length);
  const fills = new Map();
  /** @type {number[]} */
  const edges = [];
  for (let p = 0; p < labels.length; p++) {
    const polygon = cell(lines, p, box);
    if (!polygon.length) continue;
    const known = fills.get(labels[p]);
    if (known) known.push(polygon);
    else fills.set(labels[p], [polygon]);
    for (let i = 0; i < polygon.length; i += 3) {
      const beyond = polygon[i + 2];
      // Both cells of a border have it; the later one draws it.
      if (beyond === BOX || beyond > p || labels[beyond] === labels[p]) continue;
      const next = (i + 3) % polygon.length;
      edges.push(polygon[i], polygon[i + 1], polygon[next], polygon[next + 1]);
    }
  }
  return { fills, edges };
}

/**
 * Return |z - c|² + r² without |z|² for every centre: the factors of x and y, and the rest.
 * @param {Numbers} centres
 * @param {number} n
 */
function distances(centres, n) {
  const stride = centres.length / n;
  const found = new Float64Array(3 * n);
  for (let p = 0; p < n; p++) {
    const [x, y] = [centres[p * stride], centres[p * stride + 1]];
    const rest = stride > 2 ? centres[p * stride + 2] : 0;
    found.set([-2 * x, -2 * y, x * x + y * y + rest], 3 * p);
  }
  return found;
}

/**
 * Return the cell of one centre; of equal centres the first has it.
 * @param {Float64Array} lines
 * @param {number} p
 * @param {Box} box
 */
function cell(lines, p, { x0, x1, y0, y1 }) {
  /** @type {Polygon} */
  let polygon = [x0, y0, BOX, x1, y0, BOX, x1, y1, BOX, x0, y1, BOX];
  for (let q = 0; q < lines.length / 3 && polygon.length; q++) {
    if (q === p) continue;
    const a = lines[3 * p] - lines[3 * q];
    const b = lines[3 * p + 1] - lines[3 * q + 1];
    const c = lines[3 * p + 2] - lines[3 * q + 2];
    if (a || b || c) polygon = cut(polygon, a, b, c, q);
    else if (q < p) return [];
  }
  return polygon;
}

/**
 * Return the part of a polygon where ax + by + c ≤ 0; the new edge lies at the centre `q` (Sutherland and Hodgman).
 * @param {Polygon} polygon
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} q
 */
function cut(polygon, a, b, c, q) {
  /** @type {Polygon} */
  const found = [];
  for (let i = 0; i < polygon.length; i += 3) {
    const next = (i + 3) % polygon.length;
    const [x, y, beyond] = [polygon[i], polygon[i + 1], polygon[i + 2]];
    const [u, v] = [polygon[next], polygon[next + 1]];
    const here = a * x + b * y + c;
    const there = a * u + b * v + c;
    if (here <= 0) found.push(x, y, beyond);
    if (here <= 0 !== there <= 0) {
      const part = here / (here - there);
      found.push(x + part * (u - x), y + part * (v - y), here <= 0 ? q : beyond);
    }
  }
  return found;
}
