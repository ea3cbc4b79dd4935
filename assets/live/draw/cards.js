// People who raise their cards one by one, then all: a full card says yes, an empty one no.

import { legible, shade } from "./theme.js";

/** @import { Drawing, Surface } from "../types.d.ts" */

const HEAD = 0.15; // radius, in units of the place of a person, as all that follows
const CARD = [0.46, 0.3]; // width and height
const RAISED = 0.36; // of the card's middle above the head's
const DOWN = -0.2; // where it is held before
const WHEEL = 0.21; // radius of a wheel
const SPUN = 1.5; // how long it turns, in times that a card takes to go up
const TURNS = 1.5; // of a wheel, while it is seen
const LARGE_SPUN = 4; // how long the large wheel turns, in times that a card takes to go up
const LARGE_TURNS = 3; // of the large wheel
const NARROW = 0.09; // share of a field that is too narrow for words
const NAME = [0.36, 10, 16]; // height of the letters of a name, and its least and largest in pixels
const POINTER = 0.1; // half of the width of the pointer of the large wheel, in its radii

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
 * Add a field of a wheel to the path, as a polygon: the surface of pictures that are saved knows whole circles alone.
 * @param {Surface} ctx
 * @param {{ x: number, y: number, r: number }} at
 * @param {number} begin
 * @param {number} end
 */
function field(ctx, { x, y, r }, begin, end) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  const steps = Math.max(2, Math.ceil((end - begin) * 12));
  for (let k = 0; k <= steps; k++) {
    const angle = begin + ((end - begin) * k) / steps;
    ctx.lineTo(x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  ctx.closePath();
}

/**
 * A fixed pointer above a wheel, whose tip lies on its rim.
 * @param {Surface} ctx
 * @param {{ x: number, y: number, r: number }} at
 */
function pointer(ctx, { x, y, r }) {
  ctx.beginPath();
  ctx.moveTo(x, y - (1 - POINTER) * r);
  ctx.lineTo(x - POINTER * r, y - (1 + 1.2 * POINTER) * r);
  ctx.lineTo(x + POINTER * r, y - (1 + 1.2 * POINTER) * r);
  ctx.closePath();
}

/**
 * The name of the named person, left of the figure.
 * @param {Surface} ctx
 * @param {import("../types.d.ts").Env} env
 * @param {string} name
 * @param {{ x: number, y: number, unit: number }} at of the head
 */
function nameBeside(ctx, env, name, { x, y, unit }) {
  const [part, least, most] = NAME;
  const size = Math.min(Math.max(part * unit, least), most);
  ctx.font = `600 ${size.toFixed(1)}px ${env.lettering?.type.family ?? "sans-serif"}`;
  ctx.fillStyle = legible(shade(env.colours, "private"), env.colours.ground);
  ctx.textAlign = "right";
  ctx.fillText(name, x - 0.33 * unit, y + 0.2 * unit + 0.35 * size);
  ctx.textAlign = "left";
}

/**
 * The large wheel of the named person, with words on its two fields and a pointer. It comes to rest with the pointer
 * between the two: only they see where it really stops.
 * @param {Surface} ctx
 * @param {import("../types.d.ts").Env} env
 * @param {{ x: number, y: number, r: number, words: string[], truth: number, part: number }} wheel
 */
function largeWheel(ctx, env, { words, truth, part, ...at }) {
  const slowing = 1 - (1 - part) ** 3;
  const begin = -Math.PI / 2 + 2 * Math.PI * LARGE_TURNS * slowing;
  const { ground } = env.colours;
  const fields = [
    { share: truth, from: begin, colour: shade(env.colours, "private"), ink: ground },
    { share: 1 - truth, from: begin + 2 * Math.PI * truth, colour: ground, ink: shade(env.colours, "text") },
  ];
  const family = env.lettering?.type.family ?? "sans-serif";
  const size = Math.max(10, 0.2 * at.r);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = shade(env.colours, "private");
  ctx.lineWidth = 2;
  ctx.textAlign = "center";
  for (const [k, { share, from, colour, ink }] of fields.entries()) {
    field(ctx, at, from, from + 2 * Math.PI * share);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.stroke();
    if (share < NARROW || !words[k]) continue;
    const middle = from + Math.PI * share;
    ctx.font = `600 ${size.toFixed(1)}px ${family}`;
    ctx.fillStyle = ink;
    ctx.fillText(words[k], at.x + 0.62 * at.r * Math.cos(middle), at.y + 0.62 * at.r * Math.sin(middle) + 0.35 * size);
  }
  pointer(ctx, at);
  ctx.fillStyle = shade(env.colours, "text");
  ctx.strokeStyle = ground;
  ctx.fill();
  ctx.stroke();
  ctx.strokeStyle = shade(env.colours, "private");
  ctx.beginPath();
  ctx.arc(at.x, at.y, 0.17 * at.r, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = legible(shade(env.colours, "private"), ground);
  ctx.font = `700 ${(0.22 * at.r).toFixed(1)}px ${family}`;
  ctx.fillText("?", at.x, at.y + 0.08 * at.r);
  if (words[2]) {
    ctx.font = `400 ${Math.max(10, 0.17 * at.r).toFixed(1)}px ${family}`;
    ctx.fillStyle = legible(shade(env.colours, "muted"), ground);
    ctx.fillText(words[2], at.x, at.y + 1.3 * at.r);
  }
  ctx.textAlign = "left";
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
    if (!layer.large || layer.person == null || !Number.isFinite(xy[2 * layer.person])) return;
    const [x, y, r] = layer.large;
    if (layer.words?.[3]) {
      const seat = { x: env.x(xy[2 * layer.person]), y: env.y(xy[2 * layer.person + 1]), unit };
      nameBeside(ctx, env, layer.words[3], seat);
    }
    const way = ((place - layer.person) / flight + LARGE_SPUN) / LARGE_SPUN;
    largeWheel(ctx, env, {
      x: env.x(x),
      y: env.y(y),
      r: r * unit,
      words: layer.words ?? [],
      truth,
      part: Math.min(1, Math.max(0, way)),
    });
  },
};
