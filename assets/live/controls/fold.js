// A part of the figure that is folded behind a button, which then says in one line what is in it.

import { button, element } from "../draw/dom.js";
import { freshId } from "./heading.js";

/** @type {Map<string, boolean>} what a reader has opened or folded since the page was loaded, by heading */
const chosen = new Map();

/** The button of a folded part. */
export class Fold {
  /**
   * @param {string} heading
   * @param {HTMLElement} body
   */
  constructor(heading, body) {
    this.heading = heading;
    this.body = body;
    this.root = button("dp-group-title dp-fold", "", () => this.toggle());
    this.line = element("span", "dp-fold-line");
    this.root.append(element("span", "dp-fold-name", heading), this.line);
    body.id ||= freshId();
    this.root.setAttribute("aria-controls", body.id);
  }

  /**
   * Fold the part, as the reader has chosen or else as given; without a button it is open.
   * @param {{ folds: boolean, open: boolean }} given
   */
  arrange({ folds, open }) {
    this.root.hidden = !folds;
    this.open(!folds || (chosen.get(this.heading) ?? open));
  }

  toggle() {
    const open = this.root.getAttribute("aria-expanded") !== "true";
    chosen.set(this.heading, open);
    this.open(open);
  }

  /** @param {boolean} open */
  open(open) {
    this.body.hidden = !open;
    this.line.hidden = open;
    this.root.setAttribute("aria-expanded", String(open));
  }

  /**
   * Say what is in the folded part.
   * @param {string} line
   */
  say(line) {
    if (this.line.textContent !== line) this.line.textContent = line;
  }
}
