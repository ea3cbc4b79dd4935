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
 */

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
    box.append(text);
    if (kind !== "mosaic") {
      this.whole = small("1 : 1", "Reset the zoom", () => actions.resetZoom());
      this.whole.hidden = true;
      box.append(this.whole);
      box.append(save("SVG"));
    }
    box.append(small("⤢", "Enlarge or put back", () => actions.enlarge()));
    box.append(save("PNG"));
    return box;
  }

  /**
   * @param {PanelSpec} spec
   * @param {Record<string, string>} [terms]
   */
  update({ title, caption }, terms = {}) {
    this.title.textContent = title;
    explain(this.caption, caption ?? "", terms);
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
