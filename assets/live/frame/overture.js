// What a figure shows by itself, once, as it comes into sight: its handle goes to its ends and back, or comes from
// its first place to where it is.

import { at, indexOf } from "../data/values.js";

/** @import { SliderSpec } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

const SECONDS = 3; // to an end and back
const LONGEST = 8; // seconds of a way up, however slow the slider plays
const HOLD = 0.8; // seconds that the figure stands as it opens before its handle goes to the first place,
const BACK = 0.7; // and seconds of that way

/**
 * Return the ends that a handle goes to: the nearer one first, unless it is there.
 * @param {number} from
 * @param {number} last place of the grid
 */
export function endsOf(from, last) {
  const [near, far] = from > last / 2 ? [last, 0] : [0, last];
  return near === from ? [far] : [near, far];
}

/**
 * Return the place of a handle on its way from a place to the ends of its grid and back: slow where it turns.
 * @param {number} from
 * @param {number} last place of the grid
 * @param {number} part of the way, from 0 to 1
 */
export function placeAt(from, last, part) {
  const ends = endsOf(from, last);
  const way = ends.length * part;
  const end = ends[Math.min(Math.floor(way), ends.length - 1)];
  return Math.round(from + (end - from) * (0.5 - 0.5 * Math.cos(2 * Math.PI * way)));
}

/**
 * Return the place of a handle on its way from the first place.
 * @param {number} to
 * @param {number} part of the way, from 0 to 1
 */
export const risenTo = (to, part) => Math.floor(to * part + 1e-9);

/**
 * Return the place of a handle that stands, goes back to the first place, and comes from there.
 * @param {number} to
 * @param {number} seconds since it began
 * @param {number} whole seconds of the way up
 */
export function storyAt(to, seconds, whole) {
  if (seconds <= HOLD) return to;
  const back = (seconds - HOLD) / BACK;
  if (back < 1) return Math.round(to * (0.5 + 0.5 * Math.cos(Math.PI * back)));
  return risenTo(to, Math.min((seconds - HOLD - BACK) / whole, 1));
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
    for (const spec of this.figure.specs.values()) {
      if (spec.kind === "slider" && (spec.sways || spec.rises) && !spec.disabled && !spec.hidden) return spec;
    }
    return undefined;
  }

  /** Whether the handle is on its way. */
  get moving() {
    return this.frame !== null;
  }

  get seconds() {
    const { spec } = this;
    if (spec?.rises) return HOLD + BACK + Math.min(spec.seconds, LONGEST);
    return SECONDS * endsOf(this.from, (spec?.grid.length ?? 1) - 1).length;
  }

  /** Begin where the figure is in sight: called when it is drawn. */
  wake() {
    const { figure, spec } = this;
    if (this.done || this.frame !== null || !spec || document.visibilityState === "hidden") return;
    if (spec.mode === "server" && figure.layout.computes) return; // what it passes may not be known yet
    if (!this.answered(spec)) return;
    this.from = indexOf(spec, figure.values[spec.name]);
    this.began = performance.now();
    this.frame = requestAnimationFrame(() => this.beat());
  }

  /**
   * Return whether a picture in sight shows another result at another place of the handle.
   * @param {SliderSpec} spec
   */
  answered({ name }) {
    const { slices, data, panels } = this.figure;
    const { arrays, coords } = slices;
    const moves = (/** @type {string} */ array) => {
      const { dims, shape } = arrays[array];
      return dims.some((dim, k) => {
        if (shape[k] < 2 || dim === null) return false;
        return dim === name || (coords[dim] !== undefined && arrays[coords[dim]]?.dims.includes(name));
      });
    };
    const ahead = Object.entries(data.previews[name] ?? {});
    const names = Object.keys(arrays).filter(moves);
    names.push(...ahead.filter(([, instead]) => names.includes(instead)).map(([shown]) => shown));
    return [...panels.all.values()].some((panel) => panel.seen && !panel.pending && panel.draws(names));
  }

  beat() {
    if (this.frame === null) return; // it was ended
    const { spec } = this;
    if (!this.figure.layout.root.isConnected || !spec) return this.stop();
    const seconds = Math.min((performance.now() - this.began) / 1000, this.seconds);
    const last = seconds === this.seconds;
    this.frame = last ? null : requestAnimationFrame(() => this.beat());
    const place = () => placeAt(this.from, spec.grid.length - 1, seconds / this.seconds);
    if (last) this.done = true; // before it is drawn, which would wake it again
    this.go(spec.rises ? storyAt(this.from, seconds, this.seconds - HOLD - BACK) : place(), true);
    if (last) this.settle();
  }

  /**
   * @param {number} place
   * @param {boolean} now whether to draw at once: a handle and its picture are never of two frames
   */
  go(place, now = false) {
    const { figure, spec } = this;
    if (!spec) return;
    const value = at(spec.grid, place);
    if (figure.values[spec.name] === value) return;
    figure.values[spec.name] = value;
    figure.moves.lookAhead(spec.name);
    figure.slices.moved();
    figure.controls.show(spec.name, value);
    figure.card.look();
    if (now) figure.draw();
    else figure.schedule();
  }

  /** Go back to where the handle was, and stay there. */
  end() {
    if (this.frame !== null) this.go(this.from);
    this.stop();
  }

  stop() {
    this.frame = null;
    if (!this.done && this.began) this.settle();
    this.done = true;
  }

  /** Let the picture be that of the answer again. */
  settle() {
    this.figure.moves.settle();
  }
}
