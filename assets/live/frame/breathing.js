// Noise that breathes: while no hand is on a handle the figure steps through outcomes that could have been published.

import { indexOf, plays } from "../data/values.js";
import { button, element } from "../draw/dom.js";
import { nearestDot, nextDot, placed } from "./dots.js";
import { PersonSpot } from "./person_spot.js";
import { fill } from "./sentences.js";
import { Steps } from "./steps.js";

/** @import { BreathingSpec, Env, Move } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */
/** @import { Panel } from "./panel.js" */

const BEAT = 325; // milliseconds that an outcome is shown
const EASE = [75, 75]; // milliseconds between the pictures on the way to the next one: 2.5 outcomes a second in all
const REACH = 14; // pixels from a dot within which a click means it
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
    /** Whether the controls stand where the outcomes were drawn. */
    this.held = true;
    /** The dot, or picture, of the person who was chosen last; -1 once the server has answered. */
    this.asked = -1;
    /** @type {((k: number) => { x: number, y: number, size: number }) | null} where the pictures are */
    this.tileAt = null;
    /** @type {{ inside: boolean, draw: number, open: boolean } | null} the bet on the outcome in view */
    this.round = null;
    /** @type {string[]} arrays that would give the answer to a bet away */
    this.hides = [];
    this.touched = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.pause = button("dp-mini", "", () => this.toggle());
    this.next = button("dp-mini", "Next", () => this.step());
    this.next.setAttribute("aria-label", "Next outcome");
    this.person = button("dp-mini dp-person", "", () => this.turn());
    this.words = element("span", "dp-outcome");
    this.tap = element("span", "dp-tap");
    this.root = element("div", "dp-breathing");
    this.root.append(this.pause, this.next, this.person, this.words);
    this.root.hidden = true;
    this.spot = new PersonSpot(
      () => this.turn(),
      (way) => this.go(way),
    );
    const touch = (/** @type {Event} */ event) => this.touch(event);
    for (const kind of ["pointerdown", "keydown", "input"]) figure.layout.root.addEventListener(kind, touch, true);
    this.wakes = () => this.wake();
    this.holds = () => this.rest();
    document.addEventListener("visibilitychange", this.wakes);
    addEventListener("beforeprint", this.holds);
  }

  /**
   * @param {BreathingSpec | null | undefined} spec
   * @param {boolean} [awaited] whether the outcomes are on their way: the place of the buttons is then kept free
   */
  update(spec, awaited = false) {
    this.spec = spec ?? null;
    this.root.hidden = !(spec || awaited) || this.round !== null;
    this.root.inert = !spec;
    this.root.classList.toggle("dp-awaited", !spec);
    if (!this.waits) this.asked = -1;
    this.steps.resize(spec?.n_outcomes ?? 0);
    if (!spec?.person) {
      this.spot.remove();
      this.tap.remove();
      if (awaited) this.keepLine();
    }
    if (!spec) return this.leave();
    const two = Object.keys(spec.without).length > 0;
    this.person.hidden = !two;
    if (!two) this.out = false;
    // Until new outcomes are here, this draw is shown, and not a picture that waits.
    if (this.shown && !this.round && !this.out && !this.known) this.leave();
    else if (this.shown) this.stand();
    this.settle();
    this.say();
  }

  /** Keep the line below the first picture free that will say how to choose a person. */
  keepLine() {
    const [first] = this.figure.panels.all.values();
    this.tap.textContent = "\u00a0";
    this.tap.hidden = false;
    first?.wrap.after(this.tap);
  }

  /** Put the buttons under the pictures, or under the picture of a tab if it is the one with outcomes. */
  settle() {
    const { row } = this.figure.layout;
    const [panel] = this.panels();
    const above = panel?.spec.tab ? panel.wrap : row;
    if (this.root.previousSibling !== above) above.after(this.root);
    const { map, tap, bearer } = this;
    for (const one of this.figure.panels.all.values()) one.root.classList.toggle("dp-bears", one === bearer);
    if (!map) tap.remove();
    else if (tap.previousSibling !== map.wrap) map.wrap.after(tap);
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
      this.round === null &&
      spec !== null &&
      spec.n_outcomes > 1 &&
      figure.ready &&
      !figure.ahead &&
      !figure.overture.moving &&
      !protocol.mine &&
      document.visibilityState !== "hidden" &&
      performance.now() - this.touched >= REST &&
      this.ended &&
      this.known &&
      this.panels().some((panel) => panel.seen)
    );
  }

  /** Whether the controls stand where the outcomes were drawn. */
  get inPlace() {
    const { figure, spec } = this;
    const places = Object.entries(spec?.at ?? {});
    return places.every(
      ([name, value]) => !figure.specs.has(name) || figure.indexOf(name) === indexOf(figure.spec(name), value),
    );
  }

  /** Whether all outcomes are here, with what is said of them. */
  get known() {
    const { figure, spec } = this;
    if (!spec || !this.inPlace) return false;
    const told = [...`${spec.label} ${spec.label_without}`.matchAll(/\{(\w+):/g)].map((found) => found[1]);
    const names = [...Object.values(spec.instead), ...Object.values(spec.without), ...told];
    return names.every((name) => !name || figure.slices.has(name));
  }

  /** Whether what plays is at its end: outcomes are of the whole training, where they do not say what they are of. */
  get ended() {
    const { specs, values } = this.figure;
    if (Object.keys(this.spec?.at ?? {}).length) return true;
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

  /** The picture on which the person can be clicked: the first one that draws her, or her picture among others. */
  get bearer() {
    const { figure, spec } = this;
    if (!spec?.person || !figure.slices.holds(spec.person)) return null;
    const { pictured } = this;
    const names = pictured ? Object.keys(spec.instead) : [spec.person];
    const all = [...figure.panels.all.values()];
    return all.find((panel) => (panel.spec.kind === "mosaic") === pictured && panel.draws(names)) ?? null;
  }

  /** Whether the person is a picture among others, and not a dot. */
  get pictured() {
    const { spec, figure } = this;
    return Boolean(spec?.person) && figure.slices.arrays[spec?.person ?? ""]?.shape.length === 1;
  }

  /** The panel on which a person is chosen: the first that draws the dots, or the pictures. */
  get map() {
    const { spec, figure, pictured } = this;
    if (pictured) return this.bearer ?? undefined;
    const names = spec?.dots ? [spec.dots] : [];
    return [...figure.panels.all.values()].find((panel) => panel.spec.kind !== "mosaic" && panel.draws(names));
  }

  /**
   * Return whether a panel has the colours of the world without the person.
   * @param {Panel} panel
   */
  tints(panel) {
    return this.out && panel.draws(Object.keys(this.spec?.instead ?? {}));
  }

  /**
   * Lay the button over the person's dot.
   * @param {Panel} panel
   * @param {Env} env
   */
  mark(panel, env) {
    if (panel !== this.bearer) return;
    const [x, y] = this.middle(env);
    this.spot.place(panel.wrap, x, y);
  }

  /**
   * Return where the person is, in pixels: also while out of the data, and where a choice was not answered yet.
   * @param {Env | null} env null: of pictures
   * @returns {[number, number]}
   */
  middle(env) {
    const asked = this.asked < 0 ? undefined : this.places(env)[this.asked]; // else the dots may not be here yet
    if (asked) return asked;
    const place = this.figure.slices.own(/** @type {BreathingSpec} */ (this.spec).person);
    return env ? [env.x(place[0]), env.y(place[1])] : this.places(env)[place[0]];
  }

  /**
   * Return the places of all dots, or of the middles of all pictures, that can be chosen, in pixels.
   * @param {Env | null} env null: of pictures
   * @returns {[number, number][]}
   */
  places(env) {
    const { slices } = this.figure;
    const { dots, numbers } = /** @type {BreathingSpec} */ (this.spec);
    if (env) return dots ? placed(slices.own(dots), slices.arrays[dots].shape.at(-1) ?? 2, env) : [];
    const { tileAt } = this;
    if (!tileAt) return [];
    return Array.from(slices.own(numbers), (_, k) => {
      const { x, y, size } = tileAt(k);
      return [x + size / 2, y + size / 2];
    });
  }

  /** Whether another person can be chosen: nobody answers where the figure has no such control. */
  get chooses() {
    const { spec, figure } = this;
    if (!spec?.record || this.round) return false;
    const control = figure.specs.get(spec.record);
    return control !== undefined && !control.disabled && figure.slices.holds(spec.dots);
  }

  /** Whether the server has not answered to a choice yet. */
  get waits() {
    const { spec, figure } = this;
    return Boolean(spec?.record) && figure.values[spec?.record ?? ""] !== figure.data.values[spec?.record ?? ""];
  }

  /**
   * Choose the person whose dot was clicked, or take them out where that is the person.
   * @param {Panel} panel
   * @param {{ x: number, y: number }} at pixels
   */
  clicked(panel, { x, y }) {
    const env = this.pictured ? null : panel.env();
    if (!(env || this.pictured) || !this.chooses || panel !== this.map) return;
    const places = this.places(env);
    const dot = env ? nearestDot(places, [x, y], REACH) : this.column(places, x);
    if (dot < 0) return;
    if (dot === nearestDot(places, this.middle(env), 1)) this.turn();
    else this.choose(dot, "commit");
  }

  /**
   * Return the picture in whose column a place is: rows below show what is made of it. -1 for none.
   * @param {[number, number][]} places of the pictures
   * @param {number} x pixels
   */
  column(places, x) {
    const size = this.tileAt?.(0).size ?? 0;
    const row = places.map(([across]) => /** @type {[number, number]} */ ([across, 0]));
    return nearestDot(row, [x, 0], size / 2);
  }

  /**
   * Choose the next person in a direction.
   * @param {[number, number]} way
   */
  go(way) {
    const env = (this.pictured ? null : this.map?.env()) ?? null;
    if (!(env || this.pictured) || !this.chooses) return;
    const dot = nextDot(this.places(env), this.middle(env), way);
    if (dot >= 0) this.choose(dot, "key");
  }

  /**
   * Ask for the two worlds of another person; until the answer the picture stays.
   * @param {number} dot
   * @param {Move} how
   */
  choose(dot, how) {
    const { figure } = this;
    const { record, numbers } = /** @type {BreathingSpec} */ (this.spec);
    this.leave();
    this.asked = dot;
    figure.moves.set(record, numbers ? figure.slices.own(numbers)[dot] : dot + 1);
    figure.moves.moved(record, how);
    this.say();
  }

  /**
   * Show an outcome without telling of which world it is, until the bet is made; null: the bets are over.
   * @param {{ inside: boolean, draw: number, open: boolean } | null} round
   * @param {string[]} [hides]
   */
  bet(round, hides = []) {
    this.stop();
    this.round = round;
    this.hides = hides;
    this.root.hidden = !this.spec || round !== null;
    if (!round || !this.spec) {
      this.leave();
      this.say();
      return this.wake();
    }
    const n = this.spec.n_outcomes;
    this.steps.show(Math.min(Math.floor(round.draw * n), n - 1));
    this.out = !round.open && !round.inside;
    this.shown = true;
    this.stand();
  }

  /** The arrays of the outcome in view: while a bet is open, the person's dot tells nothing. */
  get world() {
    const { spec, round, out } = this;
    if (!spec) return null;
    const world = (round ? !round.inside : out) ? spec.without : spec.instead;
    if (!round) return world;
    const hidden = this.hides.map((name) => [name, ""]);
    const kept = Object.entries(world).filter(([name]) => !round.open || name in spec.instead);
    return Object.fromEntries([...kept, ...hidden]);
  }

  /**
   * Lay the button over the person's picture.
   * @param {Panel} panel
   * @param {(k: number) => { x: number, y: number, size: number }} tileAt
   */
  markTile(panel, tileAt) {
    if (panel !== this.bearer) return;
    this.tileAt = tileAt;
    const [k] = this.figure.slices.own(/** @type {BreathingSpec} */ (this.spec).person);
    const { x, y, size } = tileAt(this.asked < 0 ? k : this.asked);
    this.spot.place(panel.wrap, x + size / 2, y + size / 2, size);
  }

  /** Leave the outcomes where a control has moved away from where they were drawn. */
  follow() {
    const held = !this.spec || this.inPlace;
    if (this.shown && !held) this.leave();
    if (this.held === held) return;
    this.held = held;
    this.say();
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
    const { figure, out } = this;
    figure.slices.outcomes = this.world;
    figure.layout.root.classList.toggle("dp-without", out);
    figure.slices.moved();
    figure.panels.invalidate();
    figure.schedule(); // panels that show no outcome may show the person
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
    if (this.round || this.root.contains(/** @type {Node} */ (event.target))) return;
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
    if (!this.known || this.waits || this.round) return;
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
    const { spec, playing, out, waits } = this;
    if (!spec) return;
    this.pause.textContent = playing ? "Pause" : "Play";
    this.pause.setAttribute("aria-label", playing ? "Pause" : "Play outcomes");
    this.pause.setAttribute("aria-pressed", String(!playing));
    this.person.textContent = out ? spec.put_back : spec.take_out;
    this.person.setAttribute("aria-pressed", String(out));
    this.tap.textContent = spec.tap;
    this.tap.hidden = !this.chooses;
    for (const one of [this.next, this.person, this.spot.root]) {
      one.disabled = !this.held;
      one.title = this.held ? "" : spec.elsewhere;
    }
    this.person.disabled = waits || !this.held;
    const click = waits ? spec.waits : out ? spec.put_back : spec.take_out;
    this.spot.say(out, waits, this.chooses && !waits ? `${click}. ${spec.choose}` : click);
    if (this.shown && !this.known) return; // newer outcomes are on their way: their numbers are not here yet
    const rest = waits ? spec.waits : this.held ? spec.still : spec.elsewhere;
    const template = this.shown ? (out ? spec.label_without : spec.label) : rest;
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
