// The card of the guarantee while a handle is ahead of it.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Element, page } from "../page.js";

const { isStale, StaleCard } = await import("../../../assets/live/frame/stale_card.js");

const EPSILON = { name: "epsilon", kind: "slider", grid: [0.08, 1, 8] };
const MODE = { name: "mode", kind: "choice", options: [["a"], ["b"]] };
const SPECS = new Map([EPSILON, MODE, { name: "actions", kind: "buttons" }].map((spec) => [spec.name, spec]));

test("a card is stale while a control that it knows stands elsewhere", () => {
  const made = { epsilon: 1, mode: "a", hidden_on_this_page: 3 };
  assert.equal(isStale(made, SPECS, { epsilon: 1, mode: "a" }), false);
  assert.equal(isStale(made, SPECS, { epsilon: 8, mode: "a" }), true);
  assert.equal(isStale(made, SPECS, { epsilon: 1, mode: "b" }), true);
  assert.equal(isStale({ ...made, epsilon: 1.0000001 }, SPECS, { epsilon: 1, mode: "a" }), false, "the same place");
  assert.equal(isStale({ epsilon: 1 }, SPECS, { epsilon: 1, mode: "b" }), false, "not in the card");
});

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

test("the card is busy from the first move until its own values are those of the handles", () => {
  const [card, made] = [new Element("div"), new Element("span")];
  made.setAttribute("data-values", JSON.stringify({ epsilon: 1 }));
  document.querySelector = (selector) => (selector === ".st-key-guarantee" ? card : made);
  const figure = { data: { name: "queries" }, specs: SPECS, values: { epsilon: 1 } };
  const stale = new StaleCard(figure);
  stale.look();
  assert.equal(card.getAttribute("aria-busy"), null);
  figure.values = { epsilon: 8 };
  stale.look();
  assert.equal(card.getAttribute("aria-busy"), "true");
  mock.timers.tick(1000);
  assert.equal(card.getAttribute("aria-busy"), "true", "Python has not answered");
  made.setAttribute("data-values", JSON.stringify({ epsilon: 8 }));
  mock.timers.tick(100);
  assert.equal(card.getAttribute("aria-busy"), null);
});

test("a figure in a page without a card goes on as before", () => {
  document.querySelector = () => null;
  new StaleCard({ data: { name: "home" }, specs: SPECS, values: { epsilon: 8 } }).look();
});
