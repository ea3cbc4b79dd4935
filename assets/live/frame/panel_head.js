// The words around a panel: title and buttons over it, caption and description under it.

import { button, element } from "../draw/dom.js";
import { write as explain } from "./terms.js";

/** @import { PanelSpec } from "../types.d.ts" */

/**
 * The actions of a panel's buttons.
 * @typedef {object} Actions
 * @property {() => void} resetZoom
 * @property {() => void} enlarge
 * @property {(kind: "svg" | "png") => void} saveAs
 * @property {(kind: "gif" | "webm") => void} film
 */

/**
 * Return the first sentence of a caption and the rest: at a first look the rest is behind the button "More".
 * @param {string} caption
 */
export function halves(caption) {
  const end = /[.?!](?=\s+["“A-Z])/.exec(caption);
  return end ? [caption.slice(0, end.index + 1), caption.slice(end.index + 1)] : [caption, ""];
}

/** The words around a picture. */
export class PanelHead {
  /**
   * @param {PanelSpec} spec
   * @param {Actions} actions
   */
  constructor(spec, actions) {
    this.root = element("figcaption", "dp-panel-head");
    this.title = element("span", "dp-panel-title", spec.title);
    this.caption = element("p", "dp-caption");
    this.lead = element("span");
    this.rest = element("span", "dp-rest");
    this.caption.append(this.lead, this.rest);
    this.inWords = element("p", "dp-caption dp-words");
    this.inWords.hidden = true;
    /** @type {HTMLButtonElement | null} */
    this.whole = null;
    this.menuBox = this.menu(spec, actions);
    this.root.append(this.title, this.menuBox);
  }

  /**
   * @param {PanelSpec} spec
   * @param {Actions} actions
   */
  menu({ kind, title: name }, actions) {
    const box = element("span", "dp-menu");
    /** @type {(label: string, title: string, act: () => void) => HTMLButtonElement} */
    const small = (label, title, act) => {
      const made = button("dp-mini", label, act);
      made.title = title;
      // Voice control finds a button by the words on it.
      const said = !/\w/.test(label) || title.includes(label) ? title : `${label}. ${title}`;
      made.setAttribute("aria-label", `${said}: ${name}`);
      return made;
    };
    const text = small("Text", "Describe in words", () => {
      this.inWords.hidden = !this.inWords.hidden;
      text.setAttribute("aria-expanded", String(!this.inWords.hidden));
    });
    text.setAttribute("aria-expanded", "false");
    const save = (/** @type {"SVG" | "PNG"} */ kind) => {
      const made = small(kind, `Save as ${kind}`, () => actions.saveAs(kind === "SVG" ? "svg" : "png"));
      made.classList.add("dp-save");
      return made;
    };
    const film = (/** @type {"GIF" | "WebM"} */ kind) => {
      const made = small(kind, `Save a film as ${kind}`, () => actions.film(kind === "GIF" ? "gif" : "webm"));
      made.classList.add("dp-save");
      return made;
    };
    const stills = kind === "mosaic" ? [save("PNG")] : [save("SVG"), save("PNG")];
    const folded = [text, ...stills, film("GIF"), film("WebM")];
    const more = small("⋯", "More", () => this.unfold(more, folded, text.hidden === true));
    this.unfold(more, folded, false);
    if (kind !== "mosaic") {
      this.whole = small("1 : 1", "Reset the zoom", () => actions.resetZoom());
      this.whole.hidden = true;
      box.append(this.whole);
    }
    box.append(
      ...folded,
      more,
      small("⤢", "Enlarge or put back", () => actions.enlarge()),
    );
    return box;
  }

  /**
   * Show or hide the rest of the caption and the buttons behind "More".
   * @param {HTMLButtonElement} more
   * @param {HTMLButtonElement[]} folded
   * @param {boolean} open
   */
  unfold(more, folded, open) {
    for (const one of folded) one.hidden = !open;
    more.setAttribute("aria-expanded", String(open));
    this.caption.classList.toggle("dp-whole", open);
  }

  /**
   * @param {PanelSpec} spec
   * @param {Record<string, string>} [terms]
   */
  update({ title, caption }, terms = {}) {
    this.title.textContent = title;
    const [lead, rest] = halves(caption ?? "");
    explain(this.lead, lead, terms);
    explain(this.rest, rest, terms);
    this.caption.hidden = !caption;
  }

  /**
   * Show whether the panel is zoomed, which can be reset.
   * @param {boolean} part
   */
  zoomed(part) {
    if (this.whole) this.whole.hidden = !part;
  }

  /** @param {string} text */
  describe(text) {
    if (this.inWords.textContent !== text) this.inWords.textContent = text;
  }
}
