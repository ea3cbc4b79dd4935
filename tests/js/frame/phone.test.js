// On a phone parts stand in the document as on the screen, so that Tab goes from one to the next.

import assert from "node:assert/strict";
import test from "node:test";
import { element } from "../../../assets/live/draw/dom.js";
import { Layout } from "../../../assets/live/frame/layout.js";
import { Phone } from "../../../assets/live/frame/phone.js";
import { page } from "../page.js";

/**
 * A figure's parts: a choice, then the slider that stays in view.
 * @param {() => HTMLElement | null} [top]
 * @param {() => HTMLElement | null} [handles]
 */
function parts(top, handles = () => null) {
  page();
  const layout = new Layout(() => {});
  document.body.append(layout.root);
  const [choice, slider, people] = ["choice", "slider", "people"].map((name) => element("div", name));
  layout.first.append(choice, slider);
  layout.side.append(people);
  const phone = new Phone(layout, people, top ?? (() => slider), handles);
  return { layout, choice, slider, people, phone };
}

test("the slider, the figure, the people, the other controls; and back", () => {
  const { layout, choice, slider, people, phone } = parts();
  const { root, side, main, first } = layout;
  phone.arrange();
  assert.deepEqual(root.children, [side, main]);
  phone.narrow.turn(true);
  assert.deepEqual(root.children, [slider, main, people, side]);
  phone.arrange();
  assert.deepEqual(root.children, [slider, main, people, side]);
  assert.deepEqual(first.children, [choice, phone.mark]);
  phone.narrow.turn(false);
  assert.deepEqual(root.children, [side, main]);
  assert.deepEqual(first.children, [choice, slider]);
  assert.equal(side.children.at(-1), people);
  phone.remove();
  phone.narrow.turn(true);
  assert.deepEqual(root.children, [side, main]);
});

test("without a slider the people follow the figure, and come back", () => {
  const { layout, people, phone } = parts(() => null);
  const { root, side, main } = layout;
  phone.arrange();
  phone.narrow.turn(true);
  assert.deepEqual(root.children, [side, main, people]);
  phone.narrow.turn(false);
  assert.deepEqual(root.children, [side, main]);
  assert.equal(side.children.at(-1), people);
});

test("what is being computed is said above the page, in a small figure where it stands", () => {
  const { layout, phone } = parts();
  phone.arrange();
  assert.equal(layout.lifts, true);
  phone.narrow.turn(true);
  assert.equal(layout.lifts, true);
  layout.root.classList.add("dp-compact");
  phone.arrange();
  assert.equal(layout.lifts, false);
});

test("a small figure has its people behind the picture, on every screen", () => {
  const { layout, people, phone } = parts();
  layout.root.classList.add("dp-compact");
  phone.narrow.turn(true);
  phone.arrange();
  assert.deepEqual(layout.root.children, [layout.side, layout.main, people]);
});

test("the row of other handles stands below the picture, and goes back to its place", () => {
  let row = null;
  const { layout, choice, slider, phone } = parts(undefined, () => row);
  row = element("div", "dp-group");
  layout.first.append(row);
  layout.main.append(layout.row, element("p", "words"));
  phone.narrow.turn(true);
  assert.equal(layout.main.children[1], row);
  phone.arrange();
  assert.equal(layout.main.children[1], row);
  phone.narrow.turn(false);
  assert.deepEqual(layout.first.children, [choice, slider, row]);
  phone.narrow.turn(true);
  row = null; // another depth, with more than one group
  phone.arrange();
  assert.equal(layout.main.children.length, 2);
});
