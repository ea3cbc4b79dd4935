// Places for a label away from its curve, joined to it by a leader line: used where a label beside it would lie on
// lines. No DOM.

/** @import { Box } from "./ink.js" */
/** @import { Anchor, Room } from "./placement.js" */
/** @typedef {{ x0: number, y0: number, x1: number, y1: number }} Lead from the words to the curve */

const WAYS = 16; // directions from a place of the curve
const FAR = [14, 26, 40, 58, 80, 110]; // pixels between the curve and the words
const PRICE = 2.5; // cost of a place away from the curve
const PIXEL = 0.016; // cost of a pixel of the line
const THROUGH = 0.5; // cost of a step of the line over something drawn
const OTHER = 4; // cost of crossing another labelled curve: the label could be that curve's
const TOUCHED = 1.5; // additional cost of ending where another labelled curve touches
const STEP = 6; // pixels of such a step
const EDGE = 12; // pixels from the sides of the panel: a line to the end of a curve there looks like more of the curve
const LINE = 5; // a reach above this belongs to a mark, whose rim the line does not touch

/**
 * Return boxes of a text around an anchor, each with its leader line and their cost.
 * @param {Anchor} anchor
 * @param {{ width: number, height: number }} size
 * @param {Room} room
 * @param {number} own its curve
 * @param {number} apart pixels that words keep from the edge of the panel
 * @returns {{ box: Box, lead: Lead, cost: number, id: string }[]}
 */
export function leads(anchor, { width, height }, { area, ink, owners }, own, apart) {
  /** @type {{ box: Box, lead: Lead, cost: number, id: string }[]} */
  const found = [];
  if (Math.min(anchor.x - area.left, area.left + area.width - anchor.x) < EDGE) return found;
  const touched = own > 0 && owners && owners.crowd(anchor, own) > 1 ? TOUCHED : 0;
  for (const far of FAR) {
    for (let k = 0; k < WAYS; k++) {
      const [across, down] = [Math.cos((2 * Math.PI * k) / WAYS), Math.sin((2 * Math.PI * k) / WAYS)];
      const x = anchor.x + across * (far + width / 2) - width / 2;
      const y = anchor.y + down * (far + height / 2) - height / 2;
      if (x < area.left + apart || x + width > area.left + area.width - apart) continue;
      if (y < area.top + apart || y + height > area.top + area.height - apart) continue;
      const box = { x, y, width, height };
      const lead = between(box, anchor);
      const way = steps(lead);
      const over = way.slice(0, -2).reduce((sum, step) => sum + ink.under(step), 0); // it ends at its own curve
      const before = touched ? way.slice(0, -2) : way;
      const other = own > 0 && owners && before.some((step) => owners.others(step, own)) ? OTHER : 0;
      const long = Math.hypot(lead.x1 - lead.x0, lead.y1 - lead.y0);
      const cost = PRICE + PIXEL * long + THROUGH * over + other + touched;
      found.push({ box, lead, cost, id: `${anchor.id} far ${far} ${k}` });
    }
  }
  return found;
}

/**
 * Return the line from the edge of a text to a place of the curve, or to the rim of a mark.
 * @param {Box} box
 * @param {Anchor} anchor
 * @returns {Lead}
 */
function between({ x, y, width, height }, anchor) {
  const x0 = Math.min(Math.max(anchor.x, x), x + width);
  const y0 = Math.min(Math.max(anchor.y, y + 2), y + height - 2);
  const long = Math.hypot(anchor.x - x0, anchor.y - y0);
  const short = anchor.inside ? 0 : Math.min(anchor.reach > LINE ? anchor.reach : 0, long - 4);
  const part = long > 4 ? 1 - short / long : 1;
  return { x0, y0, x1: x0 + part * (anchor.x - x0), y1: y0 + part * (anchor.y - y0) };
}

/**
 * Return a line as small boxes from its text to its curve, which other labels avoid.
 * @param {Lead} lead
 * @returns {Box[]}
 */
export function steps({ x0, y0, x1, y1 }) {
  const n = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / STEP));
  return Array.from({ length: n }, (_, k) => {
    const part = (k + 0.5) / n;
    return { x: x0 + part * (x1 - x0) - 1, y: y0 + part * (y1 - y0) - 1, width: 2, height: 2 };
  });
}
