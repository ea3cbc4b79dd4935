// The layers of a panel, drawn with the few canvas calls that frame/export.js can record as SVG too.

import { AREAS } from "./areas.js";
import { CURVES } from "./curves.js";
import { MARKS } from "./marks.js";

/** @import { Drawing, Env, Kind, Layer, Surface } from "../types.d.ts" */

/**
 * Layer kind -> drawing.
 * @type {{ [K in Kind]: Drawing<K> }}
 */
export const LAYERS = {
  ...AREAS,
  ...CURVES,
  ...MARKS,
  handle() {}, // an element of its own: see controls/draggable_points.js
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
