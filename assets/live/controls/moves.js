// What follows when a reader moves a control of the figure.

import { snap, stepped } from "../data/values.js";

/** @import { Move, Value } from "../types.d.ts" */
/** @import { Host } from "./controls.js" */
/** @import { LiveFigure } from "../frame/figure.js" */

/**
 * The moves of a figure's controls and draggable points.
 * @implements {Host}
 */
export class Moves {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** The control that the reader moved last. */
    this.last = "";
  }

  /** @param {string} name */
  value(name) {
    return this.figure.values[name];
  }

  /** @param {string} name */
  near(name) {
    const { prefetch, specs } = this.figure;
    prefetch.control(name, specs.get(name)?.mode === "server");
  }

  /** @param {string} name */
  act(name) {
    this.figure.act(name);
  }

  /**
   * Set the value of a control; `moved` says what follows from it.
   * @param {string} name
   * @param {Value} value
   */
  set(name, value) {
    const { figure } = this;
    const spec = figure.spec(name);
    figure.values[name] = snap(spec, value);
    this.last = name;
    figure.connection.protocol.touched(name);
    figure.slices.moved();
    figure.controls.show(name, figure.values[name]);
    figure.card.look();
    const waits = spec.mode === "server" && !spec.hidden && !this.preview(name); // nothing moves before Python answers
    if (!waits) figure.schedule();
  }

  /**
   * Return what replaces the sweep while this control moves, when Python has sent it.
   * @param {string} name
   */
  preview(name) {
    const { loader, data } = this.figure;
    return loader.has(`preview ${name}`) ? data.previews?.[name] : undefined;
  }

  /**
   * @param {string} name a slider
   * @param {number} by places
   */
  step(name, by) {
    const spec = this.figure.spec(name);
    if (spec.kind === "slider") this.set(name, stepped(spec, this.value(name), by));
  }

  /**
   * @param {string} name
   * @param {Move} how
   */
  moved(name, how) {
    const { figure } = this;
    const spec = figure.specs.get(name);
    if (!spec && how !== "commit") return; // the control was removed while it played: send the end alone
    const ahead = this.lookAhead(name);
    if (how === "commit") figure.say();
    figure.connection.moved(how, !ahead && spec?.mode === "server");
  }
  /**
   * Let what was sent for a control that moves stand in for the sweep, and return it.
   * @param {string} name
   */
  lookAhead(name) {
    const ahead = this.preview(name);
    if (ahead && this.figure.slices.alias !== ahead) this.stand(ahead, name);
    return ahead;
  }

  /** Show the arrays of the answer again: the handle is where it was. */
  settle() {
    if (this.figure.ahead !== null) this.stand(null, null);
  }

  /**
   * @param {Record<string, string> | null} alias
   * @param {string | null} ahead the control whose stand-ins these are
   */
  stand(alias, ahead) {
    const { figure } = this;
    figure.slices.alias = alias;
    figure.ahead = ahead;
    figure.panels.invalidate();
    figure.slices.moved();
    figure.schedule();
  }
}
