// A button over a person's dot on a map: a click takes the person out of the data, another one puts them back.

import { button } from "../draw/dom.js";

export class PersonSpot {
  /** @param {() => void} turn what a click does */
  constructor(turn) {
    this.root = button("dp-spot", "", turn);
  }

  /**
   * @param {HTMLElement} wrap the picture
   * @param {number} x pixels
   * @param {number} y
   */
  place(wrap, x, y) {
    if (this.root.parentElement !== wrap) wrap.append(this.root);
    this.root.style.left = `${x}px`;
    this.root.style.top = `${y}px`;
  }

  /**
   * @param {boolean} out whether the person is taken out
   * @param {string} words what a click does now
   */
  say(out, words) {
    this.root.setAttribute("aria-pressed", String(out));
    this.root.setAttribute("aria-label", words);
    this.root.title = words;
  }

  remove() {
    this.root.remove();
  }
}
