// What a figure shows by itself, once, as it comes into sight: its handle goes to the farther end and back.

import { at, indexOf } from "../data/values.js";

/** @import { SliderSpec } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

const SECONDS = 3;

/**
 * Return the place of a handle on its way from a place to the farther end and back: slow where it turns.
 * @param {number} from
 * @param {number} last place of the grid
 * @param {number} part of the way, from 0 to 1
 */
export function placeAt(from, last, part) {
  const far = from > last / 2 ? 0 : last;
  return Math.round(from + (far - from) * (0.5 - 0.5 * Math.cos(2 * Math.PI * part)));
}

/** The first slider that moves by itself. A touch ends that, and Python hears nothing of it. */
export class Overture {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    this.done = matchMedia("(prefers-reduced-motion: reduce)").matches;
    /** @type {number | null} */
    this.frame = null;
    this.from = 0;
    this.began = 0;
    for (const kind of ["pointerdown", "keydown"]) {
      figure.layout.root.addEventListener(kind, () => this.end(), true);
    }
  }

  /** @returns {SliderSpec | undefined} */
  get spec() {
    for (const spec of this.figure.specs.values()) if (spec.kind === "slider" && spec.sways) return spec;
    return undefined;
  }

  /** Begin where the figure is in sight: called when it is drawn. */
  wake() {
    const { figure, spec } = this;
    if (this.done || this.frame !== null || !spec || document.visibilityState === "hidden") return;
    if (![...figure.panels.all.values()].some((panel) => panel.seen)) return;
    this.from = indexOf(spec, figure.values[spec.name]);
    this.began = performance.now();
    this.frame = requestAnimationFrame(() => this.beat());
  }

  beat() {
    if (this.frame === null) return; // it was ended
    this.frame = null;
    const part = Math.min((performance.now() - this.began) / (1000 * SECONDS), 1);
    if (!this.figure.layout.root.isConnected || !this.spec) return this.stop();
    this.go(placeAt(this.from, this.spec.grid.length - 1, part));
    if (part === 1) this.stop();
    else this.frame = requestAnimationFrame(() => this.beat());
  }

  /** @param {number} place */
  go(place) {
    const { figure, spec } = this;
    if (!spec) return;
    const value = at(spec.grid, place);
    if (figure.values[spec.name] === value) return;
    figure.values[spec.name] = value;
    figure.slices.moved();
    figure.controls.show(spec.name, value);
    figure.schedule();
  }

  /** Go back to where the handle was, and stay there. */
  end() {
    if (this.frame !== null) this.go(this.from);
    this.stop();
  }

  stop() {
    this.frame = null;
    this.done = true;
  }
}
