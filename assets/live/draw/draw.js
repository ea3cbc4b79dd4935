// The layers of a panel, drawn with the few canvas calls that frame/export.js can record as SVG too. Those that fill an
// area with pixels are in areas.js.

import { ANNOTATIONS, laid, write } from "./annotations.js";
import { AREAS } from "./areas.js";
import { CARDS } from "./cards.js";
import { COUNTED } from "./counted.js";
import { PHONES } from "./phones.js";
import { RAIN } from "./rain.js";
import { shade } from "./theme.js";

/** @import { Drawing, Env, Kind, Layer, LayerOf, Numbers, Surface } from "../types.d.ts" */
/** @typedef {{ role?: string | number, alpha?: number, width?: number, dash?: boolean }} Pen */

const N_COINS = 100;
const COLUMNS = 5;
const CENTER = /** @type {"center"} */ ("center");

/**
 * Return the role of a layer, or else the class of its p-th mark.
 * @param {Pen} layer
 * @param {Numbers} labels
 * @param {number} p
 */
const roleOf = (layer, labels, p) => layer.role ?? labels[p];

/**
 * @param {Surface} ctx
 * @param {Pen} layer
 * @param {Env} env
 */
function stroke(ctx, layer, env) {
  ctx.strokeStyle = shade(env.colours, layer.role ?? "private", layer.alpha ?? 1);
  ctx.lineWidth = layer.width ?? 2;
  ctx.setLineDash(layer.dash ? [6, 5] : []);
}

/**
 * Lines: curves, bands, paths, cursors, bars.
 * @type {{ [K in "paths" | "line" | "parabolas" | "band" | "vline" | "hline" | "bars"]: Drawing<K> }}
 */
const CURVES = {
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
 * Draw an open purse: a ground of its own, so that no line of the grid crosses the coins, and walls around them.
 * @param {Surface} ctx
 * @param {number} x its left wall
 * @param {number} bottom
 * @param {number} width
 * @param {number} height
 * @param {Env} env
 */
function purse(ctx, x, bottom, width, height, env) {
  ctx.fillStyle = env.colours.ground;
  ctx.fillRect(x, bottom - height, width, height);
  ctx.strokeStyle = shade(env.colours, "text");
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, bottom - height);
  ctx.lineTo(x, bottom - 1);
  ctx.lineTo(x + width, bottom - 1);
  ctx.lineTo(x + width, bottom - height);
  ctx.stroke();
}

/**
 * Say above a purse how many coins are left, or how far they went.
 * @param {Surface} ctx
 * @param {LayerOf<"coins">} layer
 * @param {number} left
 * @param {Env} env
 */
function tell(ctx, { x, words_left: some, words_empty: none, role = "private" }, left, env) {
  const words = left > 0 ? some : none;
  if (!words?.length) return;
  const whole = left < N_COINS ? Math.min(Math.round(left), N_COINS - 1) : N_COINS;
  const texts = words.map((text) => text.replace("{coins}", left < 1 ? "less than 1" : String(whole)));
  const [at, room] = [env.x(x), env.x(x + 0.48) - env.x(x - 0.48)];
  const told = texts.map((text) => ({ text, x: at, y: env.y(1) - 6, align: CENTER, above: true, role }));
  const wide = (/** @type {typeof told[0]} */ one) => laid(one, env)?.box.width ?? 0;
  write(ctx, told.find((one) => wide(one) <= room) ?? told[told.length - 1], env);
}

/**
 * Draw the outline of bars, so that others can be seen through it.
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

/**
 * Add the outline of a mark to the path: each class has a shape of its own.
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

/**
 * Return the place of a point in an extent: a point outside is where its way from the middle crosses the edge.
 * @param {[number, number, number, number]} within
 * @param {number} x
 * @param {number} y
 */
function towards([left, right, bottom, top], x, y) {
  const [middle, level] = [(left + right) / 2, (bottom + top) / 2];
  const far = Math.max(Math.abs(x - middle) / (right - middle), Math.abs(y - level) / (top - level));
  return far > 1 ? [middle + (x - middle) / far, level + (y - level) / far] : [x, y];
}

/**
 * Marks: points of data, prototypes, outcomes, arrows.
 * @type {{ [K in "points" | "markers" | "cloud" | "coins" | "dot" | "arrows"]: Drawing<K> }}
 */
const MARKS = {
  points(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const labels = env.get(layer.labels);
    const r = layer.size ?? 2.2;
    ctx.globalAlpha = layer.alpha ?? 0.75;
    ctx.lineWidth = 1.2;
    for (let i = 0; i < labels.length; i++) {
      const [x, y] = [xy[2 * i], xy[2 * i + 1]];
      const [near, level] = layer.within ? towards(layer.within, x, y) : [x, y];
      const named = layer.roles?.[labels[i]];
      const colour = shade(env.colours, named ?? roleOf(layer, labels, i));
      symbol(ctx, named ? 0 : labels[i], env.x(near), env.y(level), r);
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
  coins(ctx, layer, env) {
    const left = N_COINS * Math.min(Math.max(1 - env.scalar(layer.spent) / env.scalar(layer.budget), 0), 1);
    if (!Number.isFinite(left)) return;
    const [x0, bottom] = [env.x(layer.x - layer.width / 2), env.y(0)];
    const across = (env.x(layer.x + layer.width / 2) - x0) / COLUMNS;
    const up = (bottom - env.y(1)) / (N_COINS / COLUMNS);
    const r = 0.42 * Math.min(across, up);
    purse(ctx, x0 - r, bottom, COLUMNS * across + 2 * r, bottom - env.y(1), env);
    ctx.fillStyle = shade(env.colours, layer.role ?? "private");
    ctx.strokeStyle = shade(env.colours, "muted", 0.3);
    ctx.lineWidth = 1.2;
    for (let k = 0; k < N_COINS; k++) {
      ctx.beginPath();
      ctx.arc(x0 + across * ((k % COLUMNS) + 0.5), bottom - up * (Math.floor(k / COLUMNS) + 0.5), r, 0, 2 * Math.PI);
      ctx.globalAlpha = Math.min(Math.max(left - k, 0), 1); // the last one is partly spent
      if (ctx.globalAlpha) ctx.fill();
      ctx.globalAlpha = 1;
      if (left - k < 1) ctx.stroke();
    }
    tell(ctx, layer, left, env);
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

/**
 * Layer kind -> drawing.
 * @type {{ [K in Kind]: Drawing<K> }}
 */
export const LAYERS = {
  ...AREAS,
  ...CURVES,
  ...MARKS,
  ...RAIN,
  ...CARDS,
  ...COUNTED,
  ...PHONES,
  readings() {}, // under the pictures of a mosaic: see readings.js
  ...ANNOTATIONS,
  handle() {}, // an element of its own: see controls/draggable_points.js
};

/**
 * Draw a layer of any kind.
 * @param {Surface} ctx
 * @param {Layer} layer
 * @param {Env} env
 */
export function draw(ctx, layer, env) {
  const drawing = /** @type {(ctx: Surface, layer: Layer, env: Env) => void} */ (
    /** @type {unknown} */ (LAYERS[layer.kind])
  );
  drawing(ctx, layer, env);
}
