// A slider that plays itself: the next place, its duration, and the row of buttons under the slider.

import { button, element } from "../draw/dom.js";

/** @import { Move } from "../types.d.ts" */

/**
 * The slider that is played.
 * @typedef {object} Track
 * @property {() => number} length
 * @property {() => number} seconds that a whole play takes
 * @property {() => number} place
 * @property {(place: number) => void} set
 * @property {(how: Move) => void} moved
 */

const SHORTEST = 70;
const LONGEST = 600;

/**
 * Return how long a place is shown, in milliseconds, unless single places would then be too short to draw or too long to
 * wait for.
 * @param {number} length
 * @param {boolean} calm whether the reader asks for little motion
 * @param {number} seconds that a whole play takes
 */
export const beatOf = (length, calm, seconds) =>
  Math.min(Math.max((1000 * seconds) / length, calm ? 400 : SHORTEST), LONGEST);

/** The state of a play; the timer is the caller's. */
export class Play {
  /** @param {Track} track */
  constructor(track) {
    this.track = track;
    this.playing = false;
    this.paused = -1;
  }

  /** Start from the beginning or from where the play was paused; or pause. */
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

  /** Go one place on; the end stops the play. */
  beat() {
    const next = this.track.place() + 1;
    if (next >= this.track.length()) return this.stop();
    this.track.set(next);
    this.track.moved("drag");
  }

  /**
   * Go to a place by hand, clipped to the ends.
   * @param {number} place
   */
  go(place) {
    this.track.set(Math.min(Math.max(place, 0), this.track.length() - 1));
    this.track.moved("key");
  }

  /** End the play because the reader moves the slider, which sends its own events. */
  halt() {
    this.playing = false;
  }

  stop() {
    this.halt();
    this.track.moved("commit");
  }
}

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  play: "M4 3v10l8-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/**
 * Return an icon as SVG: fonts need not have the glyph.
 * @param {keyof typeof ICONS} name
 */
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "dp-icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * @param {keyof typeof ICONS} name
 * @param {string} title
 * @param {() => void} act
 */
function small(name, title, act) {
  const made = button("dp-mini", "", act);
  made.replaceChildren(icon(name));
  made.title = title;
  made.setAttribute("aria-label", title);
  return made;
}

/** The buttons play, pause and step, with the timer of a play. */
export class Player {
  /** @param {Track} track */
  constructor(track) {
    this.play = new Play(track);
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.button = button("dp-mini", "", () => this.toggle());
    this.root = element("div", "dp-player");
    this.root.append(
      small("first", "Back to the start", () => this.play.go(0)),
      small("back", "One step back", () => this.play.go(track.place() - 1)),
      this.button,
      small("play", "One step on", () => this.play.go(track.place() + 1)),
      small("last", "To the end", () => this.play.go(track.length() - 1)),
    );
    this.show();
  }

  show() {
    const word = this.play.playing ? "Pause" : "Play";
    const name = this.play.playing ? "pause" : "play";
    this.button.replaceChildren(icon(name), ` ${name}`);
    this.button.title = word;
    this.button.setAttribute("aria-label", word);
  }

  toggle() {
    this.play.toggle();
    if (this.play.playing) {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.timer = setInterval(() => this.beat(), beatOf(this.play.track.length(), calm, this.play.track.seconds()));
      this.show();
    } else this.rest();
  }

  beat() {
    if (this.root.isConnected) this.play.beat();
    else this.play.stop();
    if (!this.play.playing) this.rest();
  }

  /** Stop because the reader moves the slider. */
  halt() {
    if (!this.play.playing) return;
    this.play.halt();
    this.rest();
  }

  rest() {
    clearInterval(this.timer);
    this.show();
  }
}
