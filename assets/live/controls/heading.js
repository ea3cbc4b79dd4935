// The heading of a control: symbol, label, value, and help on demand.

import { button, element } from "../draw/dom.js";

/** @import { ControlSpec } from "../types.d.ts" */

let serial = 0;

/** Return an id that no other element has. */
export const freshId = () => `dp-${++serial}`;

/**
 * @param {ControlSpec} spec
 * @param {string} id of the input
 */
export function heading(spec, id) {
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
 * Return the "?" of a control and its text, placed after the control: keys reach the control first.
 * @param {ControlSpec} spec
 * @returns {HTMLElement[]}
 */
export function help(spec) {
  if (!spec.help) return [];
  const text = element("p", "dp-help-text", spec.help);
  text.hidden = true;
  const asks = button("dp-help", "?", () => {
    text.hidden = !text.hidden;
    asks.setAttribute("aria-expanded", String(!text.hidden));
  });
  asks.title = spec.help;
  asks.setAttribute("aria-label", `What is ${spec.label}?`);
  asks.setAttribute("aria-expanded", "false");
  return [asks, text];
}

/**
 * Show why a control has no effect at present, where it has none.
 * @param {{ root: HTMLElement, input: HTMLElement }} view
 * @param {ControlSpec} spec
 */
export function showReason({ root, input }, { why }) {
  let text = /** @type {HTMLElement | undefined} */ (
    [...root.children].find((part) => part.classList.contains("dp-why"))
  );
  if (!text && !why) return;
  if (!text) {
    text = element("p", "dp-why");
    text.id = freshId();
    root.append(text);
  }
  text.textContent = why;
  text.hidden = !why;
  if (why) input.setAttribute("aria-describedby", text.id);
  else input.removeAttribute("aria-describedby");
}
