// The numbers and sentences under a figure, and the text for screen readers when a handle is released.

import { element } from "../draw/dom.js";
import { InFull } from "./in_full.js";
import { brief, noted, number, sentence } from "./sentences.js";
import { write as explain } from "./terms.js";

/** @import { Message, ReadoutSpec, TextSpec } from "../types.d.ts" */
/** @import { Shown } from "./sentences.js" */

const SHORT = 8; // characters of a number that has its full size wherever it stands
const MOST = 24; // characters above which a text is a sentence, and decides on no number's size

/** The readouts and texts of a figure. */
export class Readouts {
  constructor() {
    this.tiles = element("div", "dp-readouts");
    /** @type {HTMLElement[]} the number of each readout */
    this.made = [];
    this.laid = "";
    this.meaning = element("p", "dp-meaning");
    this.words = element("div", "dp-texts");
    this.full = new InFull();
    /** @type {TextSpec[]} */
    this.texts = [];
    /** @type {TextSpec | undefined} */
    this.first = undefined;
    this.said = element("p", "dp-said"); // for screen readers: once for each value released
    this.said.setAttribute("role", "status");
  }

  /**
   * Lay the readouts out: in one row for each question where both are asked, else in one row.
   * @param {ReadoutSpec[]} readouts
   * @param {boolean} apart
   */
  lay(readouts, apart) {
    const laid = JSON.stringify([apart, readouts.map((readout) => readout.about)]);
    if (laid === this.laid) return;
    this.laid = laid;
    this.made = readouts.map(tile);
    const of = (/** @type {ReadoutSpec["about"]} */ about) => this.made.filter((_, i) => readouts[i].about === about);
    const [good, secret] = [of("good"), of("private")];
    const both = apart && good.length > 0 && secret.length > 0;
    const rows = both ? [answers("How good", good), answers("How private", secret)] : [answers("", this.made)];
    this.tiles.replaceChildren(...(readouts.length ? rows : []));
  }

  /** @param {Pick<Message, "readouts" | "texts" | "main_tab">} data */
  update({ readouts, texts, main_tab }) {
    this.lay(readouts, Boolean(main_tab));
    readouts.forEach((readout, i) => {
      const made = this.made[i];
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
   * @param {string} [tab] the open one: the numbers of others are not shown
   */
  draw(shown, pinned, tab) {
    const closed = (/** @type {ReadoutSpec} */ readout) => Boolean(readout.tab) && readout.tab !== tab;
    const texts = shown.data.readouts.map((readout) => number(shown.slices, readout));
    const longest = Math.max(SHORT, ...texts.map((text) => (text.length > MOST ? 0 : text.length)));
    this.tiles.style.setProperty("--longest", String(longest)); // one size for all numbers
    shown.data.readouts.forEach((readout, i) => {
      const [, now, b, small] = this.made[i].children;
      const text = texts[i];
      this.made[i].hidden = closed(readout);
      write(small, noted(shown, { ...readout, note: readout.brief ?? readout.note }));
      write(now, text);
      now.classList.toggle("dp-words", /^[a-z]/.test(text)); // part of a sentence, which may break
      now.classList.toggle("dp-sentence", text.length > MOST);
      write(b, pinned(readout.label));
    });
    const { terms } = shown.data;
    if (this.first) explain(this.meaning, short(shown, this.first), terms);
    this.texts.forEach((text, i) => {
      const line = /** @type {HTMLElement} */ (this.words.children[i]);
      const said = short(shown, text);
      line.hidden = said === "";
      explain(line, said, terms);
    });
    this.full.write(this.folded(shown, closed), terms);
  }

  /**
   * Return what is shown in its short form, in full.
   * @param {Shown} shown
   * @param {(readout: ReadoutSpec) => boolean} closed
   */
  folded(shown, closed) {
    const texts = [...(this.first ? [this.first] : []), ...this.texts];
    const sentences = texts
      .filter((text) => brief(shown, text) !== undefined)
      .map((text) => sentence(shown, text))
      .filter((text) => text !== "");
    const numbers = shown.data.readouts
      .filter((readout) => !closed(readout) && typeof readout.brief === "string" && noted(shown, readout))
      .map((readout) => `${readout.label}: ${number(shown.slices, readout)} (${noted(shown, readout)}).`);
    return [...sentences, ...numbers];
  }

  /** @param {string} text */
  say(text) {
    write(this.said, text);
  }
}

/**
 * Return what is shown of a text at first sight.
 * @param {Shown} shown
 * @param {TextSpec} text
 */
const short = (shown, text) => brief(shown, text) ?? sentence(shown, text);

/**
 * Return a row of readouts, under the question that they answer.
 * @param {string} question
 * @param {HTMLElement[]} tiles
 */
function answers(question, tiles) {
  const made = element("div", "dp-answers");
  if (question) made.append(element("p", "dp-asked", question));
  const list = element("dl", "dp-tiles");
  list.append(...tiles);
  made.append(list);
  return made;
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
