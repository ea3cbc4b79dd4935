// The pictures of a mosaic panel in one canvas, and the pinned copy (B) beside it.

import { canvas, fit, keptCanvas } from "./canvas.js";
import { context, element } from "./dom.js";
import { drawMosaic } from "./mosaic.js";
import { joined } from "./raster.js";

/** @import { Panel } from "../frame/panel.js" */

/** The canvas of a mosaic panel; empty in other panels. */
export class Pictures {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.tile = keptCanvas();
    /** @type {HTMLElement | null} the pinned pictures */
    this.kept = null;
  }

  /** Draw the pictures as large as they fit. */
  draw() {
    const { spec, figure, wrap, over } = this.panel;
    const { tiles, still } = spec;
    const { slices } = figure;
    const { faces } = this.panel;
    if (faces?.spec && !faces.ready) return;
    if (!slices.has(tiles) || !slices.get(tiles).length || (still && !slices.has(still))) return;
    const { clientWidth: width, clientHeight: height } = wrap;
    const { used, tileAt } = this.paint(fit(over, width, height), width, height);
    if (faces?.spec) faces.place();
    if (tileAt) figure.breathing.markTile(this.panel, tileAt);
    wrap.style.maxHeight = `${Math.ceil(used)}px`; // narrow: no empty room under small pictures
  }

  /**
   * Draw the pictures on a canvas of this size; return the height they need, and where each is.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} width
   * @param {number} height
   * @returns {{ used: number, tileAt?: (k: number) => { x: number, y: number, size: number } }}
   */
  paint(ctx, width, height) {
    const { spec, figure, colours, faces } = this.panel;
    if (faces?.spec) return { used: faces.paint(ctx, width, height, this.tile) };
    const { tiles, still } = spec;
    const { slices } = figure;
    const values = joined(still ? slices.get(still) : [], slices.get(tiles));
    const look = { colours, tile: this.tile, type: figure.layout.type, slices };
    return drawMosaic(ctx, spec, values, look, width, height);
  }

  /** Keep a copy of the pictures as B. */
  keep() {
    this.drop();
    const { spec, seen, over, wrap } = this.panel;
    if (spec.kind !== "mosaic" || !seen) return;
    const copy = canvas("dp-copy");
    copy.width = over.width;
    copy.height = over.height;
    context(copy).drawImage(over, 0, 0);
    this.kept = element("div", "dp-b");
    this.kept.append(element("span", null, "B, pinned"), copy);
    wrap.after(this.kept);
  }

  /** Remove the copy B. */
  drop() {
    this.kept?.remove();
    this.kept = null;
  }
}
