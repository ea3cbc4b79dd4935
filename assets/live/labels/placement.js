// Placement of a panel's labels: at their curves, without overlaps, steady while a handle moves. No DOM.

import { leads, steps } from "./leader_lines.js";

/** @import { Area } from "../types.d.ts" */
/** @import { Box, Ink, CurveCells } from "./ink.js" */
/** @import { Lead } from "./leader_lines.js" */
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
 * @property {number} [own] its curve among those of `CurveCells`, or `NO_CURVE` where it names an area or marks
 */
/**
 * @typedef {{ area: Area, ink: Ink, taken: Box[], owners?: CurveCells, holds?: boolean }} Room
 * `taken`: boxes that nothing may cover; `holds`: whether a label stays while its own curve stands still
 */
/** @typedef {Box & { key: string, text: string, id: string, lead?: Lead }} Placed `lead`: the line to its curve, where it stands apart */
/** @typedef {{ spot: Placed, cost: number }} Found */

export const NO_CURVE = -1; // of a label whose layer is no curve: it avoids all labelled curves
const APART = 3; // pixels between two labels, and to the edge of the panel
const INK = 7; // cost of lying on ink entirely
const CROSS = 3.5; // additional cost of a line through the middle of the words
const THEIRS = 5; // additional cost of lying on other labelled curves entirely
const SHIFT = 0.06; // cost of a pixel away from the wanted place
const STAY = 2.9; // reduction in cost that another place needs
const MOVE = 0.4; // share of it that is left where a line has come to run through the words
const SHORTER = 2; // reduction in cost that a shorter text needs
const STILL = 2; // pixels by which a curve moves that stands still
const CLEAR = 2.5; // below this cost no place away from the curve is tried

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
 * Return the cheapest free place of one label, or null when there is none: at its curve, else away from it with a
 * leader line.
 * @param {Wanted} wanted
 * @param {Room} room
 * @param {Placed | undefined} before its place in the frame before
 * @returns {Placed | null}
 */
function best(wanted, room, before) {
  if (before && room.holds && stands(wanted, room, before)) return before;
  const near = cheapest(wanted, room, before, Infinity, beside);
  if (near && near.cost < CLEAR) return near.spot;
  return (cheapest(wanted, room, before, near?.cost ?? Infinity, leads) ?? near)?.spot ?? null;
}

/**
 * Return whether a label's place is still one of its curve's: the curve has not moved there.
 * @param {Wanted} wanted
 * @param {Room} room
 * @param {Placed} before
 */
function stands({ words, height, anchors, own = 0 }, room, before) {
  const word = words.find(({ text }) => text === before.text);
  if (!word) return false;
  const offered = before.lead ? leads : beside;
  return anchors.some((anchor) =>
    offered(anchor, { width: word.width, height }, room, own, APART).some(
      ({ box, id }) => id === before.id && Math.hypot(box.x - before.x, box.y - before.y) < STILL,
    ),
  );
}

/**
 * Return the cheapest free place below `least`, among those that `offered` has around each anchor.
 * @param {Wanted} wanted
 * @param {Room} room
 * @param {Placed | undefined} before
 * @param {number} least
 * @param {typeof beside | typeof leads} offered
 * @returns {Found | null}
 */
function cheapest(wanted, room, before, least, offered) {
  const { key, words, height, anchors, own = 0 } = wanted;
  /** @type {Found | null} */
  let found = null;
  for (const [rank, { text, width }] of words.entries()) {
    for (const anchor of anchors) {
      const start = startCost(anchor, rank, wanted, room, least);
      if (start - STAY >= least) continue;
      for (const { box, lead, cost: price, id } of offered(anchor, { width, height }, room, own, APART)) {
        let cost = start + price;
        const stays = before?.text === text && before.id === id ? STAY : 0;
        if (cost - stays >= least) continue;
        cost += worth(covered(box, wanted, room), stays);
        if (cost >= least || touches(box, room.taken)) continue;
        if (lead && steps(lead).some((step) => touches(step, room.taken))) continue;
        least = cost;
        found = { spot: { ...box, key, text, id, ...(lead && { lead }) }, cost };
      }
    }
  }
  return found;
}

/**
 * Return the boxes of a text around an anchor, touching its reach, and their cost; none when they are too large.
 * @param {Anchor} anchor
 * @param {{ width: number, height: number }} size
 * @param {Room} room
 * @returns {{ box: Box, lead?: Lead, cost: number, id: string }[]}
 */
function beside(anchor, { width, height }, { area }) {
  const right = area.left + area.width - APART - width;
  const bottom = area.top + area.height - APART - height;
  if (right < area.left + APART || bottom < area.top + APART) return [];
  const found = [];
  for (const [side, across, down, price] of SIDES) {
    if (side === "inside" ? !anchor.inside : across && anchor.tall) continue;
    const wishX = anchor.x + across * (anchor.reach + width / 2) - width / 2;
    const wishY = anchor.y + down * (anchor.reach + height / 2) - height / 2;
    const x = Math.min(Math.max(wishX, area.left + APART), right);
    const y = Math.min(Math.max(wishY, area.top + APART), bottom);
    const cost = price + SHIFT * (Math.abs(x - wishX) + 3 * Math.abs(y - wishY));
    found.push({ box: { x, y, width, height }, cost, id: `${anchor.id} ${side}` });
  }
  return found;
}

/**
 * Return the cost of an anchor, before the side is known.
 * @param {Anchor} anchor
 * @param {number} rank of the words, the longest first
 * @param {Wanted} wanted
 * @param {Room} room
 * @param {number} least the cost found so far: most places cost more before other curves are looked at
 */
function startCost(anchor, rank, { own = 0 }, { owners }, least) {
  const alone = anchor.cost + rank * SHORTER;
  return alone - STAY >= least || !own || !owners ? alone : alone + owners.crowd(anchor, own);
}

/**
 * Return the cost of lying on what is drawn.
 * @param {Box} box
 * @param {Wanted} wanted
 * @param {Room} room
 */
function covered(box, { own = 0 }, { ink, owners }) {
  const heart = { x: box.x + 3, y: box.y + 3, width: box.width - 6, height: box.height - 6 };
  const cost = INK * ink.under(box) + CROSS * Math.min(24 * ink.under(heart), 1);
  if (!own || !owners) return cost;
  return cost + THEIRS * owners.others(box, own) + CROSS * Math.min(12 * owners.others(heart, own), 1);
}

/**
 * Return the cost of lying on what is drawn, less the reward for staying: small where a line has come to run through.
 * @param {number} over
 * @param {number} stays
 */
const worth = (over, stays) => over - (over < CROSS ? stays : MOVE * stays);

/**
 * @param {Box} box
 * @param {Box[]} taken
 */
const touches = (box, taken) => taken.some((other) => overlap(box, other, APART));

/**
 * Return places for all labels that fit: none outside the panel, none over another or over what nothing may cover. The
 * last is placed first. The result depends on the picture and the previous places alone.
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
    used.push(spot, ...(spot.lead ? steps(spot.lead) : []));
    found.push(spot);
  }
  return found;
}
