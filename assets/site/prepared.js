// Which prepared state answers an event, and what a page's address says of its values. No DOM.

import { inLink, nearest, snap } from "../live/data/values.js";

/** @import { ControlSpec, Message, Value, Values } from "../live/types.d.ts" */

/**
 * A figure of the site. `prepared`: the prepared values by control, the last one changing fastest in `states`, the files
 * of the states; `usual`: the values with which the page opens, by the names that links use.
 * @typedef {object} SiteSpec
 * @property {string} name
 * @property {[string, Value[]][]} prepared
 * @property {string[]} states
 * @property {Values} usual
 * @property {boolean} linked whether the address of the page follows the figure
 */

const SEED = "seed";

/**
 * Return the index of the prepared value that is nearest to a value.
 * @param {Value[]} known
 * @param {Value | undefined} value
 */
export function placeOf(known, value) {
  if (typeof value === "number") return nearest(/** @type {number[]} */ (known), value);
  return Math.max(known.indexOf(/** @type {Value} */ (value)), 0);
}

/**
 * Return the file of the state that is nearest to some values. Values that are not named are the usual ones.
 * @param {Pick<SiteSpec, "prepared" | "states" | "usual">} spec
 * @param {Values} values
 */
export function stateFor({ prepared, states, usual }, values) {
  let place = 0;
  for (const [name, known] of prepared) place = place * known.length + placeOf(known, values[name] ?? usual[name]);
  return states[place];
}

/**
 * Return the values that the button *redraw* leads to: the next prepared seed.
 * @param {Pick<SiteSpec, "prepared">} spec
 * @param {Values} values
 * @returns {Values}
 */
export function redrawn({ prepared }, values) {
  const known = prepared.find(([name]) => name === SEED)?.[1] ?? [];
  const next = known[(placeOf(known, values[SEED]) + 1) % known.length];
  return next === undefined ? values : { ...values, [SEED]: next };
}

/**
 * Return whether a control of a state takes the reader's value.
 * @param {ControlSpec} spec
 * @param {Value | undefined} value
 */
function takes(spec, value) {
  if (spec.mode !== "local" || value === undefined) return false;
  return spec.kind !== "choice" || spec.options.some(([option]) => option === value);
}

/**
 * Return a state's message with the values of the reader for controls that the browser follows.
 * @param {Message} message
 * @param {Values} values
 * @returns {Values}
 */
export function keeping({ controls, values: own }, values) {
  const kept = controls.filter((spec) => takes(spec, values[spec.name]));
  return { ...own, ...Object.fromEntries(kept.map((spec) => [spec.name, snap(spec, values[spec.name])])) };
}

/**
 * Return the values in a query, for names that the page knows; numbers and switches as such.
 * @param {string} query
 * @param {Values} usual
 * @returns {Values}
 */
export function fromLink(query, usual) {
  /** @type {Values} */
  const found = {};
  for (const [name, text] of new URLSearchParams(query)) {
    if (!Object.hasOwn(usual, name)) continue;
    const before = usual[name];
    if (typeof before === "boolean") found[name] = text === "yes";
    else if (typeof before === "string") found[name] = text;
    else if (Number.isFinite(Number(text))) found[name] = Number(text);
  }
  return found;
}

/**
 * Return the query of values that differ from the usual ones.
 * @param {Values} values
 * @param {Values} usual
 */
export function toLink(values, usual) {
  const link = new URLSearchParams();
  for (const [name, before] of Object.entries(usual))
    if (name in values && values[name] !== before) link.set(name, inLink(values[name]));
  return link.size ? `?${link}` : "";
}

/**
 * Return the names of the values that a link asks for and the figure does not show.
 * @param {Values} asked
 * @param {Values} shown
 */
export const notShown = (asked, shown) =>
  Object.keys(asked).filter((name) => name in shown && shown[name] !== asked[name]);
