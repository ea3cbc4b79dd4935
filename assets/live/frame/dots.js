// Which dot of a map is meant: by a place in pixels, or by a direction from another dot. No DOM.

/** @import { Env, Numbers } from "../types.d.ts" */
/** @typedef {[number, number]} Place */

/**
 * Return the places of dots in pixels, NaN for those that are not in view.
 * @param {Numbers} dots
 * @param {number} width how many numbers a dot has
 * @param {Pick<Env, "x" | "y" | "area">} env
 */
export function placed(dots, width, { x, y, area }) {
  /** @type {Place[]} */
  const found = [];
  for (let k = 0; k + 1 < dots.length; k += width) {
    const [across, down] = [x(dots[k]), y(dots[k + 1])];
    const seen =
      across >= area.left && across <= area.left + area.width && down >= area.top && down <= area.top + area.height;
    found.push(seen ? [across, down] : [NaN, NaN]);
  }
  return found;
}

/**
 * Return the dot of least cost; -1 where none has a finite one.
 * @param {Place[]} places
 * @param {(place: Place) => number} cost
 */
function least(places, cost) {
  let [best, lowest] = [-1, Infinity];
  for (const [k, place] of places.entries()) {
    const found = cost(place);
    if (found < lowest) [best, lowest] = [k, found];
  }
  return best;
}

/**
 * Return the dot nearest to a place, within reach; -1 for none.
 * @param {Place[]} places
 * @param {Place} at
 * @param {number} reach pixels
 */
export const nearestDot = (places, [x, y], reach) =>
  least(places, ([a, b]) => {
    const apart = Math.hypot(a - x, b - y);
    return apart <= reach ? apart : Infinity;
  });

/**
 * Return the next dot in a direction: near, and rather straight on than aside; -1 for none.
 * @param {Place[]} places
 * @param {Place} from
 * @param {Place} way of length 1
 */
export const nextDot = (places, [x, y], [right, down]) =>
  least(places, ([a, b]) => {
    const along = (a - x) * right + (b - y) * down;
    const aside = Math.abs((a - x) * down - (b - y) * right);
    return along > 0.5 ? along + 2 * aside : Infinity;
  });
