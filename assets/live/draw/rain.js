// Draws that fall one by one from the curve they come from, and pile up as a dot plot.

import { shade } from "./theme.js";

/** @import { Drawing, Numbers } from "../types.d.ts" */

const GAP = 1; // pixels between two piles

/**
 * Return on which pile each draw lands, and how many lie below it there; -1 for a draw beyond the panel.
 * @param {Numbers} xy
 * @param {(x: number) => number} pixel
 * @param {number} left
 * @param {number} right
 * @param {number} width of a pile in pixels
 */
export function piles(xy, pixel, left, right, width) {
  const n = xy.length / 2;
  const at = new Int32Array(n).fill(-1);
  const level = new Int32Array(n);
  /** @type {Map<number, number>} */
  const heights = new Map();
  let highest = 0;
  for (let i = 0; i < n; i++) {
    const x = pixel(xy[2 * i]);
    if (!(x >= left && x <= right)) continue;
    at[i] = Math.floor((x - left) / width);
    level[i] = heights.get(at[i]) ?? 0;
    heights.set(at[i], level[i] + 1);
    highest = Math.max(highest, level[i]);
  }
  return { at, level, highest };
}

/**
 * Those that have fallen, those on their way, and the newest one large.
 * @type {{ rain: Drawing<"rain"> }}
 */
export const RAIN = {
  rain(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const upto = env.scalar(layer.upto);
    const { place, flight } = env.fallen?.(layer, upto) ?? { place: upto, flight: 1 };
    const r = layer.size ?? 3.2;
    const width = 2 * r + GAP;
    const { left, width: across } = env.area;
    const { at, level, highest } = piles(xy, env.x, left, left + across, width);
    const [floor, top] = [env.y(layer.floor), env.y(layer.top)];
    const step = Math.min(width, (floor - top - 2 * r) / Math.max(highest, 1));
    const last = Math.ceil(place) - 1;
    ctx.fillStyle = shade(env.colours, layer.role ?? "private");
    ctx.strokeStyle = env.colours.ground;
    ctx.lineWidth = 2;
    for (let i = 0; i <= last && i < at.length; i++) {
      if (at[i] < 0) continue;
      const part = Math.min((place - i) / flight, 1);
      const [from, to] = [env.y(xy[2 * i + 1]), floor - r - step * level[i]];
      const [begin, end] = [env.x(xy[2 * i]), left + (at[i] + 0.5) * width];
      ctx.globalAlpha = i === last ? 1 : 0.8;
      ctx.beginPath();
      ctx.arc(begin + (end - begin) * part, from + (to - from) * part * part, i === last ? 1.8 * r : r, 0, 2 * Math.PI);
      ctx.fill();
      if (i === last) ctx.stroke();
    }
    ctx.globalAlpha = 1;
  },
};
