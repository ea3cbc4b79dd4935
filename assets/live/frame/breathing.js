// Noise that breathes: while no hand is on a handle the figure steps through outcomes that could have been published.

import { plays } from "../data/values.js";
import { button, element } from "../draw/dom.js";
import { PersonSpot } from "./person_spot.js";
import { fill } from "./sentences.js";
import { Steps } from "./steps.js";

/** @import { BreathingSpec, Env } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */
/** @import { Panel } from "./panel.js" */

const BEAT = 325; // milliseconds that an outcome is shown
const EASE = [75, 75]; // milliseconds between the pictures on the way to the next one: 2.5 outcomes a second in all
const REST = 3000; // milliseconds without a touch after which the figure breathes again

/** The outcomes of a figure, its clock, and the row of buttons under the pictures. */
export class Breathing {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {BreathingSpec | null} */
    this.spec = null;
    this.steps = new Steps();
    this.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.playing = !this.calm;
    /** Whether the picture is that of an outcome, and not this draw. */
    this.shown = false;
    /** Whether the person is taken out. */
    this.out = false;
    this.touched = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.pause = button("dp-mini", "", () => this.toggle());
    this.next = button("dp-mini", "Next outcome", () => this.step());
    this.person = button("dp-mini dp-person", "", () => this.turn());
    this.words = element("span", "dp-outcome");
    this.root = element("div", "dp-breathing");
    this.root.append(this.pause, this.next, this.person, this.words);
    this.root.hidden = true;
    this.spot = new PersonSpot(() => this.turn());
    const touch = (/** @type {Event} */ event) => this.touch(event);
    for (const kind of ["pointerdown", "keydown", "input"]) figure.layout.root.addEventListener(kind, touch, true);
    this.wakes = () => this.wake();
    this.holds = () => this.rest();
    document.addEventListener("visibilitychange", this.wakes);
    addEventListener("beforeprint", this.holds);
  }

  /** @param {BreathingSpec | null | undefined} spec */
  update(spec) {
    this.spec = spec ?? null;
    this.root.hidden = !spec;
    this.steps.resize(spec?.n_outcomes ?? 0);
    if (!spec?.person) this.spot.remove();
    if (!spec) return this.leave();
    const two = Object.keys(spec.without).length > 0;
    this.person.hidden = !two;
    if (!two) this.out = false;
    if (this.shown) this.stand();
    this.say();
  }

  /** The place along the outcomes: between two of them on the way. */
  get place() {
    return this.steps.place;
  }

  /** Whether the next beat may come. */
  get free() {
    const { figure, spec } = this;
    const { protocol } = figure.connection;
    return (
      this.playing &&
      spec !== null &&
      spec.n_outcomes > 1 &&
      figure.ready &&
      !figure.ahead &&
      !protocol.mine &&
      document.visibilityState !== "hidden" &&
      performance.now() - this.touched >= REST &&
      this.ended &&
      this.known &&
      this.panels().some((panel) => panel.seen)
    );
  }

  /** Whether all outcomes are here, with what is said of them. */
  get known() {
    const { figure, spec } = this;
    if (!spec) return false;
    const told = [...`${spec.label} ${spec.label_without}`.matchAll(/\{(\w+):/g)].map((found) => found[1]);
    const names = [...Object.values(spec.instead), ...Object.values(spec.without), ...told];
    return names.every((name) => !name || figure.slices.has(name));
  }

  /** Whether what plays is at its end: outcomes are of the whole training. */
  get ended() {
    const { specs, values } = this.figure;
    return [...specs.values()].every(
      (spec) => !plays(spec) || spec.kind !== "slider" || values[spec.name] === spec.grid[spec.grid.length - 1],
    );
  }

  /** The panels that draw something of an outcome. */
  panels() {
    const { spec, figure } = this;
    const names = Object.keys(spec?.instead ?? {});
    return [...figure.panels.all.values()].filter((panel) => panel.draws(names));
  }

  /**
   * Lay the button over the person's dot, on the first map that shows the outcomes.
   * @param {Panel} panel
   * @param {Env} env
   */
  mark(panel, env) {
    const { spec } = this;
    const { slices } = this.figure;
    if (!spec?.person || !slices.holds(spec.person)) return;
    if (panel.spec.kind !== "map" || panel !== this.panels()[0]) return;
    const place = slices.own(spec.person); // it stays where the person was
    this.spot.place(panel.wrap, env.x(place[0]), env.y(place[1]));
  }

  /** Start the clock where it stands and may run. */
  wake() {
    if (this.timer === undefined && this.playing && this.spec) this.wait();
  }

  wait() {
    const left = REST - (performance.now() - this.touched);
    this.timer = setTimeout(() => this.beat(), Math.max(BEAT, left));
  }

  /** Show the next outcome; without leave to do so the clock stops until something is drawn again. */
  beat() {
    this.timer = undefined;
    if (!this.figure.layout.root.isConnected) return;
    if (!this.free) {
      if (this.playing && performance.now() - this.touched < REST) this.wait();
      return;
    }
    this.show();
    this.steps.next();
    this.ease(0);
  }

  /**
   * Draw one picture on the way to the next outcome, and the others after it.
   * @param {number} k
   */
  ease(k) {
    this.steps.ease((k + 1) / EASE.length);
    this.draw();
    if (k + 1 < EASE.length) {
      this.timer = setTimeout(() => this.ease(k + 1), EASE[k]);
      return;
    }
    this.timer = undefined;
    this.say();
    this.wait();
  }

  /** Draw the outcome in view without moving to another. */
  show() {
    if (this.shown) return;
    this.shown = true;
    this.stand();
  }

  /** Let the outcomes stand in for this draw. */
  stand() {
    const { figure, spec, out } = this;
    figure.slices.outcomes = spec && (out ? spec.without : spec.instead);
    figure.layout.root.classList.toggle("dp-without", out);
    figure.slices.moved();
    figure.panels.invalidate();
  }

  /** Stop the clock. */
  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Draw this draw again. */
  leave() {
    this.stop();
    this.steps.settle();
    this.out = false;
    if (!this.shown) return;
    this.shown = false;
    const { figure } = this;
    figure.slices.outcomes = null;
    figure.layout.root.classList.toggle("dp-without", false);
    figure.slices.moved();
    figure.panels.invalidate();
    figure.schedule();
  }

  /** Hold the figure still at this draw: before it is saved, pinned or printed. */
  rest() {
    this.touched = performance.now();
    this.leave();
    this.say();
  }

  draw() {
    this.figure.slices.turned();
    for (const panel of this.panels()) panel.draw();
  }

  /** @param {Event} event a pointer or a key in the figure */
  touch(event) {
    if (this.root.contains(/** @type {Node} */ (event.target))) return;
    if (/** @type {KeyboardEvent} */ (event).key === "Tab") return;
    this.touched = performance.now();
    const still = !this.shown;
    const chosen = event.type === "pointerdown" && this.out; // the other world is looked at: it stays
    if (!chosen) this.leave();
    if (still) return;
    this.say();
    this.wake();
  }

  toggle() {
    this.playing = !this.playing;
    this.touched = -Infinity;
    if (this.playing) this.wake();
    else {
      this.stop();
      this.steps.settle();
      if (this.shown) this.draw();
    }
    this.say();
  }

  /** Show one more outcome, by hand. */
  step() {
    if (!this.known) return;
    this.playing = false;
    this.stop();
    if (this.shown) this.steps.next();
    this.steps.settle();
    this.shown = true;
    this.stand();
    this.draw();
    this.say();
  }

  /** Take the person out of the data, or put them back: the same outcome in the other world. */
  turn() {
    if (!this.known) return;
    this.out = !this.out;
    this.touched = -Infinity;
    this.shown = true;
    this.stand();
    this.draw();
    this.say();
    this.wake();
  }

  /** Say which outcome is in view, and what the buttons do. */
  say() {
    const { spec, playing, out } = this;
    if (!spec) return;
    this.pause.textContent = playing ? "Pause" : "Play outcomes";
    this.pause.setAttribute("aria-pressed", String(!playing));
    this.person.textContent = out ? spec.put_back : spec.take_out;
    this.person.setAttribute("aria-pressed", String(out));
    this.spot.say(out, out ? spec.put_back : spec.take_out);
    const template = this.shown ? (out ? spec.label_without : spec.label) : spec.still;
    const numbered = template
      .replace("{outcome}", String(this.steps.at + 1))
      .replace("{outcomes}", String(spec.n_outcomes));
    const text = fill(this.figure, numbered);
    if (this.words.textContent !== text) this.words.textContent = text;
  }

  remove() {
    this.stop();
    document.removeEventListener?.("visibilitychange", this.wakes);
    removeEventListener("beforeprint", this.holds);
  }
}
