// Words at a place of a panel, filled with the present values: they do not look for room as the labels of curves do.

import { wrapped } from "./axes.js";
import { legible, roleColour } from "./theme.js";

/** @import { Drawing, Env, LayerOf, Surface } from "../types.d.ts" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/**
 * Words in pixels.
 * @typedef {object} Words
 * @property {string} text a template
 * @property {number} x where they begin, end, or have their middle
 * @property {number} y the middle of their lines
 * @property {boolean} [above] whether all lines lie above `y` instead
 * @property {"left" | "center" | "right"} [align] which part of them lies at `x`
 * @property {number} [room] width at which they are broken into lines
 */

const LINE = 1.3; // heights of the type from one line to the next
const EDGE = 4; // pixels to the edge of the panel, which no words cross
const PAD = 0.45; // of it around words on a ground of their own

/**
 * Return the lines of some words and the box around them; null where no values are given to fill them with.
 * @param {Words} words
 * @param {Env} env
 */
export function laid({ text, x, y, align = "left", above = false, room = Infinity }, { lettering, area }) {
  if (!lettering || !Number.isFinite(x + y)) return null;
  const { size, family } = lettering.type;
  const font = `600 ${size}px ${family}`;
  const lines = wrapped(lettering.fill(text), room, (line) => lettering.measure(line, font));
  const widths = lines.map((line) => lettering.measure(line, font));
  const width = Math.max(0, ...widths);
  const height = LINE * size * lines.length;
  const wish = { left: x, center: x - width / 2, right: x - width }[align];
  const left = Math.max(area.left + EDGE, Math.min(wish, area.left + area.width - EDGE - width));
  const spare = (/** @type {number} */ own) => ({ left: 0, center: (width - own) / 2, right: width - own })[align];
  const box = { x: left, y: above ? y - height : y - height / 2, width, height };
  const placed = lines.map((line, k) => ({
    text: line,
    x: left + spare(widths[k]),
    y: box.y + LINE * size * k + (0.5 * LINE + 0.36) * size,
    width: widths[k],
  }));
  return { lines: placed, box, font };
}

/**
 * Write words with a halo of the ground, or on a ground of their own.
 * @param {Surface} ctx
 * @param {Words & { role?: string | number, stamped?: boolean }} words
 * @param {Env} env
 */
export function write(ctx, { role = "text", stamped = false, ...words }, env) {
  const found = laid(words, env);
  if (!found) return;
  const { colours } = env;
  const own = typeof role === "number" ? colours.classes[role % 10] : roleColour(colours, role);
  const colour = legible(own, colours.ground);
  if (stamped) {
    const { x, y, width, height } = found.box;
    const pad = (PAD * height) / found.lines.length;
    ctx.fillStyle = colour;
    ctx.fillRect(x - pad, y - pad / 3, width + 2 * pad, height + (2 * pad) / 3);
  }
  ctx.font = found.font;
  ctx.textAlign = "left";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3.6;
  ctx.strokeStyle = colours.ground;
  ctx.fillStyle = stamped ? colours.ground : colour;
  for (const { text, x, y, width } of found.lines) {
    if (!stamped) ctx.strokeText(text, x, y, width);
    ctx.fillText(text, x, y, width);
  }
}

/**
 * Return the words of a layer in pixels: the short ones in a narrow panel.
 * @param {LayerOf<"annotation">} layer
 * @param {Env} env
 * @returns {Words}
 */
function wordsOf({ x, y, words, words_short: short, align = "left", dx = 0, dy = 0 }, env) {
  const narrow = Boolean(short) && env.area.width < NARROW;
  return {
    text: narrow ? String(short) : words,
    x: env.x(env.scalar(x)) + dx,
    y: env.y(env.scalar(y)) + dy,
    align,
  };
}

const NARROW = 380; // pixels below which the short words stand

/**
 * Return the box of an annotation, which labels of curves do not cover; null where nothing is written.
 * @param {LayerOf<"annotation">} layer
 * @param {Env} env
 * @returns {Box | null}
 */
export const boxOf = (layer, env) => laid(wordsOf(layer, env), env)?.box ?? null;

/** @type {{ annotation: Drawing<"annotation"> }} */
export const ANNOTATIONS = {
  annotation(ctx, layer, env) {
    write(ctx, { ...wordsOf(layer, env), role: layer.role ?? "text", stamped: layer.stamped ?? false }, env);
  },
};
