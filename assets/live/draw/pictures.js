// The pictures of a panel: all of them in one canvas, and a copy of it that is kept as B.

import { canvas, fit, keptCanvas } from "./canvas.js";
import { context, element } from "./dom.js";
import { drawMosaic } from "./mosaic.js";
import { joined } from "./raster.js";

/** @import { Panel } from "../frame/panel.js" */

/** What a panel shows where it is a mosaic; nothing where it is not. */
export class Pictures {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.tile = keptCanvas();
    /** @type {HTMLElement | null} the pictures of an earlier moment */
    this.kept = null;
  }

  /** Draw them as large as there is room. */
  draw() {
    const { spec, figure, wrap, over } = this.panel;
    const { tiles, still } = spec;
    const { slices } = figure;
    if (!slices.has(tiles) || !slices.get(tiles).length || (still && !slices.has(still))) return;
    const { clientWidth: width, clientHeight: height } = wrap;
    const used = this.paint(fit(over, width, height), width, height);
    wrap.style.maxHeight = `${Math.ceil(used)}px`; // narrow: no empty room under small pictures
  }

  /**
   * Paint them on a surface of this size; returns the height they need.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} width
   * @param {number} height
   */
  paint(ctx, width, height) {
    const { spec, figure, colours } = this.panel;
    const { tiles, still } = spec;
    const { slices } = figure;
    const values = joined(still ? slices.get(still) : [], slices.get(tiles));
    const look = { colours, tile: this.tile, type: figure.layout.type };
    return drawMosaic(ctx, spec, values, look, width, height);
  }

  /** Keep those of now as B beside the next. */
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

  /** Show no B any more. */
  drop() {
    this.kept?.remove();
    this.kept = null;
  }
}
