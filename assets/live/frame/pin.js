// Pinned result B: its numbers stay beside the next ones, its curves and marks under them.

import { button, element } from "../draw/dom.js";
import { PinnedResult, pinnedWords } from "./pinned_overlay.js";

/** @import { PanelSpec } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

/** The pinned result of a figure, and the line that says so. */
export class Pin {
  /** @param {LiveFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {PinnedResult | null} */
    this.kept = null;
    this.root = element("p", "dp-pinned");
    this.root.hidden = true;
    this.text = element("span");
    this.root.append(
      this.text,
      button("dp-mini", "Unpin", () => this.drop()),
    );
  }

  take() {
    const { data, slices, values, specs, panels } = this.figure;
    this.kept = new PinnedResult(data.panels, data.readouts, slices, values);
    this.text.textContent = pinnedWords([...specs.values()], values);
    for (const panel of panels.all.values()) panel.pictures.keep();
    this.show();
  }

  drop() {
    this.kept = null;
    for (const panel of this.figure.panels.all.values()) panel.pictures.drop();
    this.show();
  }

  show() {
    this.root.hidden = !this.kept;
    this.figure.panels.invalidate();
    this.figure.schedule();
  }

  /** The pinned result, while it is about the data that is shown. */
  get fitting() {
    return this.kept?.fits(this.figure.values) ? this.kept : null;
  }

  /**
   * Return the pinned layers of a panel whose axes are still the same.
   * @param {PanelSpec} spec
   */
  layers(spec) {
    return this.fitting?.layers(spec) ?? [];
  }

  /**
   * Return the pinned number beside a readout.
   * @param {string} label
   */
  number(label) {
    return this.fitting?.numbers.get(label) ?? "";
  }
}
