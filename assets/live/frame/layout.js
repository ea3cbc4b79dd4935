// The elements of a figure: controls at the side; progress, panels, numbers, sentences and tabs beside them.

import { button, element } from "../draw/dom.js";

/** @import { Message } from "../types.d.ts" */

/** The elements of a figure in their places. */
export class Layout {
  /** @param {() => void} cancel */
  constructor(cancel) {
    this.root = element("div", "dp-figure");
    this.side = element("div", "dp-side");
    this.main = element("div", "dp-main");
    this.first = element("div", "dp-controls");
    this.more = element("details", "dp-more");
    this.all = button("dp-button dp-all", "All controls", () => {
      const open = this.side.classList.toggle("dp-open");
      this.all.textContent = open ? "Fewer controls" : "All controls";
    });
    this.moreBody = element("div", "dp-controls");
    this.more.append(element("summary", null, "More"), this.moreBody);
    this.side.append(this.first, this.more, this.all);
    this.row = element("div", "dp-row");
    this.meter = element("progress");
    this.meterText = element("span");
    this.busy = element("div", "dp-busy");
    this.computes = false;
    this.lifts = false; // whether progress is said above the page
    this.meter.max = 1;
    this.meter.setAttribute("aria-label", "Progress of the computation");
    this.busy.append(this.meter, this.meterText, button("dp-mini", "Cancel", cancel));
    this.root.append(this.side, this.main);
    /** @type {HTMLElement | null} */
    this.failure = null;
  }

  /** The type of text in pictures: that of the page, which a projector makes larger. */
  get type() {
    const { fontSize, fontFamily } = getComputedStyle(this.root);
    return { size: Math.round(0.85 * (parseFloat(fontSize) || 15)), family: fontFamily || "sans-serif" };
  }

  /**
   * Put the sections in the place of the panels, under their tabs; or both below the words.
   * @param {{ root: HTMLElement, sections: HTMLElement }} tabs
   * @param {HTMLElement} words the last of them
   * @param {boolean} deeper whether one screen holds the figure, its handles and its numbers
   */
  arrange({ root, sections }, words, deeper) {
    if (this.root.classList.contains("dp-deeper") === deeper) return;
    this.root.classList.toggle("dp-deeper", deeper);
    if (deeper) {
      this.main.prepend(root);
      this.row.after(sections);
    } else words.after(root, sections);
  }

  /**
   * Hide progress for which nobody waits.
   * @param {boolean} quiet
   */
  hush(quiet) {
    if (this.busy.inert === quiet) return;
    this.busy.inert = quiet;
    this.busy.classList.toggle("dp-quiet", quiet);
  }

  /** @param {Message["busy"]} busy */
  progress(busy) {
    this.computes = Boolean(busy);
    this.busy.classList.toggle("dp-on", Boolean(busy));
    this.lift();
    if (!busy) return;
    this.meter.value = busy.progress;
    this.meterText.textContent = busy.text;
  }

  /** Move progress into the bar above the page, where it covers nothing. */
  lift() {
    const { busy, lifts } = this;
    if (!busy.isConnected || typeof busy.showPopover !== "function") return;
    if (lifts !== busy.hasAttribute("popover")) busy.popover = lifts ? "manual" : null;
    const on = lifts && busy.classList.contains("dp-on");
    if (on === busy.matches(":popover-open")) return;
    if (on) busy.showPopover();
    else if (lifts) busy.hidePopover();
  }

  /**
   * Show a message instead of the figure.
   * @param {unknown} error
   */
  failed(error) {
    console.error("live figure:", error);
    this.failure ??= element("p", "dp-failure");
    this.failure.setAttribute("role", "alert");
    this.failure.textContent = `The figure could not be drawn (${error instanceof Error ? error.message : error}). Reload the page to try again.`;
    this.root.prepend(this.failure);
  }

  /** Show the figure, without the message. */
  drawn() {
    this.failure?.remove();
    if (!this.root.classList.contains("dp-ready")) this.root.classList.add("dp-ready");
  }
}
