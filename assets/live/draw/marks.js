// Layers of marks: points of data, prototypes, outcomes, arrows. Each class has a shape of its own.

import { roleOf, stroke } from "./stroke.js";
import { shade } from "./theme.js";

/** @import { Drawing, Surface } from "../types.d.ts" */

/**
 * @param {Surface} ctx
 * @param {number} kind
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function symbol(ctx, kind, x, y, r) {
  ctx.beginPath();
  if (kind % 5 === 0) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else {
    const sides = [0, 4, 3, 4, 3][kind % 5];
    const turn = [0, Math.PI / 4, -Math.PI / 2, 0, Math.PI / 2][kind % 5];
    for (let i = 0; i < sides; i++) {
      const a = turn + (2 * Math.PI * i) / sides;
      const far = 1.2 * r;
      if (i) ctx.lineTo(x + far * Math.cos(a), y + far * Math.sin(a));
      else ctx.moveTo(x + far * Math.cos(a), y + far * Math.sin(a));
    }
    ctx.closePath();
  }
}

/** @type {{ [K in "points" | "markers" | "cloud" | "dot" | "arrows"]: Drawing<K> }} */
export const MARKS = {
  points(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const labels = env.get(layer.labels);
    const r = layer.size ?? 2.2;
    const [left, right, bottom, top] = layer.within ?? [-Infinity, Infinity, -Infinity, Infinity];
    ctx.globalAlpha = layer.alpha ?? 0.75;
    ctx.lineWidth = 1.2;
    for (let i = 0; i < labels.length; i++) {
      const [x, y] = [xy[2 * i], xy[2 * i + 1]];
      const [near, level] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, bottom), top)];
      const colour = shade(env.colours, roleOf(layer, labels, i));
      symbol(ctx, labels[i], env.x(near), env.y(level), r);
      if (x === near && y === level) {
        ctx.fillStyle = colour;
        ctx.fill();
      } else if (Number.isFinite(x + y)) {
        ctx.strokeStyle = colour;
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  },
  markers(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const labels = env.get(layer.labels);
    const stride = xy.length / labels.length;
    for (let p = 0; p < labels.length; p++) {
      symbol(ctx, labels[p], env.x(xy[p * stride]), env.y(xy[p * stride + 1]), layer.size ?? 8);
      ctx.fillStyle = shade(env.colours, layer.hollow ? env.colours.ground : roleOf(layer, labels, p));
      ctx.globalAlpha = layer.alpha ?? 1;
      ctx.fill();
      ctx.lineWidth = layer.hollow ? 2.5 : 2;
      ctx.strokeStyle = layer.hollow ? shade(env.colours, roleOf(layer, labels, p)) : env.colours.text;
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  },
  cloud(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const [draws, prototypes, stride] = env.shape(layer.xy);
    const labels = env.get(layer.labels);
    ctx.globalAlpha = layer.alpha ?? 0.5;
    for (let k = 0; k < draws; k++) {
      for (let p = 0; p < prototypes; p++) {
        const at = (k * prototypes + p) * stride;
        ctx.fillStyle = shade(env.colours, roleOf(layer, labels, p));
        symbol(ctx, layer.role === undefined ? labels[p] : 0, env.x(xy[at]), env.y(xy[at + 1]), layer.size ?? 3);
        ctx.fill();
      }
    }
    ctx.globalAlpha = 1;
  },
  dot(ctx, layer, env) {
    ctx.beginPath();
    ctx.arc(env.x(env.scalar(layer.x)), env.y(env.scalar(layer.y)), layer.size ?? 7, 0, 2 * Math.PI);
    ctx.fillStyle = shade(env.colours, layer.role ?? "private");
    ctx.fill();
    ctx.lineWidth = 2;
    ctx.strokeStyle = env.colours.ground;
    ctx.stroke();
  },
  arrows(ctx, layer, env) {
    const tips = env.get(layer.xy);
    const [x0, y0] = [env.x(0), env.y(0)];
    stroke(ctx, layer, env);
    ctx.globalAlpha = layer.alpha ?? 1;
    ctx.fillStyle = ctx.strokeStyle;
    for (let i = 0; i < tips.length; i += 2) {
      if (!Number.isFinite(tips[i])) continue;
      const x = env.x(tips[i]);
      const y = env.y(tips[i + 1]);
      const far = Math.hypot(x - x0, y - y0);
      if (far < 0.5) continue;
      const head = Math.min(4 + 2 * (layer.width ?? 2), far);
      const [u, v] = [(x - x0) / far, (y - y0) / far];
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x - 0.7 * head * u, y - 0.7 * head * v);
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - head * u + 0.45 * head * v, y - head * v - 0.45 * head * u);
      ctx.lineTo(x - head * u - 0.45 * head * v, y - head * v + 0.45 * head * u);
      ctx.closePath();
      ctx.fill();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  },
};
