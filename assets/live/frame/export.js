// Save a panel as PNG or SVG with the same drawing code on another surface.

import { context, element } from "../draw/dom.js";
import { draw } from "../draw/draw.js";
import { surfaceOf } from "../draw/layers.js";
import { captioned, composed, lines, SvgSurface } from "../draw/svg_surface.js";
import { chosenWords } from "./pinned_overlay.js";
import { filmed, filmOf, records } from "./record.js";
import { Recording } from "./recording.js";

/** @import { Env } from "../types.d.ts" */
/** @import { Panel } from "./panel.js" */

/**
 * Save a panel with axes; nothing before it is drawn.
 * @param {Panel} panel
 * @param {string} name
 * @param {"svg" | "png"} kind
 */
export async function savePlot(panel, name, kind) {
  const env = panel.env();
  if (!env) return;
  const { clientWidth: width, clientHeight: height } = panel.wrap;
  const words = wordsOf(panel, width);
  const svg = captioned(plotSvg(panel, env), { width, height }, words, panel.colours, panel.labels.type.family);
  if (kind === "svg") save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
  else save(await toPng(svg, width, height + words.head + words.foot), `${name}.png`);
}

/**
 * Return the words over and under a saved picture: its title, the parameters, where it is from.
 * @param {Panel} panel
 * @param {number} width
 * @param {string} [setting] what is said of the parameters
 */
function wordsOf({ figure, spec }, width, setting = chosenWords([...figure.specs.values()], figure.values)) {
  return lines(spec.title, setting, `Source: DP Explorer, ${location.host}${location.pathname}`, width);
}

/**
 * Save pictures at twice the size, on the ground they are seen on.
 * @param {Panel} panel
 * @param {string} name
 */
export async function saveTiles(panel, name) {
  const { clientWidth: width } = panel.wrap;
  save(await pngOf(tilesOn(panel, wordsOf(panel, width))), `${name}.png`);
}

/**
 * Return the pictures of a panel, with words around them, on a canvas of twice the size.
 * @param {Panel} panel
 * @param {ReturnType<typeof lines>} words
 */
function tilesOn(panel, words) {
  const { clientWidth: width, clientHeight: height } = panel.wrap;
  const { family } = panel.figure.layout.type;
  const target = element("canvas");
  target.width = 2 * width;
  target.height = 2 * (height + words.head + words.foot);
  const ctx = context(target);
  ctx.scale(2, 2);
  ctx.fillStyle = panel.colours.ground;
  ctx.fillRect(0, 0, width, height + words.head + words.foot);
  for (const { text, y, size, weight, role } of words.written(height)) {
    ctx.font = `${weight} ${size}px ${family}`;
    ctx.fillStyle = panel.colours[role];
    ctx.fillText(text, 8, y);
  }
  ctx.translate(0, words.head);
  panel.pictures.paint(ctx, width, height);
  return target;
}

/**
 * Save a panel that moves as GIF or WebM; the line under the panel says how far it is, or why there is no film.
 * @param {Panel} panel
 * @param {string} name
 * @param {"gif" | "webm"} kind
 */
export async function saveFilm(panel, name, kind) {
  panel.recording?.root.remove();
  const recording = new Recording(panel.wrap);
  panel.recording = recording;
  if (kind === "webm" && !records()) return recording.end("This browser cannot record WebM. It can save a GIF.");
  const { breathing } = panel.figure;
  const { playing } = breathing;
  breathing.playing = false; // its clock would move the outcomes meanwhile
  breathing.rest();
  panel.falling?.settle();
  const film = filmOf(panel);
  try {
    if (!film) return recording.end("Nothing in this picture moves without the server, so there is no film of it.");
    const blob = await filmed(panel, film, kind, { words: filmWords, paint: painted }, recording);
    if (blob) save(blob, `${name}.${kind}`);
    recording.end(blob || recording.cancelled ? "" : "The figure changed meanwhile, so there is no film. Try again.");
  } catch (error) {
    film?.back();
    recording.end(`The film could not be made: ${error instanceof Error ? error.message : error}.`);
  } finally {
    breathing.playing = playing;
    breathing.say();
    breathing.wake();
  }
}

/**
 * @param {Panel} panel
 * @param {string} setting
 */
const filmWords = (panel, setting) => wordsOf(panel, panel.wrap.clientWidth, setting);

/**
 * Draw a picture of a film, with the code of saved pictures; all have the same heights of words.
 * @param {Panel} panel
 * @param {string} setting
 * @param {{ head: number, foot: number }} heights
 */
async function painted(panel, setting, heights) {
  const { clientWidth: width, clientHeight: height } = panel.wrap;
  const words = raised(filmWords(panel, setting), heights);
  if (panel.spec.kind === "mosaic") return tilesOn(panel, words);
  const env = panel.env();
  if (!env) throw new Error("the picture is not there yet");
  const svg = captioned(plotSvg(panel, env), { width, height }, words, panel.colours, panel.labels.type.family);
  return decoded(svg);
}

/**
 * Return words with more room, so that what follows them keeps its place.
 * @param {ReturnType<typeof lines>} words
 * @param {{ head: number, foot: number }} heights
 */
function raised(words, { head, foot }) {
  const lower = head - words.head;
  const written = (/** @type {number} */ height) =>
    words.written(height).map((line) => (line.y > words.head ? { ...line, y: line.y + lower } : line));
  return { head, foot, written };
}

/**
 * Return a panel with axes as SVG.
 * @param {Panel} panel
 * @param {Env} env
 */
function plotSvg(panel, env) {
  const { width, height } = panel.wrap.getBoundingClientRect();
  const frame = panel.frame.markup(panel.frame.family);
  const parts = (/** @type {boolean} */ under) => {
    const surface = new SvgSurface();
    for (const layer of panel.shown()) {
      if ((surfaceOf(layer, panel.figure.slices) === "under") === under && env.ready(layer)) draw(surface, layer, env);
    }
    return surface.parts;
  };
  const labels = new SvgSurface();
  panel.labels.write(labels, env.colours);
  const over = [...parts(false), ...labels.parts];
  return composed({ width, height }, env.area, env.colours.ground, { under: parts(true), frame, over });
}

/**
 * Turn SVG text into a PNG blob at twice the size.
 * @param {string} svg
 * @param {number} width
 * @param {number} height
 */
async function toPng(svg, width, height) {
  const image = await decoded(svg);
  const canvas = element("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  context(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}

/**
 * Return SVG text as an image that can be drawn.
 * @param {string} svg
 */
async function decoded(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/**
 * Return the content of a canvas as PNG.
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
function pngOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
  });
}

/**
 * Offer a blob as a download.
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
