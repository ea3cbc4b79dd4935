// What is said shortly at first sight, in full: behind a summary that opens by click, tap or key.

import { element } from "../draw/dom.js";
import { write as explain } from "./terms.js";

/** Paragraphs folded behind the words "In full". */
export class InFull {
  constructor() {
    this.root = element("details", "dp-full");
    this.root.append(element("summary", null, "In full"));
    this.body = element("div");
    this.root.append(this.body);
    this.root.hidden = true;
  }

  /**
   * Write the paragraphs; without any there is nothing to open.
   * @param {string[]} texts
   * @param {Record<string, string>} [terms] the explained words
   */
  write(texts, terms = {}) {
    this.root.hidden = texts.length === 0;
    while (this.body.children.length < texts.length) this.body.append(element("p"));
    while (this.body.children.length > texts.length) this.body.lastChild?.remove();
    texts.forEach((text, i) => {
      explain(/** @type {HTMLElement} */ (this.body.children[i]), text, terms);
    });
  }
}
