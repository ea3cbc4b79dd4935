// The controls of a figure: native inputs, so that keyboard, touch and screen readers just work.

import { whole } from "../data/values.js";
import { button, element } from "../draw/dom.js";
import { freshId, heading, help, showReason } from "./heading.js";
import { Slider } from "./slider.js";

/** @import { ButtonsSpec, ChoiceSpec, ControlSpec, ControlView, Move, NumberSpec, ToggleSpec, Value } from "../types.d.ts" */

/**
 * What a control asks of its figure.
 * @typedef {object} Host
 * @property {(name: string, value: Value) => void} set
 * @property {(name: string, how: Move) => void} moved
 * @property {(name: string) => Value} value
 * @property {(name: string) => void} act
 * @property {(name: string) => void} near called when a pointer or the focus comes near it
 */

/** @implements {ControlView} */
class Choice {
  /**
   * @param {Host} host
   * @param {ChoiceSpec} spec
   */
  constructor(host, spec) {
    this.spec = spec;
    const id = freshId();
    this.labels = "";
    this.root = element("div", "dp-control");
    const { row } = heading(spec, id);
    this.input = element("select", "dp-select");
    this.input.id = id;
    this.input.setAttribute("aria-label", spec.label);
    this.input.addEventListener("change", () => {
      host.set(this.spec.name, this.spec.options[this.input.selectedIndex][0]);
      host.moved(this.spec.name, "commit");
    });
    this.root.append(row, this.input, ...help(spec));
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
    showReason(this, spec);
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
   * @param {Host} host
   * @param {ToggleSpec} spec
   */
  constructor(host, spec) {
    this.spec = spec;
    this.root = element("div", "dp-control dp-toggle");
    const id = freshId();
    const { row } = heading(spec, id);
    this.input = element("input");
    Object.assign(this.input, { type: "checkbox", id });
    this.input.addEventListener("change", () => {
      host.set(this.spec.name, this.input.checked);
      host.moved(this.spec.name, "commit");
    });
    row.prepend(this.input);
    this.root.append(row, ...help(spec));
  }

  /**
   * @param {ToggleSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    showReason(this, spec);
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
   * @param {Host} host
   * @param {NumberSpec} spec
   */
  constructor(host, spec) {
    this.spec = spec;
    this.root = element("div", "dp-control");
    const id = freshId();
    const { row } = heading(spec, id);
    this.input = element("input", "dp-number");
    Object.assign(this.input, { type: "number", id, step: "1" });
    this.typing = false; // an answer does not overwrite what is being typed
    this.input.addEventListener("input", () => {
      this.typing = true;
    });
    this.input.addEventListener("blur", () => {
      this.typing = false;
    });
    this.input.addEventListener("change", () => {
      this.typing = false;
      const value = whole(this.spec, this.input.value);
      if (value !== null) {
        host.set(this.spec.name, value);
        host.moved(this.spec.name, "commit");
      } else if (this.input.reportValidity()) this.show(host.value(this.spec.name));
    });
    this.root.append(row, this.input, ...help(spec));
  }

  /**
   * @param {NumberSpec} spec
   * @param {Value} value
   */
  update(spec, value) {
    this.spec = spec;
    this.root.hidden = spec.hidden;
    this.input.disabled = spec.disabled;
    showReason(this, spec);
    this.show(value);
  }

  /** @param {Value} value */
  show(value) {
    this.input.min = String(this.spec.low ?? "");
    this.input.max = String(this.spec.high ?? "");
    if (!this.typing && this.input.value !== String(value)) this.input.value = String(value);
  }
}

/** @implements {ControlView} */
class Buttons {
  /**
   * @param {Host} host
   * @param {ButtonsSpec} spec
   */
  constructor(host, spec) {
    this.host = host;
    this.root = element("div", "dp-buttons");
    this.names = "";
    this.update(spec);
  }

  /** @param {ButtonsSpec} spec */
  update(spec) {
    this.root.hidden = spec.hidden;
    const names = spec.actions.map(([name]) => name).join(" ");
    if (names === this.names) return; // a button that is there keeps the focus
    this.names = names;
    this.root.replaceChildren(
      ...spec.actions.map(([name, label, title]) => {
        const made = button("dp-button", label, () => this.host.act(name));
        made.title = title ?? label;
        return made;
      }),
    );
  }

  show() {}
}

/**
 * Make the element of a control.
 * @param {Host} host
 * @param {ControlSpec} spec
 * @returns {ControlView}
 */
export function control(host, spec) {
  switch (spec.kind) {
    case "slider":
      return new Slider(host, spec);
    case "choice":
      return new Choice(host, spec);
    case "toggle":
      return new Toggle(host, spec);
    case "number":
      return new Whole(host, spec);
    case "buttons":
      return new Buttons(host, spec);
  }
}
