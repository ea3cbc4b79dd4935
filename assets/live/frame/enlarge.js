// A panel over the whole window, with the slider that moves it: for a lecture, or to see better.

import { button, element } from "../draw/dom.js";

/** @import { LiveFigure } from "./figure.js" */
/** @import { Panel } from "./panel.js" */

/** The window in which one panel of a figure is enlarged. */
export class Enlarged {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    this.dialog = element("dialog", "dp-large");
    /** @type {[HTMLElement, HTMLElement][]} each part moved here, and its placeholder */
    this.moved = [];
    /** @type {Panel | null} */
    this.panel = null;
    this.dialog.addEventListener("close", () => this.close());
    figure.layout.root.append(this.dialog);
  }

  /** @param {Panel} panel */
  open(panel) {
    if (this.panel) return this.dialog.close();
    this.panel = panel;
    const end = button("dp-button dp-large-end", "Close", () => this.dialog.close());
    const handle = this.figure.controls.top;
    this.dialog.replaceChildren(end);
    for (const part of handle ? [handle, panel.root] : [panel.root]) {
      const mark = element("span");
      mark.hidden = true;
      part.after(mark);
      this.moved.push([part, mark]);
      this.dialog.append(part);
    }
    this.dialog.setAttribute("aria-label", panel.spec.title);
    this.dialog.showModal();
  }

  /**
   * Return what stands in the page where a panel belongs: itself, or its placeholder.
   * @param {Panel} panel
   */
  inPlaceOf({ root }) {
    return this.moved.find(([part]) => part === root)?.[1] ?? root;
  }

  /** Put everything back to its place. */
  close() {
    for (const [part, mark] of this.moved) {
      mark.after(part);
      mark.remove();
    }
    this.moved = [];
    this.panel = null;
    this.figure.panels.invalidate();
    this.figure.schedule();
  }
}
