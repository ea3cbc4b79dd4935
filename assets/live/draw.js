// The layers of a panel, drawn with the few canvas calls that export.js can record as SVG too.

import { AREAS } from "./draw_areas.js";
import { CURVES } from "./draw_curves.js";
import { MARKS } from "./draw_marks.js";

/** @import { Drawing, Env, Kind, Layer, Surface } from "./types.d.ts" */

/**
 * Layer kind -> drawing.
 * @type {{ [K in Kind]: Drawing<K> }}
 */
export const LAYERS = {
  ...AREAS,
  ...CURVES,
  ...MARKS,
  handle() {}, // an element of its own: see knobs.js
};

/**
 * Draw a layer of any kind.
 * @param {Surface} ctx
 * @param {Layer} layer
 * @param {Env} env
 */
export function draw(ctx, layer, env) {
  const drawing = /** @type {(ctx: Surface, layer: Layer, env: Env) => void} */ (
    /** @type {unknown} */ (LAYERS[layer.kind])
  );
  drawing(ctx, layer, env);
}
