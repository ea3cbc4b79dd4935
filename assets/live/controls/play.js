// A slider that plays itself: which place is next, how long a place is shown, and what is told. The beat is handed in;
// no DOM, no timer.

/** @import { Move } from "../types.d.ts" */

/**
 * The slider that is played.
 * @typedef {object} Track
 * @property {() => number} length
 * @property {() => number} place
 * @property {(place: number) => void} set
 * @property {(how: Move) => void} moved
 */

const WHOLE = 6000;
const SHORTEST = 70;
const LONGEST = 600;

/**
 * How long a place is shown, in milliseconds: a whole play takes six seconds, unless single places would then be too
 * short to draw or long enough to wait for.
 * @param {number} length
 * @param {boolean} calm whether the reader asks for little motion
 */
export const beatOf = (length, calm) => Math.min(Math.max(WHOLE / length, calm ? 400 : SHORTEST), LONGEST);

/** The player of one slider. */
export class Play {
  /** @param {Track} track */
  constructor(track) {
    this.track = track;
    this.playing = false;
    this.paused = -1;
  }

  /** Play: from the start, or from where a play was paused; or pause. */
  toggle() {
    if (this.playing) {
      this.paused = this.track.place();
      return this.stop();
    }
    const place = this.track.place();
    if (place !== 0 && place !== this.paused) this.go(0);
    this.paused = -1;
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
