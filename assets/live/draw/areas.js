// Layers that fill an area: decision regions as polygons; probabilities and shades as small canvases of whole cells.

import { keptCanvas } from "./canvas.js";
import { contour } from "./contours.js";
import { context, element } from "./dom.js";
import { between, sampled, shaded } from "./raster.js";
import { cells } from "./regions.js";
import { roleColour, shade } from "./theme.js";

/** @import { Drawing, Env, LayerOf, Numbers, Surface } from "../types.d.ts" */

const CELL = 3; // pixels of a cell of a field, between which it is smoothed
const bitmap = keptCanvas();
/** @type {HTMLCanvasElement | null} */
let tint = null;

/** @type {{ [K in "regions" | "boundary" | "field" | "shade"]: Drawing<K> }} */
export const AREAS = {
  regions(ctx, layer, env) {
    const found = cellsOf(layer, env);
    if (!found) return;
    const { ground, classes } = env.colours;
    ctx.globalAlpha = layer.alpha ?? 0.2;
    for (const [label, polygons] of found.fills) {
      ctx.fillStyle = classes[label % classes.length];
      fill(ctx, polygons, env);
    }
    ctx.globalAlpha = 1;
    ctx.strokeStyle = ground;
    ctx.lineWidth = 2;
    border(ctx, found.edges, env);
  },
  boundary(ctx, layer, env) {
    const found = cellsOf(layer, env);
    if (!found) return;
    ctx.strokeStyle = shade(env.colours, layer.role ?? "nonprivate", 0.85);
    ctx.lineWidth = 1.6;
    border(ctx, found.edges, env);
  },
  field(ctx, layer, env) {
    const [x0, x1, y0, y1] = layer.extent;
    const { area, colours } = env;
    const left = Math.max(env.x(x0), area.left);
    const right = Math.min(env.x(x1), area.left + area.width);
    const top = Math.max(env.y(y1), area.top);
    const bottom = Math.min(env.y(y0), area.top + area.height);
    const width = Math.max(1, Math.round((right - left) / CELL));
    const height = Math.max(1, Math.round((bottom - top) / CELL));
    const values = env.get(layer.values);
    if (!layer.line) {
      const seen = sampled(values, layer.extent, env, { left, right, top, bottom }, width, height);
      const { canvas, image } = bitmap(width, height);
      between(image.data, seen, [colours.classes[0], colours.classes[1]]);
      context(canvas).putImageData(image, 0, 0);
      ctx.imageSmoothingEnabled = true;
      ctx.drawImage(canvas, left, top, right - left, bottom - top);
    }
    ctx.strokeStyle = layer.role ? roleColour(colours, layer.role) : colours.ground;
    ctx.lineWidth = layer.line ? 1.8 : 3;
    border(ctx, contour(values, layer.extent), env);
  },
  shade(ctx, layer, env) {
    const values = env.get(layer.values);
    const side = Math.round(Math.sqrt(values.length));
    const [x0, x1, y0, y1] = layer.extent;
    const [low, high] = layer.range;
    const alpha = layer.alpha ?? (env.colours.dark ? 0.25 : 0.55); // points on it stay visible in the dark theme
    const tint = tinted(values, side, [low, high], shade(env.colours, layer.role ?? "private"), alpha);
    const half = [(x1 - x0) / (2 * (side - 1)), (y1 - y0) / (2 * (side - 1))]; // values sit mid-cell
    const [left, top] = [env.x(x0 - half[0]), env.y(y1 + half[1])];
    ctx.imageSmoothingEnabled = true;
    ctx.drawImage(tint, left, top, env.x(x1 + half[0]) - left, env.y(y0 - half[1]) - top);
  },
};

/**
 * Return a small canvas with one colour: opaque at the low end of the range, transparent from the high end on.
 * @param {Numbers} values rows from the bottom
 * @param {number} side
 * @param {[number, number]} range
 * @param {string} colour
 * @param {number} alpha
 */
function tinted(values, side, range, colour, alpha) {
  tint ??= element("canvas");
  if (tint.width !== side) tint.width = tint.height = side;
  const ctx = context(tint);
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1); // lets the browser read any way to write a colour
  const [r, g, b] = ctx.getImageData(0, 0, 1, 1).data;
  const image = ctx.createImageData(side, side);
  shaded(image.data, values, side, range, [r, g, b], alpha);
  ctx.putImageData(image, 0, 0);
  return tint;
}

/**
 * Return the cells of a layer's centres in the frame; null where the classifier is not computed yet.
 * @param {LayerOf<"regions"> | LayerOf<"boundary">} layer
 * @param {Env} env
 */
function cellsOf(layer, { area, get, invX, invY }) {
  const centres = get(layer.centres);
  if (!Number.isFinite(centres[0])) return null;
  const { left, top, width, height } = area;
  const box = { x0: invX(left), x1: invX(left + width), y0: invY(top + height), y1: invY(top) };
  return cells(centres, get(layer.labels), box);
}

/**
 * Fill polygons as one path, so that no seam is left between them.
 * @param {Surface} ctx
 * @param {number[][]} polygons x, y and one more number of each corner
 * @param {Env} env
 */
function fill(ctx, polygons, env) {
  ctx.beginPath();
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.length; i += 3) {
      if (i) ctx.lineTo(env.x(polygon[i]), env.y(polygon[i + 1]));
      else ctx.moveTo(env.x(polygon[i]), env.y(polygon[i + 1]));
    }
    ctx.closePath();
  }
  ctx.fill();
}

/**
 * @param {Surface} ctx
 * @param {number[]} edges
 * @param {Env} env
 */
function border(ctx, edges, env) {
  ctx.beginPath();
  for (let i = 0; i < edges.length; i += 4) {
    ctx.moveTo(env.x(edges[i]), env.y(edges[i + 1]));
    ctx.lineTo(env.x(edges[i + 2]), env.y(edges[i + 3]));
  }
  ctx.stroke();
}
