// A figure on paper: all of it drawn, also what is out of sight, and able to shrink with the sheet.

/** @import { LiveFigure } from "./figure.js" */

/**
 * Draw a figure at once in the present colours.
 * @param {LiveFigure} figure
 */
function paint(figure) {
  for (const panel of figure.panels.all.values()) panel.visible = true;
  figure.turn();
  figure.panels.invalidate();
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
    paint(this.figure);
    for (const { wrap } of this.figure.panels.all.values()) {
      wrap.style.setProperty("--ratio", `${wrap.clientWidth} / ${wrap.clientHeight}`);
      const svg = wrap.querySelector("svg");
      svg?.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
      wrap.querySelectorAll("canvas").forEach(copied);
    }
    this.folded = [...root.querySelectorAll("details.dp-full:not([open])")];
    for (const one of this.folded) one.setAttribute("open", "");
    root.classList.add("dp-paper");
  }

  leave() {
    const { root } = this.figure.layout;
    root.classList.remove("dp-paper");
    for (const one of this.folded) one.removeAttribute("open");
    for (const copy of root.querySelectorAll(".dp-sheet")) copy.remove();
    paint(this.figure);
  }

  remove() {
    removeEventListener("beforeprint", this.before);
    removeEventListener("afterprint", this.after);
  }
}
