// Explained words: [[word]] or [[word|as it stands here]] becomes a button with its explanation.

import { freshId } from "../controls/heading.js";
import { unparted } from "../data/numbers.js";
import { element } from "../draw/dom.js";

const MARK = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/;

/**
 * Return a text without its marks, for names, exports and screen readers.
 * @param {string} text
 */
export const plain = (text) => text.replace(new RegExp(MARK, "g"), (_, word, here) => here ?? word);

/**
 * Write a text with its words explained; a text that is the same already is left alone.
 * @param {HTMLElement} target
 * @param {string} text
 * @param {Record<string, string>} terms the explanations
 */
export function write(target, text, terms) {
  if (target.dataset.text === text) return;
  target.dataset.text = text;
  const parts = unparted(text).split(new RegExp(MARK, "g")); // plain, word, as it stands here, plain, ...
  /** @type {(part: string, k: number) => (string | Node)[]} */
  const nodesOf = (part, k) => {
    if (k % 3 === 0) return [part];
    if (k % 3 === 2) return [];
    const here = parts[k + 1] ?? part;
    return part in terms ? [term(here, part, terms[part])] : [here];
  };
  target.replaceChildren(...parts.flatMap(nodesOf));
}

/**
 * Return the address of a word in the glossary, as `ui/words/glossary.py` writes it.
 * @param {string} word
 */
const address = (word) => `./?words=open#${word.toLowerCase().replaceAll(" ", "-")}`;

/**
 * Return the elements of an explained word, the same as `ui/words/glossary.py` writes.
 * @param {string} here the word as it stands in the text
 * @param {string} word
 * @param {string} meaning
 */
function term(here, word, meaning) {
  const box = element("span", "dp-term-box");
  const made = element("button", "dp-term", here);
  made.type = "button";
  const tip = element("span", "dp-tip");
  const told = element("span", null, meaning);
  told.id = freshId();
  told.setAttribute("role", "tooltip");
  made.setAttribute("aria-describedby", told.id);
  const more = element("a", null, "All words");
  Object.assign(more, { href: address(word), target: "_blank", rel: "noopener" }); // the reader's change stays
  tip.append(told, " ", more);
  box.append(made, tip);
  return box;
}

/** @param {Event} event */
const boxOf = (event) => /** @type {Element} */ (event.target).closest?.(".dp-term-box") ?? null;

/**
 * Keep an explanation inside the window.
 * @param {Element} box
 */
function place(box) {
  const tip = /** @type {HTMLElement} */ (box.querySelector(".dp-tip"));
  tip.style.setProperty("--shift", "0px");
  const { left, right } = tip.getBoundingClientRect();
  const over = Math.max(right - document.documentElement.clientWidth + 8, 0);
  tip.style.setProperty("--shift", `${Math.round(over > 0 ? -over : Math.max(8 - left, 0))}px`);
}

let listening = false;

/** Listen to hover, tap and keys for all explained words of the page, Streamlit's own included. One call is enough. */
export function listen() {
  if (listening) return;
  listening = true;
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const box = boxOf(event);
      if (box) place(box);
    });
  }
  document.addEventListener("click", (event) => {
    const box = boxOf(event);
    for (const open of document.querySelectorAll(".dp-term-box.dp-open")) {
      if (open !== box) open.classList.remove("dp-open");
    }
    box?.classList.remove("dp-shut");
    box?.classList.add("dp-open");
    if (box) place(box);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const box of document.querySelectorAll(".dp-term-box")) {
      box.classList.remove("dp-open");
      if (box.matches(":hover, :focus-within")) box.classList.add("dp-shut");
    }
  });
  for (const kind of ["pointerout", "focusout"]) {
    document.addEventListener(kind, (event) => {
      const box = boxOf(event);
      const to = /** @type {PointerEvent | FocusEvent} */ (event).relatedTarget;
      if (box && !box.contains(/** @type {Node | null} */ (to))) box.classList.remove("dp-shut", "dp-open");
    });
  }
}
