// Layers of lines: curves, bands, paths, cursors, bars.

import { roleOf, stroke } from "./stroke.js";
import { shade } from "./theme.js";

/** @import { Drawing, Env, LayerOf, Numbers, Surface } from "../types.d.ts" */

/** @type {{ [K in "paths" | "line" | "parabolas" | "band" | "vline" | "hline" | "bars"]: Drawing<K> }} */
export const CURVES = {
  paths(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const [steps, prototypes, stride] = env.shape(layer.xy);
    const upto = Math.min(env.place(layer.upto), steps - 1);
    const labels = env.get(layer.labels);
    ctx.lineWidth = layer.width ?? 1.8;
    for (let p = 0; p < prototypes; p++) {
      ctx.strokeStyle = shade(env.colours, roleOf(layer, labels, p));
      ctx.beginPath();
      for (let s = 0; s <= Math.ceil(upto); s++) {
        const back = s > upto ? s - upto : 0; // the last leg ends between two snapshots
        const at = (s * prototypes + p) * stride;
        const before = at - prototypes * stride;
        const u = back ? xy[at] * (1 - back) + xy[before] * back : xy[at];
        const v = back ? xy[at + 1] * (1 - back) + xy[before + 1] * back : xy[at + 1];
        if (s) ctx.lineTo(env.x(u), env.y(v));
        else ctx.moveTo(env.x(u), env.y(v));
      }
      ctx.stroke();
    }
  },
  line(ctx, layer, env) {
    const x = env.get(layer.x);
    const y = env.get(layer.y);
    stroke(ctx, layer, env);
    ctx.beginPath();
    let pen = false;
    for (let i = 0; i < x.length; i++) {
      if (!Number.isFinite(y[i])) {
        pen = false;
        continue;
      }
      if (pen) ctx.lineTo(env.x(x[i]), env.y(y[i]));
      else ctx.moveTo(env.x(x[i]), env.y(y[i]));
      pen = true;
    }
    ctx.stroke();
    ctx.setLineDash([]);
  },
  parabolas(ctx, layer, env) {
    const found = env.get(layer.xy); // a, b of at² - 2bt, and whether it is in danger
    const { left, width, top, height } = env.area;
    for (let k = 0; k < found.length; k += 3) {
      stroke(ctx, found[k + 2] ? { ...layer, role: "danger" } : layer, env);
      ctx.beginPath();
      for (let i = 0; i <= 60; i++) {
        const t = env.invX(left + (width * i) / 60);
        const y = env.y((found[k] * t - 2 * found[k + 1]) * t);
        ctx.lineTo(left + (width * i) / 60, Math.min(Math.max(y, top - 9 * height), top + 9 * height));
      }
      ctx.stroke();
    }
    ctx.setLineDash([]);
  },
  band(ctx, layer, env) {
    const x = env.get(layer.x);
    const low = env.get(layer.low);
    const high = env.get(layer.high);
    ctx.fillStyle = shade(env.colours, layer.role ?? "private", layer.alpha ?? 0.18);
    ctx.beginPath();
    for (let i = 0; i < x.length; i++) ctx.lineTo(env.x(x[i]), env.y(high[i]));
    for (let i = x.length - 1; i >= 0; i--) ctx.lineTo(env.x(x[i]), env.y(low[i]));
    ctx.closePath();
    ctx.fill();
  },
  vline(ctx, layer, env) {
    const x = env.x(env.scalar(layer.at));
    stroke(ctx, layer, env);
    ctx.beginPath();
    ctx.moveTo(x, env.area.top);
    ctx.lineTo(x, env.area.top + env.area.height);
    ctx.stroke();
    ctx.setLineDash([]);
  },
  hline(ctx, layer, env) {
    const y = env.y(env.scalar(layer.at));
    stroke(ctx, layer, env);
    ctx.beginPath();
    ctx.moveTo(env.area.left, y);
    ctx.lineTo(env.area.left + env.area.width, y);
    ctx.stroke();
    ctx.setLineDash([]);
  },
  bars(ctx, layer, env) {
    const edges = env.get(layer.edges);
    const heights = env.get(layer.heights);
    const ground = env.y(0);
    ctx.fillStyle = shade(env.colours, layer.role ?? "private", layer.alpha ?? 0.75);
    if (layer.hollow) return outline(ctx, layer, env, edges, heights);
    for (let i = 0; i < heights.length; i++) {
      const x = env.x(edges[i]);
      const top = env.y(heights[i]);
      ctx.fillRect(x, top, Math.max(env.x(edges[i + 1]) - x - 1, 1), ground - top);
    }
  },
};

/**
 * The outline of bars, so that others can be seen through it.
 * @param {Surface} ctx
 * @param {LayerOf<"bars">} layer
 * @param {Env} env
 * @param {Numbers} edges
 * @param {Numbers} heights
 */
function outline(ctx, layer, env, edges, heights) {
  stroke(ctx, { ...layer, width: 1.6 }, env);
  ctx.beginPath();
  ctx.moveTo(env.x(edges[0]), env.y(0));
  for (let i = 0; i < heights.length; i++) {
    ctx.lineTo(env.x(edges[i]), env.y(heights[i]));
    ctx.lineTo(env.x(edges[i + 1]), env.y(heights[i]));
    ctx.lineTo(env.x(edges[i + 1]), env.y(0));
  }
  ctx.stroke();
}
