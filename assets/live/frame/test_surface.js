// The part of a figure that tests and benchmarks may rely on, as window.__dpLive[name].

/** @import { TestSurface } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

/**
 * @param {LiveFigure} figure
 * @returns {TestSurface}
 */
export const surfaceOf = (figure) => ({
  get stats() {
    const { events, protocol } = figure.connection;
    return { ...figure.stats, events, waiting: !protocol.quiet };
  },
  get values() {
    return { ...figure.values };
  },
  get answered() {
    return { ...figure.data.values };
  },
  get settled() {
    return !figure.connection.protocol.mine && !figure.frame && !figure.loader.pending;
  },
  get sliders() {
    const shown = [...figure.specs.values()].filter((spec) => spec.kind === "slider" && !spec.hidden && !spec.disabled);
    /** @type {(spec: typeof shown[0]) => [string, boolean]} */
    const told = ({ name, symbol, label, mode }) => [
      `${symbol ? `${symbol}, ` : ""}${label}`,
      mode === "server" && !figure.moves.preview(name),
    ];
    return shown.map(told);
  },
  get ground() {
    return figure.colours.ground;
  },
  get outcome() {
    const { shown, steps, timer, out } = figure.breathing;
    return { at: shown ? steps.at : null, running: timer !== undefined, out };
  },
  slice: (name) => Array.from(figure.slices.get(name)),
  shape: (name) => figure.data.arrays[name]?.shape ?? null,
  layers: (panel) => figure.panels.all.get(panel)?.shown().length ?? 0,
  pinned: (panel) => figure.panels.all.get(panel)?.pinned().length ?? 0,
  view: (panel) => figure.panels.all.get(panel)?.frame.view ?? null,
  listen: (listener) => {
    figure.connection.listeners.push(listener);
  },
  intercept: (change) => {
    figure.connection.outgoing = change;
  },
});
