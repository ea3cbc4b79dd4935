// Where the labels of a panel stand: at their curves, apart from each other, steady while a handle moves. No DOM.

/** @import { Area } from "./types.d.ts" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/**
 * A place of a curve; `inside`: in an area that is large enough for words.
 * @typedef {{ x: number, y: number, reach: number, cost: number, id: string, inside?: boolean }} Anchor
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
const CELL = 6; // pixels of a cell of ink
const APART = 3; // pixels between two labels, and to the edge of the panel
const INK = 7; // what it costs to lie on ink entirely
const CROSS = 2; // what it costs, besides, when a line runs right through the words
const THEIRS = 5; // what it costs, besides, to lie on other named curves entirely
const CROWD = 2.4; // what a place costs where another named curve runs: its name could be meant as well
const SHIFT = 0.06; // what a pixel away from where it wants to be costs
const STAY = 2.9; // by how much another place has to be better
const SHORTER = 2; // by how much a shorter text has to be better

/** What is drawn already, in cells. */
export class Ink {
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    this.columns = Math.ceil(area.width / CELL) + 1;
    this.rows = Math.ceil(area.height / CELL) + 1;
    this.cells = new Float32Array((this.columns + 1) * (this.rows + 1));
    this.summed = false;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} weight
   */
  dot(x, y, weight = 1) {
    const i = Math.floor((x - this.area.left) / CELL);
    const j = Math.floor((y - this.area.top) / CELL);
    if (i < 0 || j < 0 || i >= this.columns || j >= this.rows) return;
    const at = (j + 1) * (this.columns + 1) + i + 1;
    if (this.cells[at] < weight) this.cells[at] = weight;
  }

  sum() {
    const { cells, columns, rows } = this;
    for (let j = 1; j <= rows; j++) {
      let row = 0;
      for (let i = 1; i <= columns; i++) {
        const at = j * (columns + 1) + i;
        row += cells[at];
        cells[at] = row + cells[at - columns - 1];
      }
    }
    this.summed = true;
  }

  /**
   * How much of a box is covered, 0 to 1.
   * @param {Box} box
   */
  under({ x, y, width, height }) {
    if (!this.summed) this.sum();
    const { area, columns, rows, cells } = this;
    const left = Math.min(Math.max(Math.floor((x - area.left) / CELL), 0), columns);
    const right = Math.min(Math.max(Math.ceil((x + width - area.left) / CELL), left), columns);
    const top = Math.min(Math.max(Math.floor((y - area.top) / CELL), 0), rows);
    const bottom = Math.min(Math.max(Math.ceil((y + height - area.top) / CELL), top), rows);
    const n = (right - left) * (bottom - top);
    if (!n) return 0;
    const wide = columns + 1;
    const all = cells[bottom * wide + right] - cells[top * wide + right] - cells[bottom * wide + left];
    return (all + cells[top * wide + left]) / n;
  }
}

/**
 * @param {Box} a
 * @param {Box} b
 * @param {number} gap
 */
export const overlap = (a, b, gap = 0) =>
  a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;

/** Which of the named curves run where, in cells. */
export class Owners {
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    this.columns = Math.ceil(area.width / CELL) + 1;
    this.rows = Math.ceil(area.height / CELL) + 1;
    this.cells = new Int8Array(this.columns * this.rows); // 0: none, k: the k-th alone, -1: several
    this.count = 0;
  }

  /**
   * Another curve; returns its number.
   * @param {number[]} trail
   */
  add(trail) {
    const own = Math.min(++this.count, 127);
    for (let i = 0; i < trail.length; i += 2) {
      const column = Math.floor((trail[i] - this.area.left) / CELL);
      const row = Math.floor((trail[i + 1] - this.area.top) / CELL);
      if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) continue;
      const at = row * this.columns + column;
      this.cells[at] = this.cells[at] === 0 || this.cells[at] === own ? own : -1;
    }
    return own;
  }

  /**
   * The share of a box in which others than `own` run, 0 to 1.
   * @param {Box} box
   * @param {number} own
   */
  others({ x, y, width, height }, own) {
    const { area, columns, rows, cells } = this;
    const left = Math.max(Math.floor((x - area.left) / CELL), 0);
    const right = Math.min(Math.ceil((x + width - area.left) / CELL), columns);
    const top = Math.max(Math.floor((y - area.top) / CELL), 0);
    const bottom = Math.min(Math.ceil((y + height - area.top) / CELL), rows);
    let found = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const owner = cells[row * columns + column];
        if (owner && owner !== own) found++;
      }
    }
    return found / Math.max((right - left) * (bottom - top), 1);
  }

  /**
   * What it costs to stand at a place of the curve `own`: most where others touch it, less where they are near.
   * @param {{ x: number, y: number }} place
   * @param {number} own
   */
  crowd({ x, y }, own) {
    const around = (/** @type {number} */ far) => ({ x: x - far, y: y - far, width: 2 * far, height: 2 * far });
    if (!this.others(around(5 * CELL), own)) return 0;
    return this.others(around(CELL), own) ? CROWD : CROWD / 3;
  }
}

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
      const start = alone + (own > 0 && owners ? owners.crowd(anchor, own) : 0);
      if (start - STAY >= least) continue;
      for (const [side, across, down, price] of SIDES) {
        if (side === "inside" && !anchor.inside) continue;
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
    found.push({ x: trail[2 * at], y: trail[2 * at + 1], reach, cost: far && 0.5 + far, id: String(k) });
  }
  return found;
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
