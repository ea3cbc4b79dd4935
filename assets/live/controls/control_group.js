// A named group of controls: one row of small ones where it stands alone, folded behind its heading among others.

import { button, element } from "../draw/dom.js";
import { freshId } from "./heading.js";

/** @type {Map<string, boolean>} which groups a reader has opened or closed since the page was loaded, by heading */
const chosen = new Map();

/** A group: its heading, and the place of its controls. */
export class ControlGroup {
  /** @param {string} heading */
  constructor(heading) {
    this.heading = heading;
    this.root = element("div", "dp-group");
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", heading);
    this.title = element("p", "dp-group-title", heading);
    this.fold = button("dp-group-title dp-group-fold", heading, () => this.toggle());
    this.body = element("div", "dp-controls");
    this.body.id = freshId();
    this.fold.setAttribute("aria-controls", this.body.id);
    this.root.append(this.title, this.fold, this.body);
  }

  /**
   * Lay the group out: as a row where it is the only one, else open where it is the first or was opened.
   * @param {{ seen: boolean, alone: boolean, first: boolean }} place
   */
  arrange({ seen, alone, first }) {
    this.root.hidden = !seen;
    this.root.classList.toggle("dp-group-row", alone);
    this.title.hidden = !alone;
    this.fold.hidden = alone;
    this.open(alone || (chosen.get(this.heading) ?? first));
  }

  toggle() {
    const open = this.fold.getAttribute("aria-expanded") !== "true";
    chosen.set(this.heading, open);
    this.open(open);
  }

  /** @param {boolean} open */
  open(open) {
    this.body.hidden = !open;
    this.fold.setAttribute("aria-expanded", String(open));
  }
}
