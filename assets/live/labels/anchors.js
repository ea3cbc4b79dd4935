// Where the label of a layer may stand: along its curve, at its slopes, beside its marks. No DOM.

/** @import { Anchor } from "./placement.js" */

const SLOPES = 15; // places by the way along a curve with a peak
const FOOT = 4; // what it costs to stand at its feet, or by its way across the panel
const FEET = 0.2; // of its height, that are its feet

/**
 * Places of a curve where its label may stand: its end first, its middle last. By the way across the panel when the
 * curve goes from left to right, so that a place stays where it is while the curve moves up and down.
 * @param {number[]} trail x, y, x, y ... of points near each other, inside the panel
 * @param {{ reach?: number, start?: boolean, count?: number }} [how] `start`: rather where it begins
 * @returns {Anchor[]}
 */
export function along(trail, { reach = 4, start = false, count = 10 } = {}) {
  const n = trail.length / 2;
  if (!n) return [];
  let ordered = true;
  for (let i = 2; i < trail.length && ordered; i += 2) ordered = trail[i] >= trail[i - 2] - 0.01;
  const span = trail[2 * n - 2] - trail[0];
  /** @type {Anchor[]} */
  const found = [];
  let at = 0;
  for (let k = 0; k <= count; k++) {
    if (ordered && span > 1) {
      while (at < n - 1 && trail[2 * at] < trail[0] + (span * k) / count - 0.01) at++;
    } else at = Math.round(((n - 1) * k) / count);
    const far = start ? k / count : 1 - k / count;
    found.push(anchor(trail, at, { reach, cost: far && 0.5 + far, id: String(k) }));
  }
  const slopes = ordered ? ofPeak(trail, reach, span) : [];
  if (slopes.length) for (const low of found) low.cost += FOOT;
  return [...found, ...slopes];
}

/**
 * The place of a point of a trail.
 * @param {number[]} trail
 * @param {number} at
 * @param {{ reach: number, cost: number, id: string }} how
 * @returns {Anchor}
 */
const anchor = (trail, at, how) => ({ x: trail[2 * at], y: trail[2 * at + 1], ...how });

/**
 * Places by the way along a curve with a high peak, above its feet: across the panel nearly all lie at its feet, where
 * such curves meet.
 * @param {number[]} trail
 * @param {number} reach
 * @param {number} span its width
 */
function ofPeak(trail, reach, span) {
  let [top, foot] = [trail[1], trail[1]];
  for (let i = 3; i < trail.length; i += 2) {
    top = Math.min(top, trail[i]);
    foot = Math.max(foot, trail[i]);
  }
  const ends = Math.min(trail[1], trail[trail.length - 1]);
  if (foot - top < 0.2 * span || ends - top < 0.5 * (foot - top)) return [];
  const ways = [0];
  for (let i = 2; i < trail.length; i += 2) {
    const high = foot - trail[i + 1] >= FEET * (foot - top);
    ways.push(ways[i / 2 - 1] + (high ? Math.hypot(trail[i] - trail[i - 2], trail[i + 1] - trail[i - 1]) : 0));
  }
  const whole = ways[ways.length - 1];
  return Array.from({ length: SLOPES }, (_, k) => {
    const at = ways.findIndex((way) => way >= (whole * (k + 0.5)) / SLOPES);
    return anchor(trail, at, { reach, cost: 0, id: `s${k}` });
  });
}

/**
 * Places at some of many marks: those at the rim of the heap first, because there is room beside them.
 * @param {number[]} marks x, y, r, x, y, r ...
 * @param {number} most
 * @returns {Anchor[]}
 */
export function beside(marks, most = 24) {
  const n = marks.length / 3;
  const all = Array.from({ length: n }, (_, i) => [marks[3 * i], marks[3 * i + 1], marks[3 * i + 2], i]);
  const mid = [0, 1].map((axis) => all.reduce((sum, mark) => sum + mark[axis], 0) / Math.max(n, 1));
  const far = (/** @type {number[]} */ mark) => Math.hypot(mark[0] - mid[0], mark[1] - mid[1]);
  const chosen = all.length > most ? all.sort((a, b) => far(b) - far(a) || a[3] - b[3]).slice(0, most) : all;
  return chosen.map(([x, y, r, i], k) => ({ x, y, reach: r + 6, cost: 0.04 * k, id: `m${i}` }));
}
