// Buttons over places of a map that turn a switch: a click on a person does what the switch beside the figure does.

import { PersonSpot } from "./person_spot.js";

/** @import { Env, ToggleSpec } from "../types.d.ts" */
/** @import { Panel } from "./panel.js" */

/** The buttons of one panel, by the name of their switch. */
export class ToggleSpots {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {Map<string, PersonSpot>} */
    this.all = new Map();
  }

  /**
   * Return the switches that are turned in this panel.
   * @returns {ToggleSpec[]}
   */
  get specs() {
    const { figure, spec } = this.panel;
    /** @type {ToggleSpec[]} */
    const found = [];
    for (const one of figure.specs.values()) {
      if (one.kind === "toggle" && one.panel === spec.key && !one.hidden && !one.disabled) found.push(one);
    }
    return found;
  }

  /**
   * Put each button where its person is, and say what it does.
   * @param {Env} env
   */
  place(env) {
    const { specs } = this;
    const names = new Set(specs.map((spec) => spec.name));
    for (const [name, spot] of this.all) {
      if (names.has(name)) continue;
      spot.remove();
      this.all.delete(name);
    }
    for (const spec of specs) this.put(spec, env);
  }

  /**
   * @param {ToggleSpec} spec
   * @param {Env} env
   */
  put(spec, env) {
    const { figure, wrap } = this.panel;
    const spot =
      this.all.get(spec.name) ??
      new PersonSpot(
        () => this.turn(spec.name),
        () => {},
      );
    this.all.set(spec.name, spot);
    const at = env.get(spec.place);
    spot.place(wrap, env.x(at[0]), env.y(at[1]));
    spot.say(!figure.values[spec.name], false, spec.label);
  }

  /** @param {string} name */
  turn(name) {
    const { moves } = this.panel.figure;
    moves.set(name, !moves.value(name));
    moves.moved(name, "commit");
  }
}
