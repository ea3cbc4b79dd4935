// The order on a phone: the first slider stands above the figure and the other controls below it, in the document as on
// the screen. Progress is shown in the bar above the page, where it covers nothing; in a small figure under the picture.

import { element } from "../draw/dom.js";

/** @import { Layout } from "./layout.js" */

/** The order of a figure's parts: Tab goes from one to the next as the eye does. */
export class Phone {
  /**
   * @param {Layout} layout
   * @param {HTMLElement} people
   * @param {() => HTMLElement | null} top the slider that stays in view
   */
  constructor(layout, people, top) {
    this.layout = layout;
    this.people = people;
    this.top = top;
    /** @type {HTMLElement | null} the slider that stands above the figure */
    this.raised = null;
    this.mark = element("span"); // the placeholder among the controls
    this.mark.hidden = true;
    this.narrow = matchMedia("(max-width: 760px)");
    this.arranged = () => this.arrange();
    this.narrow.addEventListener("change", this.arranged);
  }

  /** Put every part in its place; one that is there already is not touched, or it would lose the focus. */
  arrange() {
    const small = this.layout.root.classList.contains("dp-compact"); // one column: controls, figure, people
    this.raise(small);
    this.layout.lifts = !small;
    this.layout.lift();
  }

  /** @param {boolean} small */
  raise(small) {
    const { root, side } = this.layout;
    if (small && this.people.parentElement === side) root.append(this.people);
    const handle = this.narrow.matches && !small ? this.top() : null;
    if (handle === this.raised) return;
    if (this.raised) this.lower(this.raised);
    this.raised = handle;
    if (!handle) return;
    handle.after(this.mark);
    root.prepend(handle);
    root.append(this.people, side);
  }

  /** @param {HTMLElement} handle */
  lower(handle) {
    const { root, side } = this.layout;
    if (handle.isConnected) this.mark.after(handle);
    this.mark.remove();
    root.prepend(side);
    side.append(this.people);
  }

  remove() {
    this.narrow.removeEventListener("change", this.arranged);
  }
}
