// The guarantee card while it waits for Python: the browser draws moved handles at once, the card comes later.

import { indexOf } from "../data/values.js";

/** @import { ControlSpec, Values } from "../types.d.ts" */

const AGAIN = 100; // milliseconds until a stale card is looked at again

/**
 * Return whether a card made for some values is no longer that of a figure; controls that it does not know do not count.
 * @param {Values} made
 * @param {Map<string, ControlSpec>} specs
 * @param {Values} values of the figure
 */
export function isStale(made, specs, values) {
  const moved = (/** @type {ControlSpec} */ spec) =>
    spec.name in made && indexOf(spec, made[spec.name]) !== indexOf(spec, values[spec.name]);
  const valued = (/** @type {ControlSpec} */ { kind }) => kind === "slider" || kind === "choice";
  return [...specs.values()].some((spec) => valued(spec) && spec.name in values && moved(spec));
}

/** The guarantee card of a figure's page: it is marked as busy from the first move until Python has written it anew. */
export class StaleCard {
  /** @param {{ data: { name: string }, specs: Map<string, ControlSpec>, values: Values }} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.alarm = undefined;
  }

  /** Mark the card, or unmark it; a marked card is looked at again, as nobody tells when it is written. */
  look() {
    const { data, specs, values } = this.figure;
    clearTimeout(this.alarm);
    const card = document.querySelector(".st-key-guarantee");
    const made = document.querySelector(`.dp-values[data-page="${data.name}"]`)?.getAttribute("data-values");
    if (!card || !made) return;
    if (isStale(JSON.parse(made), specs, values)) {
      card.setAttribute("aria-busy", "true");
      this.alarm = setTimeout(() => this.look(), AGAIN);
    } else card.removeAttribute("aria-busy");
  }

  remove() {
    clearTimeout(this.alarm);
  }
}
