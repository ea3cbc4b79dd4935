// The button "More" of a panel: what it shows, and what of a caption is always there.

import assert from "node:assert/strict";
import test from "node:test";
import { halves, PanelHead } from "../../../assets/live/frame/panel_head.js";
import { page } from "../page.js";

test("a caption is parted after its first sentence, not at a number or inside a sentence", () => {
  assert.deepEqual(halves("Each dot is a person. Click one."), ["Each dot is a person.", " Click one."]);
  assert.deepEqual(halves("Off by 0.5 in each step"), ["Off by 0.5 in each step", ""]);
  assert.deepEqual(halves("Who, e.g. a doctor, asks? Ada."), ["Who, e.g. a doctor, asks?", " Ada."]);
  assert.deepEqual(halves(""), ["", ""]);
});

test("more is folded at first; a press shows the buttons and the rest of the caption, another hides them", () => {
  page();
  const acts = { resetZoom() {}, enlarge() {}, saveAs() {} };
  const head = new PanelHead({ kind: "map", title: "Map" }, acts);
  head.update({ title: "Map", caption: "A dot. A line." });
  assert.equal(head.caption.textContent, "A dot. A line.");
  const named = (label) => head.menuBox.children.find((one) => one.textContent === label);
  const state = () => [
    named("Text").hidden,
    named("SVG").hidden,
    named("PNG").hidden,
    named("⋯").attributes["aria-expanded"],
    head.caption.classList.contains("dp-whole"),
  ];
  assert.deepEqual(state(), [true, true, true, "false", false]);
  assert.equal(named("⤢").hidden ?? false, false);
  named("⋯").click();
  assert.deepEqual(state(), [false, false, false, "true", true]);
  named("⋯").click();
  assert.deepEqual(state(), [true, true, true, "false", false]);
});
