// The controls of a lab: native inputs, so that keyboard, touch and screen readers just work.

import { button, element } from "./dom.js";
import { at, sliderState, whole } from "./values.js";

/** @import { ButtonsSpec, ChoiceSpec, ControlSpec, ControlView, NumberSpec, SliderSpec, ToggleSpec } from "./types.d.ts" */
/** @import { Move, Value } from "./types.d.ts" */

/**
 * What a control needs of its figure.
 * @typedef {object} Host
 * @property {(name: string, value: Value) => void} set
 * @property {(name: string, how: Move) => void} moved
 * @property {(name: string) => Value} value
 * @property {(name: string) => void} act
 */

let serial = 0;

/**
 * @param {ControlSpec} spec
 * @param {string} id
 */
function heading(spec, id) {
  const row = element("div", "dp-label-row");
  const label = element("label", "dp-label");
  label.htmlFor = id;
  if (spec.symbol) label.append(element("span", "dp-symbol", spec.symbol));
  label.append(element("span", null, spec.label));
  row.append(label);
  const value = element("output", "dp-value");
  value.htmlFor.add(id);
  value.setAttribute("aria-live", "off"); // the input itself says its value
  row.append(value);
  return { row, value };
}

/**
 * @param {ControlSpec} spec
 * @param {HTMLElement} row
 */
function help(spec, row) {
  if (!spec.help) return null;
  const text = element("p", "dp-help-text", spec.help);
  text.hidden = true;
  const asks = button("dp-help", "?", () => {
    text.hidden = !text.hidden;
    asks.setAttribute("aria-expanded", String(!text.hidden));
  });
  asks.title = spec.help;
  asks.setAttribute("aria-label", `What is ${spec.label}?`);
  asks.setAttribute("aria-expanded", "false");
  row.append(asks);
  return text;
}

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

/** @implements {ControlView} */
class Slider {
  /**
   * @param {Host} lab
   * @param {SliderSpec} spec
   */
  constructor(lab, spec) {
    this.lab = lab;
    this.spec = spec;
    /** @type {ReturnType<typeof setInterval> | null} */
    this.timer = null;
    const id = `dp-${++serial}`;
    this.root = element("div", "dp-control dp-slider");
    const { row, value } = heading(spec, id);
    this.output = value;
    const text = help(spec, row);
    this.input = element("input");
    Object.assign(this.input, { type: "range", id, min: "0", step: "1" });
    this.input.setAttribute("aria-label", `${spec.symbol ? `${spec.symbol}, ` : ""}${spec.label}`);
    this.ends = element("div", "dp-ends");
    this.ends.append(element("span", null, spec.ends?.[0]), element("span", null, spec.ends?.[1]));
    this.root.append(row, this.input, this.ends);
    if (text) this.root.append(text);
    this.playing = button("dp-mini", "", () => this.toggle());
    if (spec.play) this.root.append(this.player());
    this.listen();
  }

  listen() {
    let pointer = false;
    let dirty = false; // moved since it was last let go
    const release = () => {
      removeEventListener("pointerup", later);
      removeEventListener("pointercancel", later);
      if (pointer && dirty) this.lab.moved(this.spec.name, "commit");
      pointer = dirty = false;
    };
    // A drag that ends where it began has no "change": letting go is what counts.
    const later = () => setTimeout(release, 50);
    this.input.addEventListener("pointerdown", () => {
      pointer = true;
      addEventListener("pointerup", later);
      addEventListener("pointercancel", later);
    });
    this.input.addEventListener("input", () => {
      this.halt(); // a hand on the slider ends the play
      dirty = true;
      this.lab.set(this.spec.name, this.spec.grid[Number(this.input.value)]);
      this.lab.moved(this.spec.name, "drag");
    });
    this.input.addEventListener("change", () => {
      if (pointer) return release();
      if (dirty) this.lab.moved(this.spec.name, "key");
      dirty = false;
    });
  }

  player() {
    const row = element("div", "dp-player");
    /** @type {(name: keyof typeof ICONS, title: string, act: () => void) => HTMLButtonElement} */
    const small = (name, title, act) => {
      const made = button("dp-mini", "", act);
      made.replaceChildren(icon(name));
      made.title = title;
      made.setAttribute("aria-label", title);
      return made;
    };
    row.append(
      small("first", "Back to the start", () => this.go(0)),
      small("back", "One step back", () => this.go(Number(this.input.value) - 1)),
      this.playing,
      small("play", "One step on", () => this.go(Number(this.input.value) + 1)),
      small("last", "To the end", () => this.go(this.spec.grid.length - 1)),
    );
    this.showPlaying("Play");
    return row;
  }

  /** @param {"Play" | "Pause"} word */
  showPlaying(word) {
    const name = word === "Play" ? "play" : "pause";
    this.playing.replaceChildren(icon(name), ` ${name}`);
    this.playing.title = word;
    this.playing.setAttribute("aria-label", word);
  }

  /** @param {number} index */
  go(index) {
    this.lab.set(this.spec.name, at(this.spec.grid, index));
    this.lab.moved(this.spec.name, "key");
  }

  toggle() {
    if (this.timer) return this.stop();
    if (Number(this.input.value) >= this.spec.grid.length - 1) this.go(0);
    this.showPlaying("Pause");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.timer = setInterval(
      () => {
        if (!this.root.isConnected) return this.stop();
        const next = Number(this.input.value) + 1;
        if (next >= this.spec.grid.length) return this.stop();
        this.lab.set(this.spec.name, this.spec.grid[next]);
        this.lab.moved(this.spec.name, "drag");
      },
      calm ? 400 : 70,
    );
  }

  halt() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying("Play");
  }

  stop() {
    this.halt();
    this.lab.moved(this.spec.name, "commit");
  }

  /**
   * @param {SliderSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.input.max = String(spec.grid.length - 1);
    this.show(value);
  }

  /** @param {Value} value */
  show(value) {
    const { index, text, share, heard } = sliderState(this.spec, value);
    if (Number(this.input.value) !== index) this.input.value = String(index);
    if (this.output.value !== text) this.output.value = text;
    this.input.style.setProperty("--share", `${100 * share}%`);
    this.input.setAttribute("aria-valuetext", heard);
  }
}

/** @implements {ControlView} */
class Choice {
  /**
   * @param {Host} lab
   * @param {ChoiceSpec} spec
   */
  constructor(lab, spec) {
    this.spec = spec;
    const id = `dp-${++serial}`;
    this.labels = "";
    this.root = element("div", "dp-control");
    const { row } = heading(spec, id);
    const text = help(spec, row);
    this.input = element("select", "dp-select");
    this.input.id = id;
    this.input.setAttribute("aria-label", spec.label);
    this.input.addEventListener("change", () => {
      lab.set(this.spec.name, this.spec.options[this.input.selectedIndex][0]);
      lab.moved(this.spec.name, "commit");
    });
    this.root.append(row, this.input);
    if (text) this.root.append(text);
  }

  /**
   * @param {ChoiceSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    const labels = spec.options.map((option) => option[1]).join("\n");
    if (labels !== this.labels) {
      this.labels = labels;
      this.input.replaceChildren(...spec.options.map((option) => element("option", null, option[1])));
    }
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  /** @param {Value} value */
  show(value) {
    this.input.selectedIndex = this.spec.options.findIndex((option) => option[0] === value);
  }
}

/** @implements {ControlView} */
class Toggle {
  /**
   * @param {Host} lab
   * @param {ToggleSpec} spec
   */
  constructor(lab, spec) {
    this.spec = spec;
    this.root = element("div", "dp-control dp-toggle");
    const id = `dp-${++serial}`;
    const { row } = heading(spec, id);
    this.input = element("input");
    Object.assign(this.input, { type: "checkbox", id });
    this.input.addEventListener("change", () => {
      lab.set(this.spec.name, this.input.checked);
      lab.moved(this.spec.name, "commit");
    });
    row.prepend(this.input);
    const text = help(spec, row);
    this.root.append(row);
    if (text) this.root.append(text);
  }

  /**
   * @param {ToggleSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  /** @param {Value} value */
  show(value) {
    this.input.checked = Boolean(value);
  }
}

/** @implements {ControlView} */
class Whole {
  /**
   * @param {Host} lab
   * @param {NumberSpec} spec
   */
  constructor(lab, spec) {
    this.spec = spec;
    this.root = element("div", "dp-control");
    const id = `dp-${++serial}`;
    const { row } = heading(spec, id);
    const text = help(spec, row);
    this.input = element("input", "dp-number");
    Object.assign(this.input, { type: "number", id, step: "1" });
    this.input.addEventListener("change", () => {
      const value = whole(this.spec, this.input.value);
      if (value !== null) {
        lab.set(this.spec.name, value);
        lab.moved(this.spec.name, "commit");
      } else if (this.input.reportValidity()) this.show(lab.value(this.spec.name));
    });
    this.root.append(row, this.input);
    if (text) this.root.append(text);
  }

  /**
   * @param {NumberSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  /** @param {Value} value */
  show(value) {
    this.input.min = String(this.spec.low ?? "");
    this.input.max = String(this.spec.high ?? "");
    if (this.input.value !== String(value)) this.input.value = String(value);
  }
}

/** @implements {ControlView} */
class Buttons {
  /**
   * @param {Host} lab
   * @param {ButtonsSpec} spec
   */
  constructor(lab, spec) {
    this.root = element("div", "dp-buttons");
    for (const [name, label, title] of spec.actions) {
      const made = button("dp-button", label, () => lab.act(name));
      made.title = title ?? label;
      this.root.append(made);
    }
  }

  /** @param {ButtonsSpec} spec */
  update(spec) {
    this.root.hidden = spec.hidden;
  }

  show() {}
}

/**
 * Make the element of a control.
 * @param {Host} lab
 * @param {ControlSpec} spec
 * @returns {ControlView}
 */
export function control(lab, spec) {
  switch (spec.kind) {
    case "slider":
      return new Slider(lab, spec);
    case "choice":
      return new Choice(lab, spec);
    case "toggle":
      return new Toggle(lab, spec);
    case "number":
      return new Whole(lab, spec);
    case "buttons":
      return new Buttons(lab, spec);
  }
}
