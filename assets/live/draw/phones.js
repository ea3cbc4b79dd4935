// Phones that answer a question one after the other: each tosses a coin, which decides whether its person or a second
// coin answers.

import { legible, shade } from "./theme.js";

/** @import { Drawing, Surface } from "../types.d.ts" */

const WIDE = 0.6; // of a phone, in units of its place, as all that follows
const HIGH = 1;
const ROUND = 0.1; // radius of a corner
const COIN = 0.2; // radius
const TOSSED = 0.7; // part of the way in which the coin spins; then the answer stands there
const FLIPS = 3; // half turns of a coin
const SMALLEST = 9; // pixels of a letter

/**
 * Add an ellipse to the path, as a polygon: the surface of pictures that are saved knows no other curve than circles.
 * @param {Surface} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} wide half of it
 * @param {number} high half of it
 */
function ellipse(ctx, x, y, wide, high) {
  ctx.beginPath();
  for (let k = 0; k <= 24; k++) {
    const angle = (2 * Math.PI * k) / 24;
    const [u, v] = [x + wide * Math.cos(angle), y + high * Math.sin(angle)];
    if (k) ctx.lineTo(u, v);
    else ctx.moveTo(u, v);
  }
  ctx.closePath();
}

/**
 * Add a box with round corners to the path.
 * @param {Surface} ctx
 * @param {number} x of its middle
 * @param {number} y
 * @param {number} wide half of it
 * @param {number} high half of it
 * @param {number} round
 */
function box(ctx, x, y, wide, high, round) {
  ctx.beginPath();
  for (let k = 0; k < 4; k++) {
    const [right, down] = [k === 0 || k === 3 ? 1 : -1, k < 2 ? 1 : -1];
    for (let part = 0; part <= 4; part++) {
      const angle = (Math.PI / 2) * (k + part / 4);
      const u = x + right * (wide - round) + round * Math.cos(angle);
      const v = y + down * (high - round) + round * Math.sin(angle);
      if (k || part) ctx.lineTo(u, v);
      else ctx.moveTo(u, v);
    }
  }
  ctx.closePath();
}

/**
 * Write words in the middle of a place, in letters that fit.
 * @param {Surface} ctx
 * @param {string} words
 * @param {{ x: number, y: number, size: number, family: string, bold?: boolean }} where
 */
function say(ctx, words, { x, y, size, family, bold }) {
  const letters = Math.max(SMALLEST, size);
  ctx.font = `${bold ? 700 : 400} ${letters.toFixed(1)}px ${family}`;
  ctx.fillText(words, x, y + 0.35 * letters);
}

/**
 * The frame of a phone.
 * @param {Surface} ctx
 * @param {import("../types.d.ts").Env} env
 * @param {{ x: number, y: number, unit: number }} at
 */
function frame(ctx, env, { x, y, unit }) {
  box(ctx, x, y, (WIDE / 2) * unit, (HIGH / 2) * unit, ROUND * unit);
  ctx.fillStyle = env.colours.ground;
  ctx.fill();
  ctx.strokeStyle = shade(env.colours, "text");
  ctx.lineWidth = Math.max(1.2, 0.035 * unit);
  ctx.stroke();
  ctx.fillStyle = shade(env.colours, "muted");
  ctx.fillRect(x - 0.08 * unit, y - (HIGH / 2 - 0.06) * unit, 0.16 * unit, 0.03 * unit);
}

/**
 * Those that have answered, the one whose coin is in the air, and those that wait.
 * @type {{ phones: Drawing<"phones"> }}
 */
export const PHONES = {
  phones(ctx, layer, env) {
    const [xy, answers, device, truth] = [layer.xy, layer.answers, layer.device, layer.truth].map((one) =>
      env.get(one),
    );
    const upto = env.scalar(layer.upto);
    const { place, flight } = env.fallen?.(layer, upto) ?? { place: upto, flight: 1 };
    const [no, yes, own, coin, true_] = layer.words;
    const unit = Math.abs(env.x(1) - env.x(0));
    const family = env.lettering?.type.family ?? "sans-serif";
    ctx.textAlign = "center";
    for (let i = 0; i < xy.length / 2; i++) {
      const [x, y] = [env.x(xy[2 * i]), env.y(xy[2 * i + 1])];
      frame(ctx, env, { x, y, unit });
      ctx.fillStyle = legible(shade(env.colours, "muted"), env.colours.ground);
      say(ctx, `${true_}${truth[i] ? yes : no}`, { x, y: y + (HIGH / 2 + 0.13) * unit, size: 0.125 * unit, family });
      const part = Math.min((place - i) / flight, 1);
      if (part <= 0) continue;
      const colour = shade(env.colours, device[i] ? "other" : (layer.role ?? "private"));
      if (part < TOSSED) {
        const turned = Math.cos((Math.PI * FLIPS * part) / TOSSED);
        const up = 0.45 * Math.sin((Math.PI * part) / TOSSED);
        ellipse(ctx, x, y - up * unit, COIN * unit, COIN * Math.max(0.08, Math.abs(turned)) * unit);
        ctx.fillStyle = turned > 0 === Boolean(device[i]) ? shade(env.colours, "other") : shade(env.colours, "private");
        ctx.fill();
        continue;
      }
      box(ctx, x, y + 0.08 * unit, (WIDE / 2 - 0.05) * unit, 0.2 * unit, 0.08 * unit);
      ctx.fillStyle = answers[i] ? colour : env.colours.ground;
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2;
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = answers[i] ? env.colours.ground : legible(colour, env.colours.ground);
      say(ctx, answers[i] ? yes : no, { x, y: y + 0.08 * unit, size: 0.22 * unit, family, bold: true });
      ctx.fillStyle = legible(colour, env.colours.ground);
      say(ctx, device[i] ? coin : own, { x, y: y - 0.25 * unit, size: 0.125 * unit, family });
    }
    ctx.textAlign = "left";
  },
};
