// All controls of a figure in their places.

import { onApproach } from "../data/prefetch.js";
import { firstSlider, topSlider } from "../data/values.js";
import { ControlGroup } from "./control_group.js";
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
    /** @type {Map<string, ControlGroup>} by heading */
    this.groups = new Map();
    /** @type {Map<string, ControlSpec>} */
    this.specs = new Map();
  }

  /**
   * @param {Map<string, ControlSpec>} specs
   * @param {Values} values
   */
  update(specs, values) {
    const { more, moreBody } = this.layout;
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
        const following = order.slice(order.indexOf(spec.name) + 1);
        this.place(view.root, this.body(spec, following), following);
      }
      view.update(spec, values[spec.name]);
    }
    this.specs = specs;
    this.arrange([...specs.values()], values);
    more.hidden = !moreBody.querySelector(":scope > :not([hidden])");
    const all = [...specs.values()];
    const [first, top] = [firstSlider(all), topSlider(all)];
    for (const [name, { root }] of this.views) {
      root.classList.toggle("dp-first", name === first);
      root.classList.toggle("dp-pin", name === top);
    }
  }

  /**
   * Put a control before the first of those that follow it and are there: one may come back later than they.
   * @param {HTMLElement} root
   * @param {HTMLElement} body
   * @param {string[]} following
   */
  place(root, body, following) {
    const views = following.flatMap((name) => this.views.get(name) ?? []);
    const next = views.flatMap((view) => this.roots(view)).find((other) => other.parentNode === body);
    body.insertBefore(root, next ?? null);
  }

  /**
   * Return the element of a control, and that of its group.
   * @param {ControlView} view
   */
  roots({ root }) {
    const group = [...this.groups.values()].find(({ body }) => body === root.parentNode);
    return group ? [root, group.root] : [root];
  }

  /**
   * Return where a control stands: in its group, which stands where its first control would.
   * @param {ControlSpec} spec
   * @param {string[]} following
   */
  body({ group, more, tab }, following) {
    const { first, moreBody } = this.layout;
    const outer = more ? moreBody : first;
    if (!group) return outer;
    let found = this.groups.get(group);
    if (!found) {
      found = new ControlGroup(group, tab);
      this.groups.set(group, found);
      this.place(found.root, outer, following);
    }
    return found.body;
  }

  /**
   * Lay the groups out: those with a control that is seen.
   * @param {ControlSpec[]} specs
   * @param {Values} values
   */
  arrange(specs, values) {
    const grouped = specs.filter((spec) => spec.group && !spec.hidden);
    const all = new Set(grouped.map((spec) => spec.group));
    const seen = [...all].filter((heading) => !this.groups.get(heading)?.tab);
    for (const [heading, group] of this.groups) {
      const alone = Boolean(group.tab) || seen.length === 1;
      group.arrange({ seen: all.has(heading), alone, first: heading === seen[0] });
    }
    for (const spec of grouped) this.groups.get(spec.group)?.tell(spec, values[spec.name]);
  }

  /**
   * Put the groups of tabs behind the panels there.
   * @param {Map<string, HTMLElement>} tabs
   */
  settle(tabs) {
    for (const { tab, root } of this.groups.values()) {
      const home = tabs.get(tab);
      if (home && home.lastElementChild !== root) home.append(root);
    }
  }

  /** The row of handles, where there is only one group beside the figure. */
  get row() {
    const rows = [...this.groups.values()].filter(({ root, tab }) => !tab && !root.hidden);
    const alone = rows.find(({ root }) => root.classList.contains("dp-group-row"));
    return alone?.root ?? null;
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
    const spec = this.specs.get(name);
    if (spec && !spec.hidden) this.groups.get(spec.group)?.tell(spec, value);
  }
}
