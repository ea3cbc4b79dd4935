// A button over a person's dot, or picture: a click takes the person out of the data, another one puts them back; arrow
// keys go to other dots.

import { button } from "../draw/dom.js";

/** @type {Record<string, [number, number]>} to the right and down */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PersonSpot {
  /**
   * @param {() => void} turn what a click does
   * @param {(way: [number, number]) => void} go what an arrow key does
   */
  constructor(turn, go) {
    this.root = button("dp-spot", "", turn);
    this.root.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      if (!way) return;
      event.preventDefault();
      go(way);
    });
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
   * @param {boolean} waits whether the server has not answered yet
   * @param {string} words what a click and keys do now
   */
  say(out, waits, words) {
    this.root.setAttribute("aria-pressed", String(out));
    this.root.setAttribute("aria-busy", String(waits));
    this.root.setAttribute("aria-label", words);
    this.root.title = words;
  }

  remove() {
    this.root.remove();
  }
}
