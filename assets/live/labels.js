// Where the labels of a panel stand: at their curves, apart from each other, steady while a handle moves. No DOM.

/** @import { Area } from "./types.d.ts" */
/** @import { Box, Ink, Owners } from "./ink.js" */
/**
 * A place of a curve; `inside`: in an area that is large enough for words; `tall`: and too high to stand beside it.
 * @typedef {{ x: number, y: number, reach: number, cost: number, id: string, inside?: boolean, tall?: boolean }} Anchor
 */

/**
 * A label that wants a place. The least important come first: they are left out first.
 * @typedef {object} Wanted
 * @property {string} key
 * @property {{ text: string, width: number }[]} words from the longest to the shortest
 * @property {number} height
 * @property {Anchor[]} anchors where it may stand, within `reach` pixels
 * @property {number} [own] its curve among those of `Owners`, or `NOBODY` where it names an area or marks
 */
/** @typedef {{ area: Area, ink: Ink, taken: Box[], owners?: Owners }} Room `taken`: boxes that nothing may cover */
/** @typedef {Box & { key: string, text: string, id: string }} Placed */

export const NOBODY = -1; // of a label whose layer is no curve: it keeps away from all that are named
const APART = 3; // pixels between two labels, and to the edge of the panel
const INK = 7; // what it costs to lie on ink entirely
const CROSS = 2; // what it costs, besides, when a line runs right through the words
const THEIRS = 5; // what it costs, besides, to lie on other named curves entirely
const SHIFT = 0.06; // what a pixel away from where it wants to be costs
const STAY = 2.9; // by how much another place has to be better
const SLOPES = 15; // places by the way along a curve with a peak
const FOOT = 2.4; // what it costs to stand at its feet, or by its way across the panel
const FEET = 0.2; // of its height, that are its feet
const SHORTER = 2; // by how much a shorter text has to be better

/**
 * @param {Box} a
 * @param {Box} b
 * @param {number} gap
 */
export const overlap = (a, b, gap = 0) =>
  a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;

// Around an anchor: where the middle of the box lies, in halves of its size and in reaches; what that costs.
const SIDES = /** @type {const} */ ([
  ["inside", 0, 0, -0.5],
  ["above", 0, -1, 0],
  ["below", 0, 1, 0.25],
  ["right", 1, 0, 0.4],
  ["left", -1, 0, 0.5],
  ["right above", 1, -1, 0.3],
  ["left above", -1, -1, 0.35],
  ["right below", 1, 1, 0.5],
  ["left below", -1, 1, 0.55],
]);

/**
 * The best free place of one label, or null when there is none.
 * @param {Wanted} wanted
 * @param {Room} room
 * @param {Placed | undefined} before where it stood
 * @returns {Placed | null}
 */
function best({ key, words, height, anchors, own = 0 }, { area, ink, taken, owners }, before) {
  /** @type {Placed | null} */
  let found = null;
  let least = Infinity;
  for (const [rank, { text, width }] of words.entries()) {
    const right = area.left + area.width - APART - width;
    const bottom = area.top + area.height - APART - height;
    if (right < area.left + APART || bottom < area.top + APART) continue; // too large for the panel
    for (const anchor of anchors) {
      const alone = anchor.cost + rank * SHORTER;
      if (alone - STAY >= least) continue; // most anchors: nobody need look who else is there
      const start = alone + (own && owners ? owners.crowd(anchor, own) : 0);
      if (start - STAY >= least) continue;
      for (const [side, across, down, price] of SIDES) {
        if (side === "inside" ? !anchor.inside : across && anchor.tall) continue;
        const wishX = anchor.x + across * (anchor.reach + width / 2) - width / 2;
        const wishY = anchor.y + down * (anchor.reach + height / 2) - height / 2;
        const x = Math.min(Math.max(wishX, area.left + APART), right);
        const y = Math.min(Math.max(wishY, area.top + APART), bottom);
        let cost = start + price + SHIFT * (Math.abs(x - wishX) + 3 * Math.abs(y - wishY));
        if (before?.text === text && before.id === `${anchor.id} ${side}`) cost -= STAY;
        if (cost >= least) continue;
        const box = { x, y, width, height };
        const heart = { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
        cost += INK * ink.under(box) + CROSS * Math.min(24 * ink.under(heart), 1);
        if (own && owners && cost < least)
          cost += THEIRS * owners.others(box, own) + CROSS * Math.min(12 * owners.others(heart, own), 1);
        if (cost >= least || taken.some((other) => overlap(box, other, APART))) continue;
        least = cost;
        found = { ...box, key, text, id: `${anchor.id} ${side}` };
      }
    }
  }
  return found;
}

/**
 * Places for all labels that fit: none outside the panel, none over another or over what nothing may cover. The
 * last is placed first. The same picture and the same places before give the same places.
 * @param {Wanted[]} wanted
 * @param {Room} room
 * @param {Map<string, Placed>} before where labels stood in the frame before
 * @returns {Placed[]}
 */
export function place(wanted, { taken, ...room }, before = new Map()) {
  const used = [...taken];
  /** @type {Placed[]} */
  const found = [];
  for (let k = wanted.length - 1; k >= 0; k--) {
    const spot = best(wanted[k], { ...room, taken: used }, before.get(wanted[k].key));
    if (!spot) continue;
    used.push(spot);
    found.push(spot);
  }
  return found;
}

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
export function beside(marks, most = 12) {
  const n = marks.length / 3;
  const all = Array.from({ length: n }, (_, i) => [marks[3 * i], marks[3 * i + 1], marks[3 * i + 2], i]);
  const mid = [0, 1].map((axis) => all.reduce((sum, mark) => sum + mark[axis], 0) / Math.max(n, 1));
  const far = (/** @type {number[]} */ mark) => Math.hypot(mark[0] - mid[0], mark[1] - mid[1]);
  const chosen = all.length > most ? all.sort((a, b) => far(b) - far(a) || a[3] - b[3]).slice(0, most) : all;
  return chosen.map(([x, y, r, i], k) => ({ x, y, reach: r + 6, cost: 0.04 * k, id: `m${i}` }));
}
