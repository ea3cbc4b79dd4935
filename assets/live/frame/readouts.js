// The numbers and sentences under a figure, and the text for screen readers when a handle is released.

import { element } from "../draw/dom.js";
import { noted, number, sentence } from "./sentences.js";
import { write as explain } from "./terms.js";

/** @import { Message, TextSpec } from "../types.d.ts" */
/** @import { Shown } from "./sentences.js" */

const SHORT = 8; // characters of a number that has its full size wherever it stands
const MOST = 24; // characters above which a text is a sentence, and decides on no number's size

/** The readouts and texts of a figure. */
export class Readouts {
  constructor() {
    this.tiles = element("dl", "dp-readouts");
    this.meaning = element("p", "dp-meaning");
    this.words = element("div", "dp-texts");
    /** @type {TextSpec[]} */
    this.texts = [];
    /** @type {TextSpec | undefined} */
    this.first = undefined;
    this.said = element("p", "dp-said"); // for screen readers: once for each value released
    this.said.setAttribute("role", "status");
  }

  /** @param {Pick<Message, "readouts" | "texts">} data */
  update({ readouts, texts }) {
    if (this.tiles.children.length !== readouts.length) this.tiles.replaceChildren(...readouts.map(tile));
    readouts.forEach((readout, i) => {
      const made = /** @type {HTMLElement} */ (this.tiles.children[i]);
      made.children[0].textContent = readout.label;
      made.title = readout.help ?? "";
      made.dataset.role = readout.role ?? "";
    });
    this.first = texts.find((text) => text.role === "meaning");
    this.meaning.hidden = !this.first;
    const crowd = texts.find((text) => text.bounds?.length); // stands beside its hundred people
    this.texts = texts.filter((text) => text !== this.first && text !== crowd);
    while (this.words.children.length < this.texts.length) this.words.append(element("p"));
    while (this.words.children.length > this.texts.length) this.words.lastChild?.remove();
    return crowd;
  }

  /**
   * @param {Shown} shown
   * @param {(label: string) => string} pinned the number that was pinned of a readout
   */
  draw(shown, pinned) {
    const texts = shown.data.readouts.map((readout) => number(shown.slices, readout));
    const longest = Math.max(SHORT, ...texts.map((text) => (text.length > MOST ? 0 : text.length)));
    this.tiles.style.setProperty("--longest", String(longest)); // one size for all numbers
    shown.data.readouts.forEach((readout, i) => {
      const [, now, b, small] = this.tiles.children[i].children;
      const text = texts[i];
      write(small, noted(shown, readout));
      write(now, text);
      now.classList.toggle("dp-words", /^[a-z]/.test(text)); // part of a sentence, which may break
      now.classList.toggle("dp-sentence", text.length > MOST);
      write(b, pinned(readout.label));
    });
    const { terms } = shown.data;
    if (this.first) explain(this.meaning, sentence(shown, this.first), terms);
    this.texts.forEach((text, i) => {
      explain(/** @type {HTMLElement} */ (this.words.children[i]), sentence(shown, text), terms);
    });
  }

  /** @param {string} text */
  say(text) {
    write(this.said, text);
  }
}

function tile() {
  const made = element("div", "dp-tile");
  made.append(element("dt"), element("dd"), element("dd", "dp-b"), element("dd", "dp-note"));
  return made;
}

/**
 * Write the texts that changed; writing all would lay out the page again.
 * @param {Element} target
 * @param {string} text
 */
function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
