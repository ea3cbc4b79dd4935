// Grid, ticks and titles as SVG: on the screen and in a saved picture. No DOM.

import { TICK, TITLE } from "./axes.js";

/** @import { Axes, Colours } from "../types.d.ts" */

const LINE = 16;

/**
 * Text that may stand in SVG: names of columns come from files.
 * @param {unknown} text
 */
export const inert = (text) => String(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

const px = (/** @type {number} */ n) => String(Math.round(100 * n) / 100);
const crisp = (/** @type {number} */ n) => String(Math.round(n - 0.5) + 0.5); // one row of pixels, not two half ones

/** @param {Axes} axes */
function grid({ area, x, y }) {
  const [right, bottom] = [area.left + area.width, area.top + area.height];
  const upright = x.grid.map((at) => `M${crisp(at)} ${px(area.top)}V${px(bottom)}`);
  const level = y.grid.map((at) => `M${px(area.left)} ${crisp(at)}H${px(right)}`);
  return [...upright, ...level].join("");
}

/** @param {Axes} axes */
function sides({ area, x, y }) {
  if (!x.grid.length && !y.grid.length) return "";
  return `M${crisp(area.left)} ${px(area.top)}V${crisp(area.top + area.height)}H${px(area.left + area.width)}`;
}

/** @param {Axes} axes */
function words({ area, x, y }) {
  const bottom = area.top + area.height;
  const under = x.labels.map(({ at, text }) =>
    x.turn
      ? `<text text-anchor="end" transform="translate(${px(at + 4)} ${px(bottom + 12)}) rotate(${x.turn})">${inert(text)}</text>`
      : `<text text-anchor="middle" x="${px(at)}" y="${px(bottom + 16)}">${inert(text)}</text>`,
  );
  const beside = y.labels.map(
    ({ at, text }) => `<text text-anchor="end" x="${px(area.left - 6)}" y="${px(at + 4)}">${inert(text)}</text>`,
  );
  return [...under, ...beside].join("");
}

/** @param {Axes} axes */
function titles({ area, x, y }) {
  const middle = { x: px(area.left + area.width / 2), y: px(area.top + area.height / 2) };
  const below = x.title.map(
    (line, k) =>
      `<text text-anchor="middle" x="${middle.x}" y="${px(x.titleAt + 12 + LINE * k)}">${inert(line)}</text>`,
  );
  const lines = y.title.length;
  const beside = y.title.map((line, k) => {
    const at = px(y.titleAt - 2 - LINE * (lines - 1 - k));
    return `<text text-anchor="middle" transform="translate(${at} ${middle.y}) rotate(-90)">${inert(line)}</text>`;
  });
  return [...below, ...beside].join("");
}

/**
 * The still frame of a panel. `family`: the typeface where none is inherited; `unit`: pixels of a unit of the axes.
 * @param {Axes} axes
 * @param {{ width: number, height: number }} size
 * @param {Pick<Colours, "grid" | "faint" | "muted">} colours
 */
export function axesSvg(axes, { width, height }, colours, family = "inherit", unit = 1) {
  const larger = unit === 1 ? "" : ` viewBox="0 0 ${px(width / unit)} ${px(height / unit)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}"${larger} font-family="${inert(family)}" fill="${colours.faint}">` +
    `<path d="${grid(axes)}" fill="none" stroke="${colours.grid}"/>` +
    `<path d="${sides(axes)}" fill="none" stroke="${colours.muted}"/>` +
    `<g font-size="${TICK}">${words(axes)}</g><g font-size="${TITLE}">${titles(axes)}</g></svg>`
  );
}
