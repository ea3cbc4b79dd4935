// Anchors: where the label of a layer may stand, along its curve, at its slopes, beside its marks. No DOM.

/** @import { Layer } from "../types.d.ts" */
/** @import { Anchor } from "./placement.js" */
/** @import { Trace } from "./trace.js" */

const SLOPES = 15; // places along the slopes of a curve with a peak
const FOOT = 4; // cost of a place at its feet, or spaced across the panel
const FEET = 0.2; // share of its height that counts as its feet
const TALL = 24; // height of a band in pixels from which a label may stand at its edges too
const COLUMN = 26; // pixels across in which one of many strokes is taken

/**
 * Return places along a curve: its end first, its middle last. When the curve goes from left to right they lie at equal
 * steps across the panel, so that a place stays where it is while the curve moves up and down.
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
 * Return the anchor at a point of a trail.
 * @param {number[]} trail
 * @param {number} at
 * @param {{ reach: number, cost: number, id: string }} how
 * @returns {Anchor}
 */
const anchor = (trail, at, how) => ({ x: trail[2 * at], y: trail[2 * at + 1], ...how });

/**
 * Return places along the slopes of a curve with a high peak: at equal steps across the panel nearly all lie at its
 * feet, where such curves meet.
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
 * Return places at some of many marks: those at the rim of the heap first, because there is room beside them.
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

/**
 * Return where the label of a layer may stand.
 * @param {Trace} trace what the layer drew
 * @param {Layer["kind"]} kind
 * @returns {Anchor[]}
 */
export function anchorsOf(trace, kind) {
  const { bars, trail, marks, many } = trace;
  if (bars.length) return tops(trace);
  if (kind === "band") return middles(trace);
  if (kind === "vline") return along(trail, { start: true, reach: 4, count: 8 });
  if (kind === "hline") return along(trail, { start: true, reach: 4 });
  if (kind === "line" && many) return crests(trace);
  if (trail.length) return along(trail);
  return beside(marks);
}

/**
 * Return places in the middle of a band, whose upper edge goes to the right and whose lower one back; the highest parts
 * first.
 * @param {Trace} trace
 */
function middles({ filled, area }) {
  const n = filled.length / 6;
  const bottom = area.top + area.height;
  const found = [];
  for (let k = 0; k <= 16; k++) {
    const place = ((n - 1) * k) / 16;
    const [i, part] = [Math.min(Math.floor(place), n - 2), place - Math.min(Math.floor(place), n - 2)];
    const across = (/** @type {number} */ at, /** @type {number} */ next) =>
      [0, 1].map((c) => filled[3 * at + c] * (1 - part) + filled[3 * next + c] * part);
    const [x, first] = across(i, i + 1);
    const second = across(2 * n - 1 - i, 2 * n - 2 - i)[1];
    const high = Math.max(Math.min(first, second), area.top);
    const low = Math.min(Math.max(first, second), bottom);
    if (!(low - high > 2) || x < area.left || x > area.left + area.width) continue;
    const far = Math.abs(k - 8) / 40;
    const cost = 1.5 * Math.max(0, 1 - (low - high) / 24) + far;
    const tall = low - high > TALL;
    found.push({
      x,
      y: (low + high) / 2,
      reach: (low - high) / 2 + 3,
      cost,
      inside: low - high > 12,
      tall,
      id: `a${k}`,
    });
    for (const [edge, y] of tall ? [first, second].entries() : []) {
      if (y > area.top && y < bottom) found.push({ x, y, reach: 4, cost: 0.3 + far, id: `e${edge}${k}` });
    }
  }
  return found;
}

/**
 * Return places above the highest of many strokes.
 * @param {Trace} trace
 */
function crests({ trail }) {
  const order = Array.from({ length: trail.length / 2 }, (_, i) => i).sort(
    (a, b) => trail[2 * a + 1] - trail[2 * b + 1],
  );
  const across = new Map();
  for (const i of order) {
    const column = Math.round(trail[2 * i] / COLUMN);
    if (!across.has(column)) across.set(column, i);
  }
  return [...across].slice(0, 12).map(([column, i], k) => {
    return { x: trail[2 * i], y: trail[2 * i + 1], reach: 4, cost: 0.1 * k, id: `c${column}` };
  });
}

/**
 * Return places above the highest bars.
 * @param {Trace} trace
 */
function tops(trace) {
  const { bars, area } = trace;
  const all = [];
  for (let i = 0; i < bars.length; i += 4) {
    const y = Math.min(bars[i + 1], bars[i + 1] + bars[i + 3]);
    if (bars[i + 3] && trace.holds(bars[i] + bars[i + 2] / 2, Math.max(y, area.top))) {
      all.push([bars[i] + bars[i + 2] / 2, y, Math.abs(bars[i + 3]), i / 4]);
    }
  }
  const chosen = all.sort((a, b) => b[2] - a[2] || a[3] - b[3]).slice(0, 12);
  return chosen.map(([x, y, , i], k) => ({ x, y, reach: 4, cost: 0.1 * k, id: `b${i}` }));
}
