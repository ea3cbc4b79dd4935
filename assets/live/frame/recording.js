// The line under a panel while it is filmed: how far it is, and a button that cancels.

import { button, element } from "../draw/dom.js";

/** The state of one film. */
export class Recording {
  /** @param {HTMLElement} under the picture that is filmed */
  constructor(under) {
    this.cancelled = false;
    this.done = false;
    this.bar = element("progress");
    this.bar.max = 1;
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", "Progress of the film");
    this.words = element("span", null, "Recording");
    this.words.setAttribute("role", "status");
    this.stop = button("dp-mini", "Cancel", () => {
      this.cancelled = true;
    });
    this.root = element("p", "dp-recording");
    this.root.append(this.words, this.bar, this.stop);
    under.after(this.root);
  }

  /** @param {number} share from 0 to 1 */
  progress(share) {
    this.bar.value = share;
  }

  /**
   * End with a sentence that stays until the next film, or without one.
   * @param {string} [sentence]
   */
  end(sentence = "") {
    this.done = true;
    if (!sentence) return this.root.remove();
    this.bar.remove();
    this.stop.remove();
    this.words.textContent = sentence;
  }
}
