// The order on a phone: the first slider stands above the figure, the row of its other handles below the first picture,
// and the other controls below the figure, in the document as on the screen. Progress is shown in the bar above the page, where it covers nothing; in a small figure under the picture.

import { element } from "../draw/dom.js";

/** @import { Layout } from "./layout.js" */

/** The order of a figure's parts: Tab goes from one to the next as the eye does. */
export class Phone {
  /**
   * @param {Layout} layout
   * @param {HTMLElement} people
   * @param {() => HTMLElement | null} top the slider that stays in view
   * @param {() => HTMLElement | null} handles the row of other handles
   */
  constructor(layout, people, top, handles) {
    this.layout = layout;
    this.people = people;
    this.top = top;
    this.handles = handles;
    /** @type {HTMLElement | null} the slider that stands above the figure */
    this.raised = null;
    this.mark = element("span"); // the placeholder among the controls
    this.mark.hidden = true;
    /** @type {HTMLElement | null} the row of handles that stands below the picture */
    this.row = null;
    this.place = element("span"); // its placeholder
    this.place.hidden = true;
    this.narrow = matchMedia("(max-width: 760px)");
    this.arranged = () => this.arrange();
    this.narrow.addEventListener("change", this.arranged);
  }

  /** Put every part in its place; one that is there already is not touched, or it would lose the focus. */
  arrange() {
    const small = this.layout.root.classList.contains("dp-compact"); // one column: controls, figure, people
    this.raise(small);
    this.near(small);
    this.layout.lifts = !small;
    this.layout.lift();
  }

  /** @param {boolean} small */
  raise(small) {
    const { root, side } = this.layout;
    const narrow = this.narrow.matches;
    const handle = narrow && !small ? this.top() : null;
    if (handle !== this.raised) {
      if (this.raised) this.lower(this.raised);
      this.raised = handle;
      if (handle) this.lift(handle);
    }
    const behind = small || narrow; // the people follow the figure, also where no slider stands above it
    if (behind && this.people.parentElement === side) root.append(this.people);
    if (!behind && this.people.parentElement === root) side.append(this.people);
  }

  /** @param {HTMLElement} handle */
  lift(handle) {
    const { root, side } = this.layout;
    handle.after(this.mark);
    root.prepend(handle);
    root.append(this.people, side);
  }

  /**
   * Put the row of handles below the picture that they move.
   * @param {boolean} small
   */
  near(small) {
    const wanted = this.narrow.matches && !small ? this.handles() : null;
    if (wanted === this.row) return;
    if (this.row) {
      if (this.place.isConnected) this.place.after(this.row);
      this.place.remove();
    }
    this.row = wanted;
    if (!wanted) return;
    wanted.after(this.place);
    this.layout.row.after(wanted);
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
