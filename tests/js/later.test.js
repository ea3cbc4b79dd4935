// A figure that nobody has come near yet only holds its place.

import assert from "node:assert/strict";
import test from "node:test";
import { hold, PLACES } from "../../assets/live/later.js";
import { page } from "./page.js";

test("a place asks for its figure once, when a reader comes near", () => {
  const { body } = page();
  const parent = document.createElement("div");
  (body ?? document.body).append(parent);
  const told = [];
  let seen = null;
  let ended = 0;
  globalThis.IntersectionObserver = class {
    constructor(heard) {
      seen = heard;
    }
    observe() {}
    disconnect() {
      ended += 1;
    }
  };
  const place = {
    parentElement: parent,
    data: { later: 300 },
    setStateValue: (name, value) => told.push([name, value.phase]),
  };
  const end = hold(place);
  hold(place); // a rerun before anybody came
  assert.equal(parent.children.length, 1);
  seen([{ isIntersecting: false }]);
  assert.deepEqual(told, []);
  seen([{ isIntersecting: true }]);
  assert.deepEqual(told, [["event", "seen"]]);
  PLACES.get(parent)();
  assert.equal(parent.children.length, 0);
  end();
  assert.ok(ended >= 2);
  assert.equal(PLACES.has(parent), false);
});
