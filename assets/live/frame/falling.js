// How far the draws of a panel have fallen, or how many people have raised their cards: a clock that goes after their
// number, one by one.

/** @import { Layer, Numbers } from "../types.d.ts" */
/** @import { Panel } from "./panel.js" */

const SLOWEST = 2.2; // draws a second
const RATE = 1.2; // share of those that are missing that falls in a second
const QUICKER = 1.2; // share of the cards in view by which more are raised in a second: one by one, then all
const FALL = 0.4; // seconds that a draw falls while many do

/**
 * Return whether draws are more, or fewer, of the same ones.
 * @param {Numbers} before
 * @param {Numbers} now
 */
export function goesOn(before, now) {
  const n = Math.min(before.length, now.length);
  for (let i = 0; i < n; i++) if (!(Math.abs(before[i] - now[i]) < 1e-3)) return false;
  return n > 0;
}

/** The falling draws of one panel. */
export class Falling {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.place = 0;
    this.upto = 0;
    /** Whether the clock begins slowly and goes ever faster, and not the other way round. */
    this.quickens = false;
    /** @type {string | undefined} the content that falls: another one falls from the beginning */
    this.content = undefined;
    /** @type {Numbers} where its draws land */
    this.draws = [];
    /** @type {number | null} */
    this.frame = null;
    this.before = 0;
    /** Whether a picture is drawn because time has passed, and not because something has changed. */
    this.ticking = false;
  }

  /** How many draws fall in a second. */
  get rate() {
    return Math.max(SLOWEST, this.quickens ? QUICKER * this.place : RATE * (this.upto - this.place));
  }

  /**
   * Return how many draws have fallen or are on their way, and for how many more a draw is on its way.
   * @param {Extract<Layer, { kind: "rain" | "cards" | "phones" }>} layer
   * @param {number} upto
   */
  at(layer, upto) {
    const { slices } = this.panel.figure;
    const first = this.panel.spec.layers.find((one) => one.kind === layer.kind);
    this.quickens = layer.kind === "cards";
    if (layer === first && typeof layer.xy === "string" && slices.arrays[layer.xy].id !== this.content) {
      const draws = slices.get(layer.xy);
      if (!goesOn(this.draws, draws)) this.place = 0;
      this.content = slices.arrays[layer.xy].id;
      this.draws = Array.from(draws); // the slice is overwritten by the next one
    }
    this.upto = upto;
    if (this.calm) this.place = upto;
    this.place = Math.min(this.place, upto);
    this.count(layer);
    const flight = Math.max(1, FALL * this.rate);
    return { place: this.place, flight: this.quickens ? Math.min(flight, Math.max(1, upto - this.place)) : flight };
  }

  /**
   * Let the numbers of the figure follow how many cards are raised.
   * @param {Extract<Layer, { kind: "rain" | "cards" | "phones" }>} layer
   */
  count(layer) {
    const { figure } = this.panel;
    const name = layer.kind === "cards" && layer.raised;
    const raised = Math.floor(this.place);
    if (!name || figure.values[name] === raised) return;
    figure.values[name] = raised;
    figure.slices.moved();
    figure.schedule();
  }

  /** Go on while draws are missing: called when the panel is drawn. */
  wake() {
    if (this.place >= this.upto || this.frame !== null) return;
    this.before = performance.now();
    this.frame = requestAnimationFrame(() => this.beat());
  }

  beat() {
    this.frame = null;
    const seconds = Math.min((performance.now() - this.before) / 1000, 0.1);
    this.place = Math.min(this.place + this.rate * seconds, this.upto);
    this.ticking = true;
    this.panel.draw();
    this.ticking = false;
  }

  /** Let all lie where they land: before a picture is saved. */
  settle() {
    this.place = this.upto;
  }

  stop() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }
}
