// A slider over a grid of numbers: a native input, so that keyboard, touch and screen readers just work.

import { at, nearest, sliderState } from "../data/values.js";
import { button, element } from "../draw/dom.js";
import { freshId, heading, help, showReason } from "./heading.js";
import { Player } from "./player.js";

/** @import { ControlView, Move, SliderSpec, Value } from "../types.d.ts" */
/** @import { Host } from "./controls.js" */

/** The meaning of a native slider's events: dragged, moved by keys, released. */
export class DragHandle {
  /** @param {(how: Move) => void} moved */
  constructor(moved) {
    this.moved = moved;
    this.pointer = false;
    this.dirty = false; // moved since the last release
  }

  /** Note that a pointer is down. */
  down() {
    this.pointer = true;
  }

  /** Report another value of the slider. */
  input() {
    this.dirty = true;
    this.moved("drag");
  }

  /** Report that the browser ends a move: of a pointer, or of one key. */
  change() {
    if (this.pointer) return this.release();
    if (this.dirty) this.moved("key");
    this.dirty = false;
  }

  /** Report the release of a pointer; a drag that ends where it began has no "change" event. */
  release() {
    if (this.pointer && this.dirty) this.moved("commit");
    this.pointer = this.dirty = false;
  }
}

/** @implements {ControlView} */
export class Slider {
  /**
   * @param {Host} host
   * @param {SliderSpec} spec
   */
  constructor(host, spec) {
    this.host = host;
    this.spec = spec;
    const id = freshId();
    this.root = element("div", "dp-control dp-slider");
    const { row, value } = heading(spec, id);
    this.output = value;
    this.input = element("input");
    Object.assign(this.input, { type: "range", id, min: "0", step: "1" });
    this.input.setAttribute("aria-label", `${spec.symbol ? `${spec.symbol}, ` : ""}${spec.label}`);
    this.ends = element("div", "dp-ends");
    this.ends.append(element("span", null, spec.ends?.[0]), element("span", null, spec.ends?.[1]));
    this.root.append(row, this.input, this.ends, ...help(spec));
    /** @type {HTMLButtonElement | null} the button that moves it one place on */
    this.stepper = null;
    this.player = new Player({
      length: () => this.spec.grid.length,
      seconds: () => this.spec.seconds,
      place: () => Number(this.input.value),
      set: (place) => this.set(place),
      moved: (how) => this.host.moved(this.spec.name, how),
    });
    if (spec.press) this.root.append(this.addStepper(spec.press));
    if (spec.play) this.root.append(this.player.root);
    this.listen();
  }

  /**
   * Make the button that moves the slider one place on, or back to the first from a place on, and return it.
   * @param {string} label
   */
  addStepper(label) {
    this.stepper = button("dp-button dp-press", label, () => {
      this.player.halt();
      const { press_anew: end, grid } = this.spec;
      const place = Number(this.input.value);
      this.player.play.go(end != null && grid[place] >= end ? 0 : place + 1);
    });
    return this.stepper;
  }

  listen() {
    const handle = new DragHandle((how) => this.host.moved(this.spec.name, how));
    const release = () => {
      removeEventListener("pointerup", later);
      removeEventListener("pointercancel", later);
      handle.release();
    };
    const later = () => setTimeout(release, 50); // after "change", where there is one
    this.input.addEventListener("pointerdown", () => {
      handle.down();
      addEventListener("pointerup", later);
      addEventListener("pointercancel", later);
    });
    this.input.addEventListener("input", () => {
      this.player.halt(); // a hand on the slider ends the play
      this.set(Number(this.input.value));
      handle.input();
    });
    this.input.addEventListener("change", () => {
      if (handle.pointer) release();
      else handle.change();
    });
  }

  /** @param {number} place */
  set(place) {
    this.host.set(this.spec.name, at(this.spec.grid, place));
  }

  /**
   * @param {SliderSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    showReason(this, spec);
    this.input.max = String(spec.grid.length - 1);
    this.showBand();
    this.show(value);
  }

  /** Mark the range of values that is asked for, half a step beyond its ends. */
  showBand() {
    const { band, grid } = this.spec;
    this.input.classList.toggle("dp-banded", band?.length === 2);
    if (band?.length !== 2) return;
    for (const [name, value, by] of /** @type {[string, number, number][]} */ ([
      ["--band-low", band[0], -0.5],
      ["--band-high", band[1], 0.5],
    ])) {
      const share = (nearest(grid, value) + by) / (grid.length - 1);
      this.input.style.setProperty(name, String(Math.min(1, Math.max(0, share))));
    }
  }

  /** @param {Value} value */
  show(value) {
    const { index, text, share, heard } = sliderState(this.spec, value);
    if (Number(this.input.value) !== index) this.input.value = String(index);
    if (this.output.value !== text) this.output.value = text;
    if (this.stepper) this.stepper.disabled = index >= this.spec.grid.length - 1;
    this.input.style.setProperty("--share", `${100 * share}%`);
    this.input.setAttribute("aria-valuetext", heard);
  }
}
