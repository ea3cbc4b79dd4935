// The controls of a lab: native inputs, so that keyboard, touch and screen readers just work.

import { format } from "./slices.js";

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

let serial = 0;

function heading(spec, id) {
  const row = element("div", "dp-label-row");
  const label = element("label", "dp-label");
  label.htmlFor = id;
  if (spec.symbol) label.append(element("span", "dp-symbol", spec.symbol));
  label.append(element("span", null, spec.label));
  row.append(label);
  const value = element("output", "dp-value");
  value.htmlFor = id;
  value.setAttribute("aria-live", "off"); // the input itself says its value
  row.append(value);
  return { row, value };
}

function help(spec, row) {
  if (!spec.help) return null;
  const button = element("button", "dp-help", "?");
  button.type = "button";
  button.title = spec.help;
  button.setAttribute("aria-label", `What is ${spec.label}?`);
  button.setAttribute("aria-expanded", "false");
  const text = element("p", "dp-help-text", spec.help);
  text.hidden = true;
  button.addEventListener("click", () => {
    text.hidden = !text.hidden;
    button.setAttribute("aria-expanded", String(!text.hidden));
  });
  row.append(button);
  return text;
}

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  play: "M4 3v10l8-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/** A drawn icon: the fonts of a reader's machine need not have the glyph. */
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

function nearest(grid, value) {
  let best = 0;
  for (let i = 1; i < grid.length; i++) {
    if (Math.abs(grid[i] - value) < Math.abs(grid[best] - value)) best = i;
  }
  return best;
}

/** Text of a grid value: at most four significant digits. */
const show = (spec, value) => {
  if (spec.format) return format(value, spec.format);
  const tiny = value !== 0 && Math.abs(value) < 5e-4;
  return tiny ? value.toExponential().replace("-", "−") : format(value, ".4g");
};

class Slider {
  constructor(lab, spec) {
    this.lab = lab;
    this.spec = spec;
    const id = `dp-${++serial}`;
    this.root = element("div", "dp-control dp-slider");
    const { row, value } = heading(spec, id);
    this.output = value;
    const text = help(spec, row);
    this.input = element("input");
    Object.assign(this.input, { type: "range", id, min: 0, step: 1 });
    this.input.setAttribute("aria-label", `${spec.symbol ? `${spec.symbol}, ` : ""}${spec.label}`);
    this.ends = element("div", "dp-ends");
    this.ends.append(element("span", null, spec.ends?.[0]), element("span", null, spec.ends?.[1]));
    this.root.append(row, this.input, this.ends);
    if (text) this.root.append(text);
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
    const button = (name, title, act) => {
      const made = element("button", "dp-mini");
      made.append(icon(name));
      made.type = "button";
      made.title = title;
      made.setAttribute("aria-label", title);
      made.addEventListener("click", act);
      row.append(made);
      return made;
    };
    button("first", "Back to the start", () => this.go(0));
    button("back", "One step back", () => this.go(Number(this.input.value) - 1));
    this.playing = button("play", "Play", () => this.toggle());
    button("play", "One step on", () => this.go(Number(this.input.value) + 1));
    button("last", "To the end", () => this.go(this.spec.grid.length - 1));
    this.showPlaying("Play");
    return row;
  }

  showPlaying(word) {
    this.playing.replaceChildren(icon(word.toLowerCase()), ` ${word.toLowerCase()}`);
    this.playing.title = word;
    this.playing.setAttribute("aria-label", word);
  }

  go(index) {
    const n = this.spec.grid.length;
    this.lab.set(this.spec.name, this.spec.grid[Math.min(Math.max(index, 0), n - 1)]);
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

  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.input.max = spec.grid.length - 1;
    this.show(value);
  }

  show(value) {
    const index = nearest(this.spec.grid, value);
    if (Number(this.input.value) !== index) this.input.value = index;
    const text = words(this.spec, this.spec.grid[index]);
    if (this.output.value !== text) this.output.value = text;
    const share = this.spec.grid.length > 1 ? index / (this.spec.grid.length - 1) : 0;
    this.input.style.setProperty("--share", `${100 * share}%`);
    const [low, high] = this.spec.ends ?? ["", ""];
    const side = share < 0.34 ? low : share > 0.66 ? high : "";
    this.input.setAttribute("aria-valuetext", `${text}${side ? `, ${side}` : ""}`);
  }
}

class Choice {
  constructor(lab, spec) {
    this.spec = spec;
    const id = `dp-${++serial}`;
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

  update(spec, value) {
    const words = spec.options.map((option) => option[1]).join("\n");
    if (words !== this.words) {
      this.words = words;
      this.input.replaceChildren(...spec.options.map((option) => element("option", null, option[1])));
    }
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  show(value) {
    this.input.selectedIndex = this.spec.options.findIndex((option) => option[0] === value);
  }
}

class Toggle {
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

  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  show(value) {
    this.input.checked = value;
  }
}

class Whole {
  constructor(lab, spec) {
    this.spec = spec;
    this.root = element("div", "dp-control");
    const id = `dp-${++serial}`;
    const { row } = heading(spec, id);
    const text = help(spec, row);
    this.input = element("input", "dp-number");
    Object.assign(this.input, { type: "number", id, step: 1 });
    this.input.addEventListener("change", () => {
      const { low, high } = this.spec;
      const value = this.input.value === "" ? NaN : Number(this.input.value);
      if (Number.isSafeInteger(value) && value >= (low ?? -Infinity) && value <= (high ?? Infinity)) {
        lab.set(this.spec.name, value);
        lab.moved(this.spec.name, "commit");
      } else if (this.input.reportValidity()) this.show(lab.value(this.spec.name));
    });
    this.root.append(row, this.input);
    if (text) this.root.append(text);
  }

  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    this.show(value);
  }

  show(value) {
    this.input.min = this.spec.low ?? "";
    this.input.max = this.spec.high ?? "";
    if (this.input.value !== String(value)) this.input.value = value;
  }
}

class Buttons {
  constructor(lab, spec) {
    this.root = element("div", "dp-buttons");
    for (const [name, label, title] of spec.actions) {
      const button = element("button", "dp-button", label);
      button.type = "button";
      button.title = title ?? label;
      button.addEventListener("click", () => lab.act(name));
      this.root.append(button);
    }
  }

  update(spec) {
    this.root.hidden = spec.hidden;
  }

  show() {}
}

const KINDS = { slider: Slider, choice: Choice, toggle: Toggle, number: Whole, buttons: Buttons };

/** Make the element of a control. */
export const control = (lab, spec) => new KINDS[spec.kind](lab, spec);

/** The integer index of a value along a control's dimension. */
export function indexOf(spec, value) {
  if (spec.kind === "slider") return nearest(spec.grid, value);
  if (spec.kind === "choice")
    return Math.max(
      0,
      spec.options.findIndex((o) => o[0] === value),
    );
  return Number(value);
}

/** The text of a control's value. */
export function words(spec, value) {
  if (spec.kind === "slider") return show(spec, value) + (spec.unit ?? "");
  if (spec.kind === "choice") return spec.options.find((option) => option[0] === value)?.[1] ?? "";
  return String(value);
}

/** The nearest value that a control allows. */
export function snap(spec, value) {
  return spec.kind === "slider" ? spec.grid[nearest(spec.grid, value)] : value;
}
