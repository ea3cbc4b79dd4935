// A button over a person's dot, or picture: a click takes the person out of the data, another one puts them back.

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
   * @param {number} [size] of the person's picture; none for a dot
   */
  place(wrap, x, y, size) {
    if (this.root.parentElement !== wrap) wrap.append(this.root);
    this.root.classList.toggle("dp-over-picture", size !== undefined);
    this.root.style.width = this.root.style.height = size === undefined ? "" : `${size}px`;
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
