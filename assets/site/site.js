// The pages of the static site: events for Python are answered here, from states that were prepared as files.

import { unpackedJson } from "../live/data/packed.js";
import { render } from "../live/main.js";
import { answering } from "./answers.js";
import { typesetFormulas } from "./formulas.js";
import { fromLink, keeping, notShown, redrawn, stateFor, toLink } from "./prepared.js";
import { voting } from "./votes.js";

/** @import { Message, SentEvent, Values } from "../live/types.d.ts" */
/** @import { SiteSpec } from "./prepared.js" */

/** @type {Map<string, Promise<Message>>} */
const STATES = new Map();

/** @param {string} file */
function fetched(file) {
  const known = STATES.get(file) ?? unpackedJson(new URL(file, document.baseURI));
  STATES.set(file, known);
  known.catch(() => STATES.delete(file)); // the event is sent again
  return known;
}

/** One figure of the page. */
export class SiteFigure {
  /**
   * @param {HTMLElement} place
   * @param {SiteSpec} spec
   */
  constructor(place, spec) {
    this.place = place;
    this.spec = spec;
    this.newest = 0;
    /** @type {Message | null} */
    this.message = null;
  }

  /** Draw the state that the page's address names. */
  async open() {
    const values = this.spec.linked ? fromLink(location.search, this.spec.usual) : {};
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.render()); // colours are drawn
    await this.draw(values, 0);
    const named = notShown(values, this.message?.values ?? {});
    const note = /** @type {HTMLElement | null} */ (document.querySelector(".dp-site-asked"));
    if (!note || !named.length) return;
    note.textContent = `${note.dataset.says} ${named.map((name) => `${name} = ${values[name]}`).join(", ")}.`;
    note.hidden = false;
  }

  /**
   * Draw the prepared state nearest to some values, unless a later event is answered.
   * @param {Values} values
   * @param {number} seq
   */
  async draw(values, seq) {
    this.newest = seq;
    const message = await fetched(stateFor(this.spec, values));
    if (seq < this.newest) return;
    this.message = { ...message, values: keeping(message, values), seq, ...this.about() };
    this.render();
  }

  about() {
    return { name: this.spec.name, session: "site", modules: "", news: "" };
  }

  render() {
    if (!this.message) return;
    const setStateValue = (/** @type {string} */ _, /** @type {SentEvent} */ event) => this.hear(event);
    render({ parentElement: this.place, data: this.message, setStateValue });
  }

  /** @param {SentEvent} event */
  hear({ phase, action, values, seq }) {
    const wanted = action === "redraw" ? redrawn(this.spec, values) : action === "reset" ? this.spec.usual : values;
    this.draw(wanted, seq).then(
      () => phase !== "drag" && this.follow(),
      () => {}, // without an answer the event is sent again
    );
  }

  /** Write the values into the page's address, and into the links that lead to the same state. */
  follow() {
    if (!this.spec.linked || !this.message) return;
    const query = toLink(this.message.values, this.spec.usual);
    history.replaceState(null, "", `${location.pathname}${query}${location.hash}`);
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-same-state]")))
      link.search = query;
  }
}

/** Draw a figure when its place comes near the window. */
function whenNear(/** @type {HTMLElement} */ place, /** @type {() => void} */ open) {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      open();
    },
    { rootMargin: "300px" },
  );
  seen.observe(place);
}

/** Show the reply to a question of the lesson when an option is chosen. */
function ask(/** @type {HTMLFieldSetElement} */ question) {
  question.addEventListener("change", (event) => {
    const right = /** @type {HTMLInputElement} */ (event.target).value === question.dataset.right;
    for (const reply of /** @type {NodeListOf<HTMLElement>} */ (question.querySelectorAll("[data-reply]")))
      reply.hidden = (reply.dataset.reply === "right") !== right;
  });
}

/** Open the glossary where the address asks for a word. */
function openWords() {
  const words = document.getElementById("words");
  if (!(words instanceof HTMLDetailsElement) || new URLSearchParams(location.search).get("words") !== "open") return;
  words.open = true;
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Unfold the exercise that the address names. */
function unfold() {
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}

/** Draw every figure of the page. */
export function start() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-site]"))) {
    const spec = JSON.parse(document.getElementById(place.dataset.site ?? "")?.textContent ?? "");
    const figure = new SiteFigure(place, spec);
    const open = () => {
      figure.open().then(
        () => {
          figure.follow();
          place.parentElement?.querySelector(".dp-site-late")?.remove();
        },
        (error) => console.error(error),
      );
    };
    if ("later" in place.dataset) whenNear(place, open);
    else open();
  }
  for (const question of /** @type {NodeListOf<HTMLFieldSetElement>} */ (document.querySelectorAll("[data-right]")))
    ask(question);
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-checks]")))
    answering(form);
  for (const quiz of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dp-site-votes"))) voting(quiz);
  typesetFormulas().catch((error) => console.error(error));
  openWords();
  unfold();
  addEventListener("hashchange", unfold);
}

if (globalThis.document?.querySelector("[data-site-page]")) start();
