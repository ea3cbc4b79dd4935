// Draws that fall one by one from the curve they come from, and pile up as a dot plot.

import { shade } from "./theme.js";

/** @import { Drawing, Env, LayerOf, Numbers } from "../types.d.ts" */

const GAP = 1; // pixels between two piles
const LEAST = 1.1; // pixels of the radius of a dot in a high heap

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
 * Return the piles of dots of a radius, and the height of a dot: that of the higher one of both heaps that fits.
 * @param {number} r
 * @param {Numbers} xy
 * @param {LayerOf<"rain">} layer
 * @param {Env} env
 * @param {number} room
 */
function heap(r, xy, { like }, { get, x, area: { left, width: across } }, room) {
  const width = 2 * r + GAP;
  const own = piles(xy, x, left, left + across, width);
  const beside = like?.length ? piles(get(like), x, left, left + across, width).highest : 0;
  return { ...own, r, width, step: Math.min(width, (room - 2 * r) / Math.max(own.highest, beside, 1)) };
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
    const { left } = env.area;
    const [floor, top] = [env.y(layer.floor), env.y(layer.top)];
    const usual = heap(layer.size ?? 3.2, xy, layer, env, floor - top);
    // Dots of a heap that is too high are smaller, so that they can be told from each other.
    const share = usual.step / usual.width;
    const small = Math.max(usual.r * Math.sqrt(share), Math.min(LEAST, usual.r));
    const { r, width, at, level, step } = share < 1 ? heap(small, xy, layer, env, floor - top) : usual;
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
