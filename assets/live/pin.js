// Pinned: a result kept as B. Its numbers stay beside the next ones, its curves and marks under them.

import { button, element } from "./dom.js";
import { Kept, pinnedWords } from "./ghosts.js";

/** @import { PanelSpec } from "./types.d.ts" */
/** @import { Lab } from "./main.js" */

/** What a lab has pinned, and the line that says so. */
export class Pin {
  /** @param {Lab} lab */
  constructor(lab) {
    this.lab = lab;
    /** @type {Kept | null} */
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
    const { data, slices, values, specs, panels } = this.lab;
    this.kept = new Kept(data.panels, data.readouts, slices, values);
    this.text.textContent = pinnedWords([...specs.values()], values);
    for (const panel of panels.values()) panel.keepPicture();
    this.show();
  }

  drop() {
    this.kept = null;
    for (const panel of this.lab.panels.values()) panel.dropPicture();
    this.show();
  }

  show() {
    this.root.hidden = !this.kept;
    for (const panel of this.lab.panels.values()) panel.drawn = false;
    this.lab.schedule();
  }

  /** What was pinned, while it is about the data that is shown. */
  get fitting() {
    return this.kept?.fits(this.lab.values) ? this.kept : null;
  }

  /**
   * The pinned layers of a panel whose axes are still the same.
   * @param {PanelSpec} spec
   */
  layers(spec) {
    return this.fitting?.layers(spec) ?? [];
  }

  /**
   * The pinned number beside a readout.
   * @param {string} label
   */
  number(label) {
    return this.fitting?.numbers.get(label) ?? "";
  }
}
