// Predict, then see, under a panel: a curve is guessed by pointer or keys, or bets are made, then the truth is shown.

import { button, element } from "../draw/dom.js";
import { Bets, distance, hits, Sketch } from "./quiz_model.js";

/** @import { Layer, Numbers, PanelSpec } from "../types.d.ts" */
/** @import { Panel } from "./panel.js" */

/** The question of a panel before its result. */
export class QuizPanel {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {Sketch | null} */
    this.sketch = null;
    /** @type {Bets | null} */
    this.bets = null;
    this.settings = "";
    this.hides = false;
    this.asked = false; // a guess that is asked before anything is shown is asked once
    this.root = element("div", "dp-predict");
    this.root.hidden = true;
    this.words = element("p", "dp-predict-words");
    this.words.setAttribute("role", "status");
    this.row = element("div", "dp-buttons");
    this.root.append(this.words, this.row);
    // In the panel's head, so that a question nobody has asked takes no room from the numbers under the figure.
    this.start = button("dp-mini dp-start", "", () => (this.panel.spec.guess ? this.ask() : this.startBets()));
    this.pad = element("div", "dp-pad");
    this.pad.tabIndex = 0;
    this.pad.hidden = true;
    this.pad.setAttribute("role", "slider");
    panel.wrap.append(this.pad);
    this.listen();
  }

  /** @param {Pick<PanelSpec, "guess" | "bets">} spec */
  update({ guess, bets }) {
    this.keepOn();
    this.start.textContent = guess ? "Predict" : (bets?.words.start ?? "");
    this.start.setAttribute("aria-label", guess ? "Predict, then see" : (bets?.words.hint ?? ""));
    const playable = bets && (bets.inside !== "" || this.panel.figure.data?.breathing);
    this.start.hidden = !this.root.hidden || (!guess && !playable);
    if (!guess?.first || this.asked || !this.panel.figure.slices.has(guess.x)) return;
    this.asked = true;
    this.ask(false);
  }

  /**
   * Show whether a question is open.
   * @param {boolean} asked
   */
  showOpen(asked) {
    this.root.hidden = !asked;
    this.update(this.panel.spec);
  }

  /**
   * Ask for a curve, or for a value at each place.
   * @param {boolean} focus whether the reader asked for it
   */
  ask(focus = true) {
    const { spec, figure } = this.panel;
    if (!spec.guess) return;
    const { each, first, x, question } = spec.guess;
    const places = each ? Array.from(figure.slices.get(x)) : [];
    this.sketch = new Sketch(spec.x, spec.y, places, each ? (spec.y.ticks ?? []) : []);
    this.showOpen(true);
    this.hide(true);
    this.words.textContent = `${question} Draw ${each ? "across" : "the curve in"} the figure; with keys: ← → choose a place, ↑ ↓ move it.`;
    this.row.replaceChildren(
      button("dp-button", "Show the truth", () => this.reveal()),
      this.ends(first ? "Show it without a guess" : "Done"),
    );
    if (focus) this.pad.focus();
    this.sayGuess();
  }

  /** Show the truth beside the guess. */
  reveal() {
    const { spec, figure } = this.panel;
    if (!spec.guess || !this.sketch) return;
    if (!this.sketch.whole) {
      this.words.textContent = "Draw from the left end to the right end first.";
      return;
    }
    this.hide(false);
    this.words.textContent = this.verdict(
      this.sketch,
      figure.slices.get(spec.guess.x),
      figure.slices.get(spec.guess.y),
    );
    this.row.replaceChildren(
      button("dp-button", "Try again", () => this.ask()),
      this.ends(),
    );
  }

  /**
   * Say how good a guess was.
   * @param {Sketch} sketch
   * @param {Numbers} x
   * @param {Numbers} y
   */
  verdict(sketch, x, y) {
    if (sketch.levels.length) {
      const { right, known } = hits(sketch, y);
      const more = known < sketch.parts.length ? ` The other ${sketch.parts.length - known} are not known yet.` : "";
      return `You are right about ${right} of ${known}.${more}`;
    }
    const off = distance(sketch, x, y).toPrecision(2);
    return `On the average your guess is off by ${sketch.axes.y.log ? "a factor of " : ""}${off}.`;
  }

  /** Start the bets, where the outcomes that they are about are here. */
  startBets() {
    const { spec, figure } = this.panel;
    if (!spec.bets || !(spec.bets.inside || figure.breathing.known)) return;
    this.bets = new Bets(Math.random, spec.bets.rounds);
    this.settings = this.answered;
    this.showOpen(true);
    this.choose();
  }

  /** The settings that the newest answer is about. */
  get answered() {
    return JSON.stringify(this.panel.figure.data?.values);
  }

  /** Begin anew where the settings have changed: a score is about one bound. End where there is nothing to bet on. */
  keepOn() {
    if (!this.bets || this.settings === this.answered) return;
    this.bets = null;
    this.startBets();
    if (!this.bets) this.end();
  }

  /** Show one answer and ask from which data set it is. */
  choose() {
    const { bets, panel } = this;
    if (!bets || !panel.spec.bets) return;
    const { words, question } = panel.spec.bets;
    this.words.textContent = `${bets.fill(words.round, NaN, "")} ${question}`;
    const first = button("dp-button", words.with, () => this.bet(true));
    this.row.replaceChildren(
      first,
      button("dp-button", words.without, () => this.bet(false)),
      this.ends(words.done),
    );
    if (bets.done) first.focus();
    this.showAnswer();
  }

  /** @param {boolean} inside */
  bet(inside) {
    const { bets, panel } = this;
    if (!bets || !panel.spec.bets) return;
    const { words, best } = panel.spec.bets;
    const verdict = bets.bet(inside) ? words.right : words.wrong;
    const said = [verdict, bets.over ? words.last : words.score];
    const truth = bets.inside ? words.with : words.without;
    const most = panel.figure.slices.scalar(best);
    this.words.textContent = said.map((part) => bets.fill(part, most, truth)).join(" ");
    const on = bets.over
      ? button("dp-button", words.again, () => this.startBets())
      : button("dp-button", words.next, () => {
          bets.next();
          this.choose();
        });
    this.row.replaceChildren(on, this.ends(words.done));
    on.focus();
    this.showAnswer();
  }

  /** Draw the answer that is bet on: a number of its own, or an outcome of the figure. */
  showAnswer() {
    const { bets, panel } = this;
    if (bets && panel.spec.bets && !panel.spec.bets.inside) panel.figure.breathing.bet(bets, panel.spec.bets.hides);
    panel.invalidate();
  }

  /** @param {string} name */
  ends(name = "Done") {
    return button("dp-button", name, () => {
      this.end();
      this.start.focus();
    });
  }

  /** Put the question away. */
  end() {
    this.sketch = this.bets = null;
    if (this.panel.figure.breathing.round) this.panel.figure.breathing.bet(null);
    this.hide(false);
    this.showOpen(false);
  }

  /** @param {boolean} hides the truth */
  hide(hides) {
    this.hides = hides;
    this.pad.hidden = !hides;
    if (!this.panel.spec.tab) this.panel.figure.layout.root.classList.toggle("dp-guessing", hides);
    this.panel.invalidate();
  }

  /**
   * Return the layers to draw: without the truth while it is guessed, with the guess or the answer that is bet on.
   * @param {Layer[]} layers
   * @returns {Layer[]}
   */
  shown(layers) {
    const { guess, bets } = this.panel.spec;
    const seen = this.hides && guess ? layers.filter((layer) => !givesAway(layer, guess.y)) : layers;
    if (this.sketch) {
      const { x, y } = this.sketch;
      return [...seen, { kind: "line", x, y, role: "pinned", width: 3, label: "your guess", front: true }];
    }
    if (this.bets && bets?.inside) {
      const draws = this.panel.figure.slices.get(this.bets.inside ? bets.inside : bets.outside);
      const at = draws[2 * Math.floor((this.bets.draw * draws.length) / 2)];
      const label = this.bets.open ? "published" : `published, ${this.bets.inside ? "with" : "without"} her`;
      return [...seen, { kind: "vline", at, role: "text", width: 2.5, label, front: true }];
    }
    return seen;
  }

  listen() {
    /** @type {[number, number] | null} */
    let last = null;
    const part = (/** @type {PointerEvent} */ event) => {
      const env = this.panel.env();
      if (!env) return null;
      const box = this.panel.wrap.getBoundingClientRect();
      const { left, top, width, height } = env.area;
      const x = (event.clientX - box.left - left) / width;
      const y = 1 - (event.clientY - box.top - top) / height;
      return /** @type {[number, number]} */ ([Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)]);
    };
    this.pad.addEventListener("pointerdown", (event) => {
      this.pad.setPointerCapture(event.pointerId);
      last = part(event);
      if (last) this.moved(last, last);
    });
    this.pad.addEventListener("pointermove", (event) => {
      const now = last && part(event);
      if (last && now) this.moved(last, now);
      last = now;
    });
    this.pad.addEventListener("pointerup", () => {
      last = null;
    });
    this.pad.addEventListener("keydown", (event) => {
      if (event.key === "Enter") return this.reveal();
      if (!this.sketch?.key(event.key)) return;
      event.preventDefault();
      this.sayGuess();
    });
  }

  /**
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  moved(from, to) {
    this.sketch?.draw(from, to);
    this.sayGuess();
  }

  /** Say the guess for screen readers, and draw it. */
  sayGuess() {
    const { sketch, panel } = this;
    if (!sketch) return;
    const [x, y] = [sketch.x[sketch.at], sketch.y[sketch.at]].map((value) => value.toPrecision(2));
    this.pad.setAttribute("aria-label", `your guess of ${panel.spec.title}`);
    this.pad.setAttribute("aria-valuenow", Number.isFinite(sketch.parts[sketch.at]) ? y : "0");
    this.pad.setAttribute("aria-valuetext", `${panel.spec.x.title} ${x}: ${panel.spec.y.title} ${y}`);
    panel.invalidate();
  }
}

/**
 * Return whether a layer gives a curve away: it draws it, or is a point or an area beside it.
 * @param {Layer} layer
 * @param {string} name
 */
const givesAway = (layer, name) =>
  layer.kind === "dot" ||
  (layer.kind === "annotation" && typeof layer.y === "string") ||
  Object.values(layer).includes(name);
