// What tests and benchmarks see of a figure, as window.__dpLive[name]: nothing else of it is theirs to rely on.

/** @import { TestSurface } from "./types.d.ts" */
/** @import { Lab } from "./main.js" */
/** @import { Panel } from "./panels.js" */

/**
 * @param {Lab} lab
 * @returns {TestSurface}
 */
export const surfaceOf = (lab) => ({
  get stats() {
    return { ...lab.stats, waiting: !lab.protocol.quiet };
  },
  get values() {
    return { ...lab.values };
  },
  get answered() {
    return { ...lab.data.values };
  },
  get settled() {
    return !lab.protocol.mine && !lab.frame;
  },
  get ground() {
    return lab.colours.ground;
  },
  slice: (name) => Array.from(lab.slices.get(name)),
  shape: (name) => lab.data.arrays[name]?.shape ?? null,
  layers: (panel) => lab.panels.get(panel)?.shown().length ?? 0,
  pinned: (panel) => lab.pin.layers(/** @type {Panel} */ (lab.panels.get(panel)).spec).length,
  listen: (listener) => lab.listeners.push(listener),
  intercept: (change) => {
    lab.outgoing = change;
  },
});
