// Layers that fill an area with pixels: decision regions, probabilities, shades. Drawn as small canvases of whole
// cells.

import { keptCanvas } from "./canvas.js";
import { context, element } from "./dom.js";
import { between, sampled, shaded } from "./raster.js";
import { labelBuffer, nearest, paint } from "./regions.js";
import { roleColour, shade } from "./theme.js";

/** @import { Drawing, Env, LayerOf, Numbers, Surface } from "../types.d.ts" */

const CELL = 2; // pixels of a region cell
const bitmap = keptCanvas();
/** @type {HTMLCanvasElement | null} */
let tint = null;

/** @type {{ [K in "regions" | "boundary" | "field" | "shade"]: Drawing<K> }} */
export const AREAS = {
  regions(ctx, layer, env) {
    drawRegions(ctx, layer, env, layer.alpha ?? 0.2, env.colours.ground, 0);
  },
  boundary(ctx, layer, env) {
    drawRegions(ctx, layer, env, 0, shade(env.colours, layer.role ?? "nonprivate"), 0.85);
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
    const values = sampled(env.get(layer.values), layer.extent, env, { left, right, top, bottom }, width, height);
    const { canvas, image } = bitmap(width, height);
    const border = layer.role ? roleColour(colours, layer.role) : colours.dark ? "#0e1117" : "#ffffff";
    between(image.data, values, width, [colours.classes[0], colours.classes[1]], border, layer.line ?? false);
    context(canvas).putImageData(image, 0, 0);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(canvas, left, top, right - left, bottom - top);
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
  if (!Number.isFinite(centres[0])) return; // the classifier is not computed yet
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
