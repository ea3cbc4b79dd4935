// People who raise their cards one by one, then all: a full card says yes, an empty one no.

import { shade } from "./theme.js";

/** @import { Drawing, Surface } from "../types.d.ts" */

const HEAD = 0.15; // radius, in units of the place of a person, as all that follows
const CARD = [0.46, 0.3]; // width and height
const RAISED = 0.36; // of the card's middle above the head's
const DOWN = -0.2; // where it is held before
const WHEEL = 0.21; // radius of a wheel
const SPUN = 1.5; // how long it turns, in times that a card takes to go up
const TURNS = 1.5; // of a wheel, while it is seen

/**
 * Add the outline of a card to the path.
 * @param {Surface} ctx
 * @param {number} x of its middle
 * @param {number} y
 * @param {number} unit
 */
function card(ctx, x, y, unit) {
  const [w, h] = [(CARD[0] * unit) / 2, (CARD[1] * unit) / 2];
  ctx.beginPath();
  ctx.moveTo(x - w, y - h);
  ctx.lineTo(x + w, y - h);
  ctx.lineTo(x + w, y + h);
  ctx.lineTo(x - w, y + h);
  ctx.closePath();
}

/**
 * Head and shoulders.
 * @param {Surface} ctx
 * @param {number} x of the head
 * @param {number} y
 * @param {number} unit
 */
function person(ctx, x, y, unit) {
  ctx.beginPath();
  ctx.arc(x, y, HEAD * unit, 0, 2 * Math.PI);
  ctx.fill();
  const [wide, low] = [0.27 * unit, y + 0.46 * unit];
  ctx.beginPath();
  ctx.moveTo(x - wide, low);
  ctx.lineTo(x - 0.85 * wide, y + 0.25 * unit);
  ctx.lineTo(x - 0.45 * wide, y + 0.18 * unit);
  ctx.lineTo(x + 0.45 * wide, y + 0.18 * unit);
  ctx.lineTo(x + 0.85 * wide, y + 0.25 * unit);
  ctx.lineTo(x + wide, low);
  ctx.closePath();
  ctx.fill();
}

/**
 * A wheel that turns above a head: its dark field says "tell the truth".
 * @param {Surface} ctx
 * @param {number} x of its middle
 * @param {number} y
 * @param {number} unit
 * @param {number} truth share of the dark field
 * @param {number} part of its way
 */
function wheel(ctx, x, y, unit, truth, part) {
  const begin = 2 * Math.PI * TURNS * part;
  ctx.beginPath();
  ctx.arc(x, y, WHEEL * unit, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.arc(x, y, WHEEL * unit, begin, begin + 2 * Math.PI * truth);
  ctx.closePath();
  ctx.fill();
}

/**
 * Those who have raised their cards, the one who does, and those who have not yet.
 * @type {{ cards: Drawing<"cards"> }}
 */
export const CARDS = {
  cards(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const answers = env.get(layer.answers);
    const n = xy.length / 2;
    const truth = env.scalar(layer.wheel ?? 0);
    const { place, flight } = env.fallen?.(layer, n) ?? { place: n, flight: 1 };
    const unit = Math.abs(env.x(1) - env.x(0));
    const colours = [shade(env.colours, "muted"), shade(env.colours, layer.role ?? "other")];
    for (let i = 0; i < n; i++) {
      if (!Number.isFinite(xy[2 * i])) continue;
      const [x, y] = [env.x(xy[2 * i]), env.y(xy[2 * i + 1])];
      ctx.globalAlpha = 0.55;
      ctx.fillStyle = shade(env.colours, i === layer.person ? "private" : "muted");
      if (i === layer.person) ctx.globalAlpha = 1;
      person(ctx, x, y, unit);
      const part = Math.min((place - i) / flight, 1);
      if (part <= 0) {
        const turned = truth && place > 0 ? (place - i) / flight + SPUN : 0;
        if (turned > 0) {
          ctx.strokeStyle = shade(env.colours, "muted");
          ctx.lineWidth = 1.2;
          wheel(ctx, x, y - RAISED * unit, unit, truth, turned / SPUN);
        }
        continue;
      }
      const yes = answers[i] ? 1 : 0;
      ctx.globalAlpha = 1;
      card(ctx, x, y - (DOWN + (RAISED - DOWN) * part) * unit, unit);
      ctx.fillStyle = yes ? colours[1] : env.colours.ground;
      ctx.fill();
      ctx.strokeStyle = colours[yes];
      ctx.lineWidth = 1.2;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  },
};
