// A picture that moves, saved as GIF or WebM: a handle along its values, or the outcomes that could have been published.

import { context, element } from "../draw/dom.js";
import { Gif, paletteOf } from "./gif.js";
import { chosenWords } from "./pinned_overlay.js";
import { sentence } from "./sentences.js";
import { plain } from "./terms.js";

/** @import { SliderSpec } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */
/** @import { Panel } from "./panel.js" */
/** @import { Recording } from "./recording.js" */

const WIDEST = 640; // pixels of a saved film
const HIGHEST = 800;
const MOST = 60; // pictures, for at most six seconds
const WHOLE = 4000; // milliseconds in which a handle goes along its values
const SHORTEST = 80;
const LONGEST = 400;
const OUTCOMES = 12; // passing in 5.7 seconds

/**
 * One film: its pictures in order, and how the figure comes back to where it was.
 * @typedef {object} Film
 * @property {number[]} delays milliseconds of each picture
 * @property {(k: number) => void} show the k-th picture in the figure; from the first one on
 * @property {() => string} words what is moved, with its present value
 * @property {() => void} back
 */

/**
 * Return the pictures of a film along the grid of a slider.
 * @param {LiveFigure} figure
 * @param {SliderSpec} spec
 * @returns {Film}
 */
function dragged(figure, spec) {
  const { name, grid } = spec;
  const n = Math.min(grid.length, MOST);
  const before = figure.values[name];
  const set = (/** @type {number} */ value) => {
    figure.values[name] = value;
    figure.controls.show(name, value);
    figure.slices.moved();
    figure.draw();
  };
  const delay = Math.min(Math.max(WHOLE / n, SHORTEST), LONGEST);
  return {
    delays: Array.from({ length: n }, () => delay),
    show: (k) => set(grid[n < 2 ? 0 : Math.round((k * (grid.length - 1)) / (n - 1))]),
    words: () => chosenWords([...figure.specs.values()], figure.values),
    back: () => set(Number(before)),
  };
}

/**
 * Return the pictures of a film of passing outcomes: one on the way to each, and it.
 * @param {LiveFigure} figure
 * @returns {Film}
 */
function breathed(figure) {
  const { breathing } = figure;
  const n = Math.min(breathing.spec?.n_outcomes ?? 0, OUTCOMES);
  return {
    delays: Array.from({ length: 2 * n }, (_, k) => (k % 2 ? 400 : SHORTEST)),
    show: (k) => {
      if (k === 0) breathing.steps.show(0);
      breathing.show();
      breathing.stop();
      if (k % 2 === 0 && k > 0) breathing.steps.next();
      breathing.steps.ease(k % 2 || k === 0 ? 1 : 0.5);
      breathing.say();
      figure.slices.moved();
      figure.draw();
    },
    words: () => `${chosenWords([...figure.specs.values()], figure.values)}. ${breathing.words.textContent ?? ""}`,
    back: () => breathing.rest(),
  };
}

/**
 * Return whether a panel is drawn anew along a slider without the server.
 * @param {Panel} panel
 * @param {string} name
 */
export function follows(panel, name) {
  const spec = panel.figure.specs.get(name);
  if (spec?.kind !== "slider" || spec.mode !== "local" || spec.disabled || spec.grid.length < 2) return false;
  const { arrays } = panel.figure.slices;
  return panel.draws(Object.keys(arrays).filter((one) => arrays[one].dims.includes(name)));
}

/**
 * Return the film of a panel: along the slider that was moved last, or of its outcomes, or along its first slider; null
 * where nothing moves without the server.
 * @param {Panel} panel
 * @returns {Film | null}
 */
export function filmOf(panel) {
  const { figure } = panel;
  const along = (/** @type {string} */ name) => dragged(figure, /** @type {SliderSpec} */ (figure.spec(name)));
  const { last } = figure.moves;
  if (last && follows(panel, last)) return along(last);
  const { spec, known } = figure.breathing;
  if (spec && known && spec.n_outcomes > 1 && panel.draws(Object.keys(spec.instead))) return breathed(figure);
  const first = [...figure.specs.values()].find((one) => !one.hidden && follows(panel, one.name));
  return first ? along(first.name) : null;
}

/**
 * Return what the figure says of its guarantee with the present values, whole: a film goes away from its page, so that
 * the bound, or that nothing is proved, has to stand in it. "" where the figure says nothing.
 * @param {LiveFigure} figure
 */
export function promised(figure) {
  const { crowd } = figure;
  if (!crowd) return "";
  return plain(sentence(figure, crowd)).replace(/\s*\n\s*/g, " · ");
}

/**
 * What draws a picture of a panel with words around it.
 * @typedef {object} Drawing
 * @property {(panel: Panel, setting: string) => { head: number, foot: number }} words how high they are
 * @property {(panel: Panel, setting: string, heights: { head: number, foot: number }) => Promise<CanvasImageSource>} paint
 */

/** Whether this browser can record WebM. */
export function records() {
  return (
    typeof MediaRecorder !== "undefined" &&
    MediaRecorder.isTypeSupported("video/webm") &&
    "captureStream" in HTMLCanvasElement.prototype
  );
}

/**
 * Film a panel; null where the reader cancelled, or an answer of the server changed the figure meanwhile.
 * @param {Panel} panel
 * @param {Film} film
 * @param {"gif" | "webm"} kind
 * @param {Drawing} drawing
 * @param {Recording} recording
 * @returns {Promise<Blob | null>}
 */
export async function filmed(panel, film, kind, drawing, recording) {
  const { figure } = panel;
  const { whole } = figure;
  const goes = () => !recording.cancelled && figure.whole === whole;
  const setting = () => [film.words(), promised(figure)].filter(Boolean).join(". ");
  const most = { head: 0, foot: 0 };
  for (let k = 0; k < film.delays.length; k++) {
    film.show(k); // as high as the longest words: all pictures have one size
    const { head, foot } = drawing.words(panel, setting());
    most.head = Math.max(most.head, head);
    most.foot = Math.max(most.foot, foot);
  }
  const { clientWidth: width, clientHeight: height } = panel.wrap;
  const fullHeight = height + most.head + most.foot;
  const scale = Math.min(WIDEST / width, HIGHEST / fullHeight, 2);
  const target = element("canvas");
  target.width = 2 * Math.round((scale * width) / 2); // even, as films have to be
  target.height = 2 * Math.round((scale * fullHeight) / 2);
  const ctx = context(target, { willReadFrequently: true });
  const pictures = [];
  for (let k = 0; k < film.delays.length && goes(); k++) {
    film.show(k);
    ctx.drawImage(await drawing.paint(panel, setting(), most), 0, 0, target.width, target.height);
    pictures.push(ctx.getImageData(0, 0, target.width, target.height));
    recording.progress((k + 1) / (2 * film.delays.length));
  }
  film.back();
  if (!goes()) return null;
  const told = (/** @type {number} */ k) => recording.progress(0.5 + (k + 1) / (2 * pictures.length));
  return kind === "gif" ? asGif(pictures, film.delays, goes, told) : asWebm(target, pictures, film.delays, goes, told);
}

const turn = () => new Promise((done) => setTimeout(done));

/**
 * @param {ImageData[]} pictures
 * @param {number[]} delays
 * @param {() => boolean} goes
 * @param {(k: number) => void} told
 */
async function asGif(pictures, delays, goes, told) {
  const gif = new Gif(pictures[0].width, pictures[0].height, paletteOf(pictures));
  for (let k = 0; k < pictures.length; k++) {
    gif.add(pictures[k], delays[k]);
    told(k);
    await turn(); // the page stays alive, and may cancel
    if (!goes()) return null;
  }
  return gif.end();
}

/**
 * @param {HTMLCanvasElement} target
 * @param {ImageData[]} pictures
 * @param {number[]} delays
 * @param {() => boolean} goes
 * @param {(k: number) => void} told
 */
async function asWebm(target, pictures, delays, goes, told) {
  const ctx = context(target);
  ctx.putImageData(pictures[0], 0, 0);
  const stream = target.captureStream();
  const recorder = new MediaRecorder(stream, { mimeType: "video/webm", videoBitsPerSecond: 2_500_000 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((done) => {
    recorder.onstop = done;
  });
  recorder.start();
  for (let k = 0; k < pictures.length && goes(); k++) {
    ctx.putImageData(pictures[k], 0, 0);
    told(k);
    await new Promise((done) => setTimeout(done, delays[k]));
  }
  recorder.stop();
  await ended;
  for (const track of stream.getTracks()) track.stop();
  return goes() ? new Blob(parts, { type: "video/webm" }) : null;
}
