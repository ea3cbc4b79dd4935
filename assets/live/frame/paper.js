// A figure on paper: all of it drawn, also what is out of sight, in light colours and as wide as a sheet.

import { sharpen } from "../draw/canvas.js";
import { layPage, leavePage } from "./sheet.js";

/** @import { LiveFigure } from "./figure.js" */

const DENSITY = 3; // pixels of a canvas for each of the page: about 290 an inch on paper
/** Figures that are laid out for the sheet. */
const LAID = new Set();

/**
 * Draw a figure at once, in the colours and the size of its place.
 * @param {LiveFigure} figure
 */
function paint(figure) {
  for (const panel of figure.panels.all.values()) {
    panel.visible = true;
    panel.wrap.style.removeProperty("max-height"); // of pictures in another width
    panel.falling?.settle();
    panel.resized();
  }
  figure.turn();
  figure.panels.invalidate();
  figure.draw();
  for (const panel of figure.panels.all.values()) panel.resized(); // pictures have said how high they are
  figure.draw();
}

/**
 * Copy a canvas: Chromium prints of a canvas that was just drawn only its last call, of a copy all of it.
 * @param {HTMLCanvasElement} canvas
 */
function copied(canvas) {
  const copy = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
  copy.classList.add("dp-sheet");
  if (canvas.width * canvas.height) copy.getContext("2d")?.drawImage(canvas, 0, 0);
  canvas.after(copy);
}

/** Print a figure whole: it is laid out for the sheet before the browser prints, and as before afterwards. */
export class Paper {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    this.before = () => this.lay();
    /** @type {Element[]} what is open on paper only */
    this.folded = [];
    this.after = () => this.leave();
    addEventListener("beforeprint", this.before);
    addEventListener("afterprint", this.after);
  }

  lay() {
    const { root } = this.figure.layout;
    this.clear();
    if (!LAID.size) layPage();
    LAID.add(this);
    root.classList.add("dp-paper");
    sharpen(DENSITY);
    paint(this.figure);
    for (const { wrap } of this.figure.panels.all.values()) {
      wrap.style.setProperty("--ratio", `${wrap.clientWidth} / ${wrap.clientHeight}`);
      const svg = wrap.querySelector("svg");
      svg?.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
      wrap.querySelectorAll("canvas").forEach(copied);
    }
    this.folded = [...root.querySelectorAll("details.dp-full:not([open])")];
    for (const one of this.folded) one.setAttribute("open", "");
    root.classList.add("dp-laid");
  }

  /** Take back what only paper has. */
  clear() {
    const { root } = this.figure.layout;
    if (!LAID.delete(this)) return;
    if (!LAID.size) {
      leavePage();
      sharpen(1);
    }
    root.classList.remove("dp-paper", "dp-laid");
    for (const one of this.folded) one.removeAttribute("open");
    for (const copy of root.querySelectorAll(".dp-sheet")) copy.remove();
  }

  /** Show the figure as before: a frame later, when the styles of the screen hold again. */
  leave() {
    this.clear();
    requestAnimationFrame(() => paint(this.figure));
  }

  remove() {
    this.clear();
    removeEventListener("beforeprint", this.before);
    removeEventListener("afterprint", this.after);
  }
}
