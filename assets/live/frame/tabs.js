// Sections of which one is open: the panels of each tab, and the main panels where a tab stands for them too.

import { onApproach } from "../data/prefetch.js";
import { button, element } from "../draw/dom.js";

/**
 * Return the tab that a key turns to, around the ends; null for other keys.
 * @param {string} key
 * @param {number} place
 * @param {number} count
 */
export function turned(key, place, count) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return by === undefined ? null : (place + by + count) % count;
}

/** Tabs, and a body for the panels of each. */
export class Tabs {
  /**
   * @param {HTMLElement} main the panels outside of all sections
   * @param {() => void} opened
   * @param {(name: string) => void} near one of them may be opened next
   */
  constructor(main, opened, near) {
    this.main = main;
    this.opened = opened;
    this.near = near;
    /** @type {string | undefined} */
    this.open = undefined;
    /** @type {string | null} */
    this.shown = null;
    /** @type {Map<string, HTMLElement>} */
    this.bodies = new Map();
    this.root = element("div", "dp-tabs");
    this.root.setAttribute("role", "tablist");
    this.sections = element("div", "dp-sections");
  }

  /**
   * @param {string[]} names
   * @param {string} [main] the words of a tab for the panels outside of all sections; "" where they are always shown
   */
  update(names, main = "") {
    const all = main ? ["", ...names] : names;
    if (this.open === undefined || !all.includes(this.open)) this.open = all[0];
    this.root.hidden = all.length < 2; // a single section needs no tabs
    if ([main, ...names].join("\n") !== this.shown) {
      this.shown = [main, ...names].join("\n");
      this.root.replaceChildren(...all.map((name) => this.tab(name, main, all)));
      for (const name of names) if (!this.bodies.has(name)) this.bodies.set(name, this.body(name));
      this.take(this.root.hidden ? "" : main);
    }
    this.turnTo(this.open);
  }

  /**
   * Make the panels outside of all sections one section among the others, or no section.
   * @param {string} main
   */
  take(main) {
    if (main) {
      this.main.setAttribute("role", "tabpanel");
      this.main.setAttribute("aria-label", main);
    } else {
      this.main.removeAttribute("role");
      this.main.removeAttribute("aria-label");
    }
  }

  /** @param {string} name */
  body(name) {
    const made = element("div", "dp-row dp-section");
    made.setAttribute("role", "tabpanel");
    made.setAttribute("aria-label", name);
    this.sections.append(made);
    return made;
  }

  /**
   * @param {string} name "" of the panels outside of all sections
   * @param {string} main
   * @param {string[]} names
   */
  tab(name, main, names) {
    const made = button("dp-tab", name || main, () => this.turnTo(name));
    made.dataset.name = name;
    made.setAttribute("role", "tab");
    if (name) onApproach(made, () => this.near(name));
    made.addEventListener("keydown", (event) => {
      const next = turned(event.key, names.indexOf(name), names.length);
      if (next === null) return;
      this.turnTo(names[next]);
      /** @type {HTMLElement} */ (this.root.children[next]).focus();
    });
    return made;
  }

  /** @param {string | undefined} name */
  turnTo(name) {
    this.open = name;
    for (const made of /** @type {Iterable<HTMLElement>} */ (this.root.children)) {
      const open = made.dataset.name === name;
      made.setAttribute("aria-selected", String(open));
      made.tabIndex = open ? 0 : -1;
    }
    for (const [key, body] of this.bodies) body.hidden = key !== name;
    this.main.hidden = this.main.getAttribute("role") === "tabpanel" && name !== "";
    this.opened();
  }
}
