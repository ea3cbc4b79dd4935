// A named group of controls: one row of small ones where it stands alone, folded behind its heading among others.

import { words } from "../data/values.js";
import { element } from "../draw/dom.js";
import { Fold } from "./fold.js";

/** @import { ControlSpec, Value } from "../types.d.ts" */

/**
 * Return a control with its value in few words: by its symbol where it has one; a choice by its option alone.
 * @param {ControlSpec} spec
 * @param {Value} value
 */
function brief(spec, value) {
  if (spec.kind === "choice") return words(spec, value);
  if (spec.kind === "toggle") return `${spec.label}: ${value ? "on" : "off"}`;
  return `${spec.symbol || spec.label} ${words(spec, value)}`;
}

/** A group: its heading, and the place of its controls. */
export class ControlGroup {
  /**
   * @param {string} heading
   * @param {string} [tab] the tab in which it stands, as a row
   */
  constructor(heading, tab = "") {
    this.tab = tab;
    /** @type {Map<string, string>} its controls with their values, in words */
    this.told = new Map();
    this.root = element("div", "dp-group");
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", heading);
    this.title = element("p", "dp-group-title", heading);
    this.body = element("div", "dp-controls");
    this.fold = new Fold(heading, this.body);
    this.root.append(this.title, this.fold.root, this.body);
  }

  /**
   * Lay the group out: as a row where it is the only one, else open where it is the first or was opened.
   * @param {{ seen: boolean, alone: boolean, first: boolean }} place
   */
  arrange({ seen, alone, first }) {
    this.root.hidden = !seen;
    this.root.classList.toggle("dp-group-row", alone);
    this.title.hidden = !alone;
    this.fold.arrange({ folds: !alone, open: first });
    this.told.clear();
  }

  /**
   * Say the value of a control in the line of the folded group.
   * @param {ControlSpec} spec
   * @param {Value} value
   */
  tell(spec, value) {
    this.told.set(spec.name, brief(spec, value));
    this.fold.say([...this.told.values()].join(", "));
  }
}
