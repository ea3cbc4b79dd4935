// All controls of a figure in their places.

import { onApproach } from "../data/prefetch.js";
import { topSlider } from "../data/values.js";
import { control } from "./controls.js";

/** @import { ControlSpec, ControlView, Value, Values } from "../types.d.ts" */
/** @import { Host } from "./controls.js" */
/** @import { Layout } from "../frame/layout.js" */

/** The controls of a figure. */
export class ControlSet {
  /**
   * @param {Host} host
   * @param {Layout} layout
   */
  constructor(host, layout) {
    this.host = host;
    this.layout = layout;
    /** @type {Map<string, ControlView>} */
    this.views = new Map();
  }

  /**
   * @param {Map<string, ControlSpec>} specs
   * @param {Values} values
   */
  update(specs, values) {
    const { first, more, moreBody } = this.layout;
    for (const [name, view] of this.views) {
      if (specs.has(name)) continue;
      view.root.remove();
      this.views.delete(name);
    }
    const order = [...specs.keys()];
    for (const spec of specs.values()) {
      let view = this.views.get(spec.name);
      if (!view) {
        view = control(this.host, spec);
        this.views.set(spec.name, view);
        onApproach(view.root, () => this.host.near(spec.name));
        this.place(view.root, spec.more ? moreBody : first, order.slice(order.indexOf(spec.name) + 1));
      }
      view.update(spec, values[spec.name]);
    }
    more.hidden = !moreBody.querySelector(":scope > :not([hidden])");
    const top = topSlider([...specs.values()]);
    for (const [name, view] of this.views) view.root.classList.toggle("dp-pin", name === top);
  }

  /**
   * Put a control before the first of those that follow it and are there: one may come back later than they.
   * @param {HTMLElement} root
   * @param {HTMLElement} body
   * @param {string[]} following
   */
  place(root, body, following) {
    const next = following.map((name) => this.views.get(name)?.root).find((other) => other?.parentNode === body);
    body.insertBefore(root, next ?? null);
  }

  /** The slider that stays in view on a phone. */
  get top() {
    return [...this.views.values()].find((view) => view.root.classList.contains("dp-pin"))?.root ?? null;
  }

  /**
   * @param {string} name
   * @param {Value} value
   */
  show(name, value) {
    this.views.get(name)?.show(value);
  }
}
