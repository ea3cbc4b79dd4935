// The border of a field at one half, as pieces of line through the cells of its lattice (marching squares). No DOM.

/** @import { LayerOf, Numbers } from "../types.d.ts" */

const SUREST = 1 / 1022; // half of what a probability may be off on the wire

/**
 * Return the log odds of a probability: between two neighbours they are nearer to a straight line than it is.
 * @param {number} p
 */
const odds = (p) => Math.log(Math.max(p, SUREST) / Math.max(1 - p, SUREST));

/**
 * Return the border at one half: x0, y0, x1, y1 of each piece, in the units of the axes. Values that are not known have
 * no border beside them.
 * @param {Numbers} values probabilities, rows from the bottom
 * @param {LayerOf<"field">["extent"]} extent
 */
export function contour(values, [x0, x1, y0, y1]) {
  const side = Math.round(Math.sqrt(values.length));
  const [wide, high] = [(x1 - x0) / (side - 1), (y1 - y0) / (side - 1)];
  /** @type {number[]} */
  const found = [];
  for (let j = 0; j < side - 1; j++) {
    for (let i = 0; i < side - 1; i++) {
      const at = j * side + i;
      const ends = crossings([values[at], values[at + 1], values[at + side + 1], values[at + side]]);
      for (let k = 0; k < ends.length; k += 2) found.push(x0 + (i + ends[k]) * wide, y0 + (j + ends[k + 1]) * high);
    }
  }
  return found;
}

/**
 * Return where the border enters and leaves a cell, in pairs of places in the unit square.
 * @param {[number, number, number, number]} corners around the cell, from its origin on along x
 */
function crossings(corners) {
  const above = corners.map((p) => p > 0.5);
  if (above.every((one) => one === above[0]) || corners.some(Number.isNaN)) return [];
  /** @type {[number, number][]} */
  const places = [];
  corners.forEach((p, k) => {
    const next = (k + 1) % 4;
    if (above[k] !== above[next]) places.push(onEdge(k, odds(p) / (odds(p) - odds(corners[next]))));
  });
  if (places.length === 4) {
    // Two pieces: each cuts off a corner that differs from the middle of the cell.
    const middle = corners.reduce((sum, p) => sum + odds(p), 0) > 0;
    if (middle === above[0]) return places.flat();
    places.unshift(/** @type {[number, number]} */ (places.pop()));
  }
  return places.flat();
}

/**
 * @param {number} edge which of the four, from the lower one on against the clock
 * @param {number} share of the way along the edge
 * @returns {[number, number]}
 */
function onEdge(edge, share) {
  if (edge === 0) return [share, 0];
  if (edge === 1) return [1, share];
  return edge === 2 ? [1 - share, 1] : [0, 1 - share];
}
