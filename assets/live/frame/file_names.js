// What a saved picture is called.

import { plays } from "../data/values.js";

/** @import { ControlSpec, Values } from "../types.d.ts" */

/**
 * The figure, the panel, and the values of the sliders in view.
 * @param {string} figure
 * @param {string} panel
 * @param {ControlSpec[]} specs
 * @param {Values} values
 */
export function fileName(figure, panel, specs, values) {
  const shown = specs.filter((spec) => spec.kind === "slider" && !spec.more && !plays(spec));
  return [figure, panel, ...shown.map((spec) => `${spec.name}-${values[spec.name]}`)].join("_");
}
