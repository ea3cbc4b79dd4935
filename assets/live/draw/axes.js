// The axes of a panel: the layout of its area, ticks and titles, and their SVG. No DOM.

import { equalArea, fromAxis, scalesOf, toAxis } from "./scales.js";
import { ticksOf } from "./ticks.js";

/** @import { Axes, Axis, Colours, Label, PanelSpec, Span, View } from "../types.d.ts" */
/** @typedef {(text: string, size: number) => number} Measure the width of a text */

const TICK = 13; // pixels of type
const TITLE = 14;
const LINE = 16; // pixels from one line of a title to the next
const EDGE = { top: 8, right: 12, bottom: 44, left: 52 }; // least margins around the area
const MARK = 6; // pixels of the mark of a tick above the area
const TIGHT = 15; // pixels from one line of a name to the next
const MOST = 3; // lines of a name before it is turned
const GAP = 6; // between the area and the words beside it

/**
 * Break a text into as few lines as fit; a word that is too long by itself stays whole.
 * @param {string} text
 * @param {number} room
 * @param {Measure} measure
 */
export function wrapped(text, room, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && measure(longer, TITLE) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return text ? lines : [];
}

/** @typedef {Label & { value: number }} Valued */

/**
 * Leave out labels until no two touch: on a logarithmic axis all but powers of ten first, then every second, third, ...
 * @param {Axis} axis
 * @param {Valued[]} all
 * @param {(labels: Valued[]) => boolean} apart
 */
function thinned({ log }, all, apart) {
  if (apart(all)) return all;
  const tens = log ? all.filter(({ value }) => Math.abs(Math.log10(value) % 1) < 1e-9) : [];
  if (tens.length > 1 && apart(tens)) return tens;
  for (let every = 2; every < all.length; every++) {
    const labels = all.filter((_, k) => k % every === 0);
    if (apart(labels)) return labels;
  }
  return all.slice(0, 1);
}

/**
 * Return whether an axis has names instead of numbers.
 * @param {Axis} axis
 */
const named = ({ words }) => Boolean(words?.some((word) => Number.isNaN(Number(word))));

/**
 * Return labels side by side of which no two touch; names go on in further lines where they do not fit, and are turned
 * where that is not enough.
 * @param {Axis} axis
 * @param {Valued[]} all
 * @param {Measure} measure
 * @returns {{ labels: Label[], turn: number }} `lines` of a label: where it has several
 */
export function readable(axis, all, measure) {
  const apart = (/** @type {Valued[]} */ labels) => {
    const wide = labels.map((label) => measure(label.text, TICK) / 2);
    return labels.every((label, k) => !k || label.at - wide[k] - (labels[k - 1].at + wide[k - 1]) >= GAP);
  };
  if (!named(axis) || apart(all)) return { labels: thinned(axis, all, apart), turn: 0 };
  const closest = Math.min(...all.slice(1).map((label, k) => label.at - all[k].at));
  const broken = all.map((label) => ({
    ...label,
    lines: wrapped(label.text, closest - GAP, (text) => measure(text, TICK)),
  }));
  const fits = (/** @type {string} */ line) => measure(line, TICK) <= closest - GAP;
  if (broken.every(({ lines }) => lines.length <= MOST && lines.every(fits))) return { labels: broken, turn: 0 };
  return { labels: all, turn: closest > 2 * TICK ? -35 : -90 };
}

/**
 * Return labels one above another of which no two touch.
 * @param {Axis} axis
 * @param {Valued[]} all
 */
function stacked(axis, all) {
  return named(axis)
    ? all
    : thinned(axis, all, (labels) => labels.every(({ at }, k) => !k || Math.abs(at - labels[k - 1].at) >= TICK));
}

/**
 * @param {Axis} axis
 * @param {Span} ends in the units of the axis
 * @param {number} length
 * @param {number} each least pixels from one tick to the next
 */
function ticksAlong(axis, ends, length, each) {
  const span = /** @type {Span} */ (ends.map((end) => fromAxis(axis, end)));
  return ticksOf(axis, span, Math.min(Math.max(length / each, 4), 9) + 1);
}

/**
 * Lay out the left side: ticks, their widest text, the lines of the title.
 * @param {Axis} axis
 * @param {Span} ends
 * @param {number} length
 * @param {Measure} measure
 */
function beside(axis, ends, length, measure) {
  const ticks = ticksAlong(axis, ends, length, 110);
  const title = wrapped(axis.title, length, measure);
  const widest = Math.max(0, ...ticks.map(({ text }) => measure(text, TICK)));
  return { ticks, title, widest, left: Math.max(EDGE.left, 2 * GAP + 2 + widest + LINE * title.length) };
}

/**
 * Lay out the bottom between two pixels: no label leaves the panel on the right.
 * @param {Axis} axis
 * @param {Span} ends
 * @param {{ left: number, right: number }} room
 * @param {Measure} measure
 */
function below(axis, ends, { left, right }, measure) {
  const ticks = ticksAlong(axis, ends, right - EDGE.right - left, 110);
  const last = ticks[ticks.length - 1];
  const half = last ? measure(last.text, TICK) / 2 : 0;
  const spill = axis.words && half > 2 * TICK ? 0 : half; // long names are turned
  const width = Math.max(right - left - Math.max(EDGE.right, spill + 2), 10);
  const pixel = (/** @type {number} */ at) => left + ((toAxis(axis, at) - ends[0]) / (ends[1] - ends[0])) * width;
  const all = ticks.map(({ at, text }) => ({ at: pixel(at), text, value: at }));
  const { labels, turn } = readable(axis, all, measure);
  const tallest = Math.max(1, ...labels.map(({ lines }) => lines?.length ?? 1));
  const longest = Math.max(0, ...labels.map(({ text }) => measure(text, TICK)));
  const deep = turn ? Math.ceil(longest * Math.sin((-turn * Math.PI) / 180)) + GAP : LINE + TIGHT * (tallest - 1);
  const title = wrapped(axis.title, 2 * (right - left) - width - GAP, measure); // its middle is that of the area
  const bottom = Math.max(EDGE.bottom, deep + 2 * GAP + LINE * title.length);
  return { grid: all.map(({ at }) => at), labels, turn, title, width, bottom, titleAt: deep + GAP };
}

/**
 * Lay out the second scale of the horizontal axis, above the area: its title, and under the title its labels.
 * @param {Axis} axis
 * @param {Axis} below the axis whose range it shares
 * @param {Span} ends
 * @param {{ left: number, width: number }} area
 * @param {number} room pixels for the title
 * @param {Measure} measure
 */
function above(axis, below, ends, { left, width }, room, measure) {
  const { range, log } = below;
  const pixel = (/** @type {number} */ at) => left + ((toAxis(below, at) - ends[0]) / (ends[1] - ends[0])) * width;
  const ticks = ticksAlong({ ...axis, range, log }, ends, width, 40);
  const all = ticks.map(({ at, text }) => ({ at: pixel(at), text, value: at }));
  const { labels } = readable({ ...axis, log }, all, measure);
  const title = wrapped(axis.title, room, measure);
  const deep = LINE * title.length + (all.length ? LINE + MARK : 0) + GAP;
  return { grid: labels.map(({ at }) => at), labels, turn: 0, title, titleAt: 0, deep };
}

/**
 * Lay out a panel with axes.
 * @param {Pick<PanelSpec, "x" | "y"> & Partial<Pick<PanelSpec, "top">>} spec
 * @param {View} view
 * @param {{ width: number, height: number }} size
 * @param {Measure} measure
 * @returns {Axes}
 */
function withAxes(spec, view, { width, height }, measure) {
  const up = beside(spec.y, view.y, height - EDGE.top - EDGE.bottom, measure);
  const { grid, labels, turn, title, ...low } = below(spec.x, view.x, { left: up.left, right: width }, measure);
  const ground = { left: up.left, width: low.width };
  const high = spec.top ? above(spec.top, spec.x, view.x, ground, low.width, measure) : null;
  const top = high ? high.deep : EDGE.top;
  const tall = Math.max(height - top - low.bottom, 10);
  const area = { ...ground, top, height: tall };
  const { y } = scalesOf(spec, view, area);
  const words = up.ticks.map(({ at, text }) => ({ at: y(at), text, value: at }));
  return {
    area,
    x: { grid, labels, turn, title, titleAt: area.top + tall + low.titleAt },
    y: {
      grid: words.map(({ at }) => at),
      labels: stacked(spec.y, words),
      turn: 0,
      title: up.title,
      titleAt: up.left - 2 * GAP - up.widest,
    },
    top: high,
  };
}

/**
 * Return where the area of a panel lies, and its ticks and titles.
 * @param {Pick<PanelSpec, "kind" | "x" | "y"> & Partial<Pick<PanelSpec, "top">>} spec
 * @param {View} view
 * @param {{ width: number, height: number }} size
 * @param {Measure} measure
 * @returns {Axes}
 */
export function axesOf(spec, view, size, measure) {
  if (spec.kind !== "map") return withAxes(spec, view, size, measure);
  const room = { left: 2, top: 2, width: size.width - 4, height: size.height - 4 };
  const none = { grid: [], labels: [], turn: 0, title: [], titleAt: 0 };
  return { area: equalArea(view, room), x: none, y: none, top: null };
}

/**
 * Escape a text for SVG: names of columns come from files.
 * @param {unknown} text
 */
export const escaped = (text) => String(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

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
function sides({ area, x, y, top }) {
  if (!x.grid.length && !y.grid.length) return "";
  const around = `M${crisp(area.left)} ${px(area.top)}V${crisp(area.top + area.height)}H${px(area.left + area.width)}`;
  if (!top?.grid.length) return around;
  const marks = top.grid.map((at) => `M${crisp(at)} ${px(area.top - MARK)}V${px(area.top)}`);
  return `${around}M${px(area.left)} ${crisp(area.top)}H${px(area.left + area.width)}${marks.join("")}`;
}

/** @param {Axes} axes */
function words({ area, x, y, top }) {
  const bottom = area.top + area.height;
  const under = x.labels.flatMap(({ at, text, lines = [text] }) =>
    x.turn
      ? `<text text-anchor="end" transform="translate(${px(at + 4)} ${px(bottom + 12)}) rotate(${x.turn})">${escaped(text)}</text>`
      : lines.map(
          (line, k) =>
            `<text text-anchor="middle" x="${px(at)}" y="${px(bottom + 16 + TIGHT * k)}">${escaped(line)}</text>`,
        ),
  );
  const beside = y.labels.map(
    ({ at, text }) => `<text text-anchor="end" x="${px(area.left - 6)}" y="${px(at + 4)}">${escaped(text)}</text>`,
  );
  const over = (top?.labels ?? []).map(
    ({ at, text }) => `<text text-anchor="middle" x="${px(at)}" y="${px(area.top - MARK - 4)}">${escaped(text)}</text>`,
  );
  return [...under, ...beside, ...over].join("");
}

/** @param {Axes} axes */
function titles({ area, x, y, top }) {
  const middle = { x: px(area.left + area.width / 2), y: px(area.top + area.height / 2) };
  const below = x.title.map(
    (line, k) =>
      `<text text-anchor="middle" x="${middle.x}" y="${px(x.titleAt + 12 + LINE * k)}">${escaped(line)}</text>`,
  );
  const lines = y.title.length;
  const beside = y.title.map((line, k) => {
    const at = px(y.titleAt - 2 - LINE * (lines - 1 - k));
    return `<text text-anchor="middle" transform="translate(${at} ${middle.y}) rotate(-90)">${escaped(line)}</text>`;
  });
  const above = (top?.title ?? []).map(
    (line, k) => `<text text-anchor="middle" x="${middle.x}" y="${px(12 + LINE * k)}">${escaped(line)}</text>`,
  );
  return [...below, ...beside, ...above].join("");
}

/**
 * Return the axes of a panel as SVG. `family`: the typeface where none is inherited; `unit`: pixels of a unit of the
 * axes.
 * @param {Axes} axes
 * @param {{ width: number, height: number }} size
 * @param {Pick<Colours, "grid" | "faint" | "muted">} colours
 */
export function axesSvg(axes, { width, height }, colours, family = "inherit", unit = 1) {
  const larger = unit === 1 ? "" : ` viewBox="0 0 ${px(width / unit)} ${px(height / unit)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}"${larger} font-family="${escaped(family)}" fill="${colours.faint}">` +
    `<path d="${grid(axes)}" fill="none" stroke="${colours.grid}"/>` +
    `<path d="${sides(axes)}" fill="none" stroke="${colours.muted}"/>` +
    `<g font-size="${TICK}">${words(axes)}</g><g font-size="${TITLE}">${titles(axes)}</g></svg>`
  );
}
