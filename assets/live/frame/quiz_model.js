// Predict, then see: the guess of a curve and its distance from the truth; bets on which of two data sets was used. No
// DOM.

import { atMost } from "./odds.js";

/** @import { Numbers } from "../types.d.ts" */

const KNOTS = 13; // places across the panel where a guess of a curve has a value
const EVENLY = Array.from({ length: KNOTS }, (_, k) => k / (KNOTS - 1));

/** A guess of a curve, drawn by hand or by keys. */
export class Sketch {
  /**
   * @param {{ range: [number, number], log: boolean }} x
   * @param {{ range: [number, number], log: boolean }} y
   * @param {number[]} places where a guess has a value; none: across the whole panel
   * @param {number[]} levels the only values that a guess may have; none: any
   */
  constructor(x, y, places = [], levels = []) {
    this.axes = { x, y };
    this.across = places.length ? places.map((place) => partOf(x, place)) : EVENLY;
    this.levels = levels.map((level) => partOf(y, level)).sort((a, b) => a - b);
    this.x = this.across.map((part) => within(x, part));
    /** @type {number[]} as parts of the height, NaN where nothing was drawn */
    this.parts = this.x.map(() => NaN);
    this.at = 0;
  }

  get y() {
    return this.parts.map((part) => within(this.axes.y, part));
  }

  /** Whether the guess has a value at every place. */
  get whole() {
    return this.parts.every(Number.isFinite);
  }

  /**
   * Draw from one place to another, both as shares of the panel from its lower left corner.
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  draw([x0, y0], [x1, y1]) {
    const half = (this.across[1] - this.across[0]) / 2;
    for (const [k, x] of this.across.entries()) {
      const near = Math.abs(x - x1) <= half;
      const passed = (x - x0) * (x - x1) <= 0;
      if (!near && !passed) continue;
      const share = x1 === x0 ? 1 : Math.min(Math.max((x - x0) / (x1 - x0), 0), 1);
      this.parts[k] = this.snapped(Math.min(Math.max(y0 + (y1 - y0) * share, 0), 1));
      this.at = k;
    }
  }

  /**
   * Return the nearest level that a guess may have.
   * @param {number} part
   */
  snapped(part) {
    const nearer = (/** @type {number} */ a, /** @type {number} */ b) =>
      Math.abs(b - part) < Math.abs(a - part) ? b : a;
    return this.levels.length ? this.levels.reduce(nearer) : part;
  }

  /**
   * Return one step up or down: to the next level, or by a fixed share.
   * @param {number} part
   * @param {number} by
   */
  stepped(part, by) {
    if (!this.levels.length || !by) return this.snapped(Math.min(Math.max(part + by, 0), 1));
    const at = this.levels.indexOf(this.snapped(part)) + Math.sign(by);
    return this.levels[Math.min(Math.max(at, 0), this.levels.length - 1)];
  }

  /**
   * Move by a key: across to the next place, or up and down there. A place without a value starts at its neighbour's.
   * @param {string} key
   * @returns {boolean} whether the key has a meaning
   */
  key(key) {
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const up = { ArrowUp: 0.025, ArrowDown: -0.025, PageUp: 0.1, PageDown: -0.1 }[key];
    if (!across && !up) return false;
    if (!Number.isFinite(this.parts[this.at])) this.parts[this.at] = 0.5;
    const before = this.parts[this.at];
    if (across) this.at = Math.min(Math.max(this.at + across, 0), this.across.length - 1);
    const here = this.parts[this.at];
    const start = Number.isFinite(here) ? here : before;
    this.parts[this.at] = this.stepped(start, up ?? 0);
    return true;
  }
}

/**
 * Return the value of an axis at a share of it, 0 to 1.
 * @param {{ range: [number, number], log: boolean }} axis
 * @param {number} part
 */
function within({ range: [low, high], log }, part) {
  return log ? low * (high / low) ** part : low + (high - low) * part;
}

/**
 * Return a value of an axis as a share of it.
 * @param {{ range: [number, number], log: boolean }} axis
 * @param {number} value
 */
function partOf({ range: [low, high], log }, value) {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/**
 * Return how many guesses are right, of those whose truth is known: the nearest level counts.
 * @param {Sketch} sketch
 * @param {Numbers} truth at the places of the guess
 */
export function hits(sketch, truth) {
  const known = sketch.parts.map((_, k) => k).filter((k) => Number.isFinite(truth[k]));
  const right = known.filter((k) => sketch.snapped(partOf(sketch.axes.y, truth[k])) === sketch.parts[k]);
  return { right: right.length, known: known.length };
}

/**
 * Return the mean distance of a guess from a curve: a difference, or on a logarithmic axis a factor of at least 1.
 * @param {Sketch} sketch
 * @param {Numbers} x increasing
 * @param {Numbers} y
 */
export function distance({ x: places, y: guess, axes }, x, y) {
  let [sum, n] = [0, 0];
  for (const [k, place] of places.entries()) {
    const truth = between(x, y, place, axes.x.log);
    if (!Number.isFinite(truth) || !Number.isFinite(guess[k])) continue;
    const clipped = Math.min(Math.max(truth, axes.y.range[0]), axes.y.range[1]);
    sum += Math.abs(axes.y.log ? Math.log(guess[k] / clipped) : guess[k] - clipped);
    n += 1;
  }
  const mean = n ? sum / n : NaN;
  return axes.y.log ? Math.exp(mean) : mean;
}

/**
 * @param {Numbers} x
 * @param {Numbers} y
 * @param {number} at
 * @param {boolean} log
 */
function between(x, y, at, log) {
  for (let i = 1; i < x.length; i++) {
    if (at < x[i - 1] * (1 - 1e-9) || at > x[i] * (1 + 1e-9)) continue;
    const part = log ? Math.log(at / x[i - 1]) / Math.log(x[i] / x[i - 1]) : (at - x[i - 1]) / (x[i] - x[i - 1]);
    return y[i - 1] + (y[i] - y[i - 1]) * Math.min(Math.max(part, 0), 1);
  }
  return NaN;
}

/**
 * Return how often tossed coins are right as often or more often, of a hundred games, in words.
 * @param {number} right
 * @param {number} rounds
 */
export function luck(right, rounds) {
  let [ways, sum] = [1, 0];
  for (let k = 0; k <= rounds; k++) {
    if (k >= right) sum += ways;
    ways = (ways * (rounds - k)) / (k + 1);
  }
  const games = (100 * sum) / 2 ** rounds;
  if (games < 1) return "fewer than 1";
  return games > 99 ? "more than 99" : `about ${Math.round(games)}`;
}

/** Bets on whether an answer was drawn with one person in the data or without. */
export class Bets {
  /**
   * @param {() => number} random from 0 to 1
   * @param {number} rounds
   */
  constructor(random, rounds) {
    this.random = random;
    this.rounds = rounds;
    this.done = 0;
    this.right = 0;
    this.inside = false;
    this.draw = 0;
    this.open = false;
    this.next();
  }

  get over() {
    return this.done === this.rounds;
  }

  /** Draw the next answer: a fair coin picks the data set, and one of its draws is shown. */
  next() {
    this.inside = this.random() < 0.5;
    this.draw = this.random();
    this.open = true;
  }

  /**
   * Put the score and the largest accuracy of a test into a sentence.
   * @param {string} words
   * @param {number} best
   * @param {string} truth the right bet in words
   */
  fill(words, best, truth) {
    const { right, done, rounds } = this;
    const said = /** @type {Record<string, string | number>} */ ({
      right,
      done,
      rounds,
      truth,
      next: Math.min(done + 1, rounds),
      most: atMost(best),
      expected: Math.round(rounds * best),
      luck: luck(right, rounds),
    });
    return words.replace(/\{(\w+)\}/g, (_, name) => String(said[name]));
  }

  /**
   * Bet on the present answer, which stays until the next one, so that the verdict is about the answer in view.
   * @param {boolean} inside the bet
   */
  bet(inside) {
    const hit = inside === this.inside;
    this.done += 1;
    this.right += Number(hit);
    this.open = false;
    return hit;
  }
}

/** Rounds in which the reader and an attacker guess the same; games of a few rounds each. */
export class Rounds {
  /** @param {number} game how many rounds a game has */
  constructor(game) {
    this.game = game;
    this.at = 0;
    this.guess = -1;
    this.last = { you: false, attacker: false, known: false };
    this.done = 0;
    this.tried = 0;
    this.you = 0;
    this.attacker = 0;
  }

  /** Forget the score: a new game begins. */
  begin() {
    this.done = this.tried = this.you = this.attacker = 0;
  }

  get over() {
    return this.done === this.game;
  }

  /**
   * Guess in the present round; the attacker's guess counts where it is known (not -1).
   * @param {number} guess
   * @param {number} truth
   * @param {number} attacker
   */
  choose(guess, truth, attacker) {
    this.guess = guess;
    this.last = { you: guess === truth, attacker: attacker === truth, known: attacker >= 0 };
    this.done += 1;
    this.you += Number(this.last.you);
    this.tried += Number(this.last.known);
    this.attacker += Number(this.last.known && this.last.attacker);
  }

  /** Go on to the next round, after the last one of a game to a new game. */
  next() {
    if (this.over) this.begin();
    this.at += 1;
    this.guess = -1;
  }

  /**
   * Put the score into a sentence.
   * @param {string} words
   */
  fill(words) {
    const score = /** @type {Record<string, number>} */ ({
      you: this.you,
      attacker: this.attacker,
      done: this.done,
      tried: this.tried,
    });
    return words.replace(/\{(\w+)\}/g, (_, name) => String(score[name]));
  }
}
