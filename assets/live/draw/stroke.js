// Strokes in the colours of roles.

import { shade } from "./theme.js";

/** @import { Env, Numbers, Surface } from "../types.d.ts" */
/** @typedef {{ role?: string | number, alpha?: number, width?: number, dash?: boolean }} Pen */

/**
 * The role of a layer, or else the class of its p-th mark.
 * @param {Pen} layer
 * @param {Numbers} labels
 * @param {number} p
 */
export const roleOf = (layer, labels, p) => layer.role ?? labels[p];

/**
 * @param {Surface} ctx
 * @param {Pen} layer
 * @param {Env} env
 */
export function stroke(ctx, layer, env) {
  ctx.strokeStyle = shade(env.colours, layer.role ?? "private", layer.alpha ?? 1);
  ctx.lineWidth = layer.width ?? 2;
  ctx.setLineDash(layer.dash ? [6, 5] : []);
}
