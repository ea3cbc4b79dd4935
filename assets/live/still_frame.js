// The still frame of a panel: Plotly's axes and zoom, touched only when they really change.

import { element } from "./dom.js";
import { frame, rangeOf } from "./frame.js";
import { followed, scalesOf } from "./scales.js";

/** @import { Colours, PanelSpec, Plotly, PlotlyElement } from "./types.d.ts" */

const CONFIG = {
  displaylogo: false,
  responsive: false,
  scrollZoom: false,
  displayModeBar: false,
  doubleClick: "reset",
};

/** Axes and zoom of one panel. */
export class StillFrame {
  /** @param {(change: Record<string, unknown> | null) => void} zoomed the zoom, when others have to follow it */
  constructor(zoomed) {
    this.zoomed = zoomed;
    this.following = false;
    /** @type {string | null} */
    this.key = null;
    /** @type {Plotly | null} */
    this.plotly = null;
    this.plot = /** @type {PlotlyElement} */ (/** @type {HTMLElement} */ (element("div", "dp-frame")));
  }

  /**
   * @param {PanelSpec} spec
   * @param {Colours} colours
   * @param {Plotly} plotly
   * @param {{ width: number, height: number }} size
   */
  async update(spec, colours, plotly, size) {
    const key = JSON.stringify([spec.kind, spec.x, spec.y, spec.key, colours.key]);
    if (key === this.key || !plotly) return;
    const first = !this.key;
    this.key = key;
    this.plotly = plotly;
    await plotly.react(this.plot, [{ x: [], y: [], type: "scatter" }], { ...frame(spec, colours), ...size }, CONFIG);
    if (first) this.listen();
  }

  listen() {
    this.plot.on("plotly_relayout", (change) => this.zoomed(this.following ? null : change));
    this.plot.on("plotly_relayouting", () => this.zoomed(null));
  }

  /** @param {Record<string, unknown>} change the zoom of a linked panel */
  async follow(change) {
    if (!this.plotly) return;
    this.following = true;
    const own = followed(change);
    if (Object.keys(own).length) await this.plotly.relayout(this.plot, own);
    this.following = false;
  }

  /** @param {PanelSpec} spec */
  reset({ x, y }) {
    this.plotly?.relayout(this.plot, { "xaxis.range": rangeOf(x), "yaxis.range": rangeOf(y) });
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (width > 0) this.plotly?.relayout(this.plot, { width, height });
  }

  /** Between values and pixels; null before the frame is there. */
  get scales() {
    return scalesOf(this.plot._fullLayout);
  }

  remove() {
    this.plotly?.purge(this.plot);
  }
}
