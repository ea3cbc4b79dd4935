// What keys do: arrows move a point, and turn from tab to tab.

/** @type {Record<string, ["x" | "y", number]>} */
const ARROWS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", 1], ArrowDown: ["y", -1] };

/**
 * The coordinate that a key moves, and by how many places; undefined for other keys.
 * @param {string} key
 */
export const arrow = (key) => ARROWS[key];

/**
 * The place that a key turns to, around the ends; null for keys that turn nothing.
 * @param {string} key
 * @param {number} place
 * @param {number} count
 */
export function turned(key, place, count) {
  const [axis, by] = ARROWS[key] ?? [];
  return axis === "x" && by !== undefined ? (place + by + count) % count : null;
}
