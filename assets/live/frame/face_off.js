// Which of some pictures was published? The reader guesses by a click, then the attacker's guess is shown; the score runs.

import { button, element } from "../draw/dom.js";
import { drawFaces, facesAt } from "../draw/face_off.js";
import { joined } from "../draw/raster.js";
import { reading } from "../draw/readings.js";
import { Rounds } from "./quiz_model.js";

/** @import { FaceOff } from "../message.d.ts" */
/** @import { Numbers } from "../types.d.ts" */
/** @import { keptCanvas } from "../draw/canvas.js" */
/** @import { Panel } from "./panel.js" */
/** @import { Mark } from "../draw/face_off.js" */

const GAME = 5; // rounds after which the score is told as a whole

/** The game of a panel: buttons over its candidates, and words with the score under it. */
export class FaceOffPanel {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.rounds = new Rounds(GAME);
    /** Whether the reader has guessed before: numbers before would answer the question. */
    this.guessed = false;
    this.over = element("div", "dp-faces");
    this.words = element("p", "dp-predict-words");
    this.words.setAttribute("role", "status");
    this.next = button("dp-button", "", () => this.goOn());
    this.root = element("div", "dp-predict dp-face-off");
    this.root.append(this.words, this.next);
    /** @type {HTMLButtonElement[]} */
    this.picks = [];
  }

  /** @returns {FaceOff | null} */
  get spec() {
    return this.panel.spec.face_off;
  }

  /** Take a new description. */
  update() {
    const { spec, panel } = this;
    this.root.hidden = this.over.hidden = !spec;
    if (!spec) return;
    if (!this.root.parentNode) {
      panel.quiz.root.after(this.root);
      panel.wrap.append(this.over);
    }
    this.say();
  }

  /** Whether the reader is asked, and has not answered yet. */
  get asks() {
    return this.spec !== null && !this.guessed;
  }

  /** Whether all arrays of the game are here. */
  get ready() {
    const { spec, panel } = this;
    return (
      spec !== null && [spec.published, spec.candidates, spec.truth].every((name) => panel.figure.slices.has(name))
    );
  }

  /** The round in view: its place, the right candidate, and the attacker's (-1 where it is not known). */
  get round() {
    const { slices } = this.panel.figure;
    const spec = /** @type {FaceOff} */ (this.spec);
    const truth = slices.get(spec.truth);
    const at = this.rounds.at % truth.length;
    const [, n] = slices.shape(spec.candidates);
    const attacker = slices.has(spec.votes) ? reading(slices.get(spec.votes), at, n + 1) : -1;
    return { at, n, truth: truth[at], attacker };
  }

  /** The pictures of the round in view, the published one first. */
  get pictures() {
    const { slices } = this.panel.figure;
    const spec = /** @type {FaceOff} */ (this.spec);
    const { at } = this.round;
    const rounds = slices.get(spec.truth).length;
    const part = (/** @type {Numbers} */ values) => {
      const size = values.length / rounds;
      return Array.prototype.slice.call(values, at * size, (at + 1) * size);
    };
    return joined(part(slices.get(spec.published)), part(slices.get(spec.candidates)));
  }

  /**
   * Draw the round as large as it fits; return the height that it needs.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} width
   * @param {number} height
   * @param {ReturnType<typeof keptCanvas>} tile
   */
  paint(ctx, width, height, tile) {
    const { spec, colours, figure } = this.panel;
    const places = facesAt(this.round.n, width, height);
    drawFaces(ctx, this.pictures, spec, places, this.marks(), { colours, tile, family: figure.layout.type.family });
    return places.used;
  }

  /** The candidates to mark once the reader has guessed. */
  marks() {
    const { n, truth, attacker } = this.round;
    const { guess } = this.rounds;
    const spec = /** @type {FaceOff} */ (this.spec);
    if (guess < 0) return [];
    const role = (/** @type {number} */ place) => (place === truth ? "private" : "danger");
    /** @type {Mark[]} */
    const found = [{ place: guess, role: role(guess), words: spec.you }];
    if (attacker >= 0 && attacker < n) {
      found.push({ place: attacker, role: role(attacker), words: spec.attacker, low: true });
    }
    if (guess !== truth && attacker !== truth) found.push({ place: truth, role: "private", words: "" });
    return found;
  }

  /** Put a button over each candidate. */
  place() {
    if (!this.ready) return;
    const { n } = this.round;
    const { clientWidth: width, clientHeight: height } = this.panel.wrap;
    while (this.picks.length < n) this.add(this.picks.length);
    for (const [k, { x, y, size }] of facesAt(n, width, height).small.entries()) {
      Object.assign(this.picks[k].style, { left: `${x}px`, top: `${y}px`, width: `${size}px`, height: `${size}px` });
    }
    this.say();
  }

  /** @param {number} k */
  add(k) {
    const made = button("dp-face", "", () => this.choose(k));
    this.picks.push(made);
    this.over.append(made);
  }

  /** @param {number} k */
  choose(k) {
    if (!this.ready || this.rounds.guess >= 0) return;
    const { truth, attacker } = this.round;
    this.rounds.choose(k, truth, attacker);
    this.guessed = true;
    this.say();
    this.next.focus();
    this.panel.invalidate();
  }

  /** Go on to the next picture, or begin again. */
  goOn() {
    this.rounds.next();
    this.say();
    this.picks[0]?.focus();
    this.panel.invalidate();
  }

  /** Say what is asked, or how the round ended, with the score. */
  say() {
    const { spec, rounds } = this;
    if (!spec) return;
    const open = rounds.guess < 0;
    for (const [k, one] of this.picks.entries()) {
      one.disabled = !open;
      one.setAttribute("aria-label", `${spec.candidate} ${k + 1}`);
    }
    this.next.hidden = open;
    this.next.textContent = rounds.over ? spec.again : spec.on;
    const said = open ? [spec.question] : this.verdict();
    if (rounds.done) said.push(rounds.fill(spec.score));
    this.words.textContent = said.join(" ");
  }

  /** @returns {string[]} */
  verdict() {
    const spec = /** @type {FaceOff} */ (this.spec);
    const { last } = this.rounds;
    const attacker = last.known ? (last.attacker ? spec.found : spec.missed) : spec.waits;
    return [last.you ? spec.right : spec.wrong, attacker];
  }
}
