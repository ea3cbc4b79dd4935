// Sections of which one is open.

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
   * @param {() => void} opened
   * @param {(name: string) => void} near one of them may be opened next
   */
  constructor(opened, near) {
    this.opened = opened;
    this.near = near;
    /** @type {string | undefined} */
    this.open = undefined;
    /** @type {string | null} */
    this.names = null;
    /** @type {Map<string, HTMLElement>} */
    this.bodies = new Map();
    this.root = element("div", "dp-tabs");
    this.root.setAttribute("role", "tablist");
    this.sections = element("div", "dp-sections");
  }

  /** @param {string[]} names */
  update(names) {
    if (this.open === undefined || !names.includes(this.open)) this.open = names[0];
    this.root.hidden = names.length < 2; // a single section needs no tabs
    if (names.join("\n") !== this.names) {
      this.names = names.join("\n");
      this.root.replaceChildren(...names.map((name) => this.tab(name, names)));
      for (const name of names) if (!this.bodies.has(name)) this.bodies.set(name, this.body(name));
    }
    this.turnTo(this.open);
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
   * @param {string} name
   * @param {string[]} names
   */
  tab(name, names) {
    const made = button("dp-tab", name, () => this.turnTo(name));
    made.setAttribute("role", "tab");
    onApproach(made, () => this.near(name));
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
      const open = made.textContent === name;
      made.setAttribute("aria-selected", String(open));
      made.tabIndex = open ? 0 : -1;
    }
    for (const [key, body] of this.bodies) body.hidden = key !== name;
    this.opened();
  }
}
