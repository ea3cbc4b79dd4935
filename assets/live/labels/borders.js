// The border between the regions of a layer, for its label, at places that are few enough to be found in every frame.
// No DOM.

/** @import { Env, Layer } from "../types.d.ts" */

const REGION = 28; // points across at which regions are compared

/**
 * Return the border between the regions of a painted layer, as marks of no size.
 * @param {Layer} layer
 * @param {Env} env
 * @returns {number[]}
 */
export function border(layer, env) {
  const regionAt = regionFinder(layer, env);
  if (!regionAt) return [];
  const { left, top, width, height } = env.area;
  const rows = Math.max(2, Math.round((REGION * height) / Math.max(width, 1)));
  const at = (/** @type {number} */ i, /** @type {number} */ n) => (i + 0.5) / n;
  const found = [];
  const above = new Array(REGION).fill(undefined);
  for (let j = 0; j < rows; j++) {
    let before;
    for (let i = 0; i < REGION; i++) {
      const x = left + width * at(i, REGION);
      const y = top + height * at(j, rows);
      const here = regionAt(env.invX(x), env.invY(y));
      if (i && here !== before) found.push(x - width / (2 * REGION), y, 0);
      else if (j && here !== above[i]) found.push(x, y - height / (2 * rows), 0);
      before = above[i] = here;
    }
  }
  return found;
}

/**
 * Return the function that labels a place by its region; null for other layers.
 * @param {Layer} layer
 * @param {Env} env
 * @returns {((x: number, y: number) => number | undefined) | null}
 */
function regionFinder(layer, env) {
  if (layer.kind === "field") {
    const values = env.get(layer.values);
    const side = Math.round(Math.sqrt(values.length));
    const [x0, x1, y0, y1] = layer.extent;
    return (x, y) => {
      const i = Math.round(((x - x0) / (x1 - x0)) * (side - 1));
      const j = Math.round(((y - y0) / (y1 - y0)) * (side - 1));
      return i >= 0 && j >= 0 && i < side && j < side ? Number(values[j * side + i] > 0.5) : undefined;
    };
  }
  if (layer.kind !== "regions" && layer.kind !== "boundary") return null;
  const centres = env.get(layer.centres);
  const labels = env.get(layer.labels);
  const stride = centres.length / labels.length;
  return (x, y) => {
    let [least, found] = [Infinity, 0];
    for (let p = 0; p < labels.length; p++) {
      const [u, v] = [centres[p * stride] - x, centres[p * stride + 1] - y];
      const d = u * u + v * v + (stride > 2 ? centres[p * stride + 2] : 0);
      if (d < least) [least, found] = [d, labels[p]];
    }
    return found;
  };
}
