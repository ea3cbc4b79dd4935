// On a phone parts stand in the document as on the screen, so that Tab goes from one to the next.

import assert from "node:assert/strict";
import test from "node:test";
import { element } from "../../../assets/live/draw/dom.js";
import { Layout } from "../../../assets/live/frame/layout.js";
import { Phone } from "../../../assets/live/frame/phone.js";
import { page } from "../page.js";

/** A figure's parts: a choice, then the slider that stays in view. */
function parts() {
  page();
  const layout = new Layout(() => {});
  document.body.append(layout.root);
  const [choice, slider, people] = ["choice", "slider", "people"].map((name) => element("div", name));
  layout.first.append(choice, slider);
  layout.side.append(people);
  const phone = new Phone(layout, people, () => slider);
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
