// The layers of a panel, drawn with the few canvas calls that export.js can record as SVG too.

import { context, element } from "./dom.js";
import { labelBuffer, nearest, paint, rgb } from "./regions.js";
import { roleColour, shade } from "./theme.js";

/** @import { Colours, Env, Kind, Layer, LayerOf, Numbers, Surface } from "./types.d.ts" */

/** @typedef {{ role?: string | number, alpha?: number, width?: number, dash?: boolean }} Pen */

const CELL = 2; // pixels of a region cell

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

/**
 * @param {Pen} layer
 * @param {Numbers} labels
 * @param {number} p
 */
const roleOf = (layer, labels, p) => layer.role ?? labels[p];

/**
 * Layer kind -> drawing.
 * @type {{ [K in Kind]: (ctx: Surface, layer: LayerOf<K>, env: Env) => void }}
 */
export const LAYERS = {
  regions(ctx, layer, env) {
    drawRegions(ctx, layer, env, layer.alpha ?? 0.2, env.colours.ground, 0);
  },
  boundary(ctx, layer, env) {
    drawRegions(ctx, layer, env, 0, shade(env.colours, layer.role ?? "nonprivate"), 0.85);
  },
  points(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const labels = env.get(layer.labels);
    const r = layer.size ?? 2.2;
    ctx.globalAlpha = layer.alpha ?? 0.75;
    for (let i = 0; i < labels.length; i++) {
      ctx.fillStyle = shade(env.colours, roleOf(layer, labels, i));
      symbol(ctx, labels[i], env.x(xy[2 * i]), env.y(xy[2 * i + 1]), r);
      ctx.fill();
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
    note(ctx, layer, env, x + 5, env.area.top + 13);
  },
  hline(ctx, layer, env) {
    const y = env.y(env.scalar(layer.at));
    stroke(ctx, layer, env);
    ctx.beginPath();
    ctx.moveTo(env.area.left, y);
    ctx.lineTo(env.area.left + env.area.width, y);
    ctx.stroke();
    ctx.setLineDash([]);
    note(ctx, layer, env, env.area.left + 6, y - 5);
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
  field(ctx, layer, env) {
    drawField(ctx, layer, env);
  },
  shade(ctx, layer, env) {
    const values = env.get(layer.values);
    const side = Math.round(Math.sqrt(values.length));
    const [x0, x1, y0, y1] = layer.extent;
    const [low, high] = layer.range;
    const tint = tinted(values, side, low, high, shade(env.colours, layer.role ?? "private"), layer.alpha ?? 0.55);
    const half = [(x1 - x0) / (2 * (side - 1)), (y1 - y0) / (2 * (side - 1))]; // values sit mid-cell
    const [left, top] = [env.x(x0 - half[0]), env.y(y1 + half[1])];
    ctx.imageSmoothingEnabled = true;
    ctx.drawImage(tint, left, top, env.x(x1 + half[0]) - left, env.y(y0 - half[1]) - top);
  },
  handle() {}, // an element of its own: see panels.js
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

/** @type {HTMLCanvasElement | null} */
let tint = null;

/**
 * Fill a small canvas: full colour at `low`, nothing from `high` on; rows from the bottom.
 * @param {Numbers} values
 * @param {number} side
 * @param {number} low
 * @param {number} high
 * @param {string} colour
 * @param {number} alpha
 */
function tinted(values, side, low, high, colour, alpha) {
  tint ??= element("canvas");
  if (tint.width !== side) tint.width = tint.height = side;
  const ctx = context(tint);
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1); // lets the browser read any way to write a colour
  const [r, g, b] = ctx.getImageData(0, 0, 1, 1).data;
  const image = ctx.createImageData(side, side);
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const part = 1 - (values[(side - 1 - j) * side + i] - low) / (high - low);
      image.data.set([r, g, b, 255 * alpha * Math.min(Math.max(part, 0), 1)], 4 * (j * side + i));
    }
  }
  ctx.putImageData(image, 0, 0);
  return tint;
}

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
 * @param {Surface} ctx
 * @param {{ label?: string, role?: string | number }} layer
 * @param {Env} env
 * @param {number} x
 * @param {number} y
 */
function note(ctx, layer, env, x, y) {
  if (!layer.label) return;
  ctx.font = "12px system-ui, sans-serif";
  ctx.fillStyle = shade(env.colours, layer.role ?? "text");
  ctx.fillText(layer.label, x, y);
}

/**
 * @param {Surface} ctx
 * @param {LayerOf<"regions"> | LayerOf<"boundary">} layer
 * @param {Env} env
 * @param {number} fill
 * @param {string} edge
 * @param {number} edgeAlpha
 */
function drawRegions(ctx, layer, env, fill, edge, edgeAlpha) {
  const { area, colours } = env;
  const centres = env.get(layer.centres);
  if (!Number.isFinite(centres[0])) return; // a classifier that is not known
  const width = Math.max(1, Math.round(area.width / CELL));
  const height = Math.max(1, Math.round(area.height / CELL));
  const labels = env.get(layer.labels);
  const out = labelBuffer(width * height);
  const toX = (/** @type {number} */ i) => env.invX(area.left + ((i + 0.5) * area.width) / width);
  const toY = (/** @type {number} */ j) => env.invY(area.top + ((j + 0.5) * area.height) / height);
  const x0 = toX(0);
  const dx = toX(1) - x0;
  const y0 = toY(0);
  const dy = toY(1) - y0;
  nearest(
    centres,
    labels,
    width,
    height,
    (i) => x0 + dx * i,
    (j) => y0 + dy * j,
    out,
  );
  const line = { colour: edge.startsWith("#") ? edge : colours.dark ? "#0e1117" : "#ffffff", alpha: edgeAlpha || 0.9 };
  const canvas = paint(out, width, height, colours.classes, fill, line);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(canvas, area.left, area.top, area.width, area.height);
}

let lattice = new Float32Array(0); // one for all fields: a frame would else leave a megabyte behind
/** @type {{ canvas: HTMLCanvasElement, image: ImageData } | null} */
let bitmap = null;

/**
 * A probability on a square lattice, drawn between its points; the border where it is one half.
 * @param {Surface} ctx
 * @param {LayerOf<"field">} layer
 * @param {Env} env
 */
function drawField(ctx, layer, env) {
  const values = env.get(layer.values);
  const side = Math.round(Math.sqrt(values.length));
  const [x0, x1, y0, y1] = layer.extent;
  const left = Math.max(env.x(x0), env.area.left);
  const right = Math.min(env.x(x1), env.area.left + env.area.width);
  const top = Math.max(env.y(y1), env.area.top);
  const bottom = Math.min(env.y(y0), env.area.top + env.area.height);
  const width = Math.max(1, Math.round((right - left) / CELL));
  const height = Math.max(1, Math.round((bottom - top) / CELL));
  const scaleX = (side - 1) / (x1 - x0);
  const scaleY = (side - 1) / (y1 - y0);
  if (lattice.length < width * height) lattice = new Float32Array(width * height);
  const sampled = lattice.subarray(0, width * height);
  for (let j = 0; j < height; j++) {
    const v = (env.invY(top + ((j + 0.5) * (bottom - top)) / height) - y0) * scaleY;
    const row = Math.min(Math.max(Math.floor(v), 0), side - 2);
    const b = v - row;
    for (let i = 0; i < width; i++) {
      const u = (env.invX(left + ((i + 0.5) * (right - left)) / width) - x0) * scaleX;
      const column = Math.min(Math.max(Math.floor(u), 0), side - 2);
      const a = u - column;
      const at = row * side + column;
      const low = values[at] * (1 - a) + values[at + 1] * a;
      const high = values[at + side] * (1 - a) + values[at + side + 1] * a;
      sampled[j * width + i] = low * (1 - b) + high * b;
    }
  }
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(painted(sampled, width, height, layer, env.colours), left, top, right - left, bottom - top);
}

/**
 * @param {number} width
 * @param {number} height
 */
function bitmapOf(width, height) {
  if (!bitmap || bitmap.canvas.width !== width || bitmap.canvas.height !== height) {
    const canvas = element("canvas");
    canvas.width = width;
    canvas.height = height;
    bitmap = { canvas, image: new ImageData(width, height) };
  }
  return bitmap;
}

/**
 * @param {Float32Array} sampled
 * @param {number} width
 * @param {number} height
 * @param {LayerOf<"field">} layer
 * @param {Colours} colours
 */
function painted(sampled, width, height, layer, colours) {
  const { canvas, image } = bitmapOf(width, height);
  const { data } = image;
  const classes = [rgb(colours.classes[0]), rgb(colours.classes[1])];
  const border = rgb(layer.role ? roleColour(colours, layer.role) : colours.dark ? "#0e1117" : "#ffffff");
  for (let at = 0; at < sampled.length; at++) {
    const p = sampled[at];
    const one = p > 0.5;
    const edge =
      ((at + 1) % width && sampled[at + 1] > 0.5 !== one) ||
      (at + width < sampled.length && sampled[at + width] > 0.5 !== one);
    const colour = edge ? border : classes[one ? 1 : 0];
    data[4 * at] = colour[0];
    data[4 * at + 1] = colour[1];
    data[4 * at + 2] = colour[2];
    data[4 * at + 3] = edge ? 235 : layer.line ? 0 : 255 * (0.06 + 0.4 * Math.abs(2 * p - 1));
  }
  context(canvas).putImageData(image, 0, 0);
  return canvas;
}
