// A slider that plays itself: which place is next, and what is told. The beat is handed in; no DOM, no timer.

/** @import { Move } from "./types.d.ts" */

/**
 * The slider that is played.
 * @typedef {object} Track
 * @property {() => number} length
 * @property {() => number} place
 * @property {(place: number) => void} set
 * @property {(how: Move) => void} moved
 */

/** The player of one slider. */
export class Play {
  /** @param {Track} track */
  constructor(track) {
    this.track = track;
    this.playing = false;
  }

  /** Play, from the start when it stands at the end; or stop. */
  toggle() {
    if (this.playing) return this.stop();
    if (this.track.place() >= this.track.length() - 1) this.go(0);
    this.playing = true;
  }

  /** One place on; the end stops it. */
  beat() {
    const next = this.track.place() + 1;
    if (next >= this.track.length()) return this.stop();
    this.track.set(next);
    this.track.moved("drag");
  }

  /**
   * A step by hand; places beyond the ends are the ends.
   * @param {number} place
   */
  go(place) {
    this.track.set(Math.min(Math.max(place, 0), this.track.length() - 1));
    this.track.moved("key");
  }

  /** A hand on the slider ends the play; what it does is told by itself. */
  halt() {
    this.playing = false;
  }

  stop() {
    this.halt();
    this.track.moved("commit");
  }
}
