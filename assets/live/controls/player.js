// The row of buttons under a slider that plays.

import { button, element } from "../draw/dom.js";
import { beatOf, Play } from "./play.js";

/** @import { Track } from "./play.js" */

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  play: "M4 3v10l8-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/**
 * A drawn icon: the fonts of a reader's machine need not have the glyph.
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

/** Play, pause and step; the beat of a play. */
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
      this.timer = setInterval(() => this.beat(), beatOf(this.play.track.length(), calm));
      this.show();
    } else this.rest();
  }

  beat() {
    if (this.root.isConnected) this.play.beat();
    else this.play.stop();
    if (!this.play.playing) this.rest();
  }

  /** A hand is on the slider. */
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
