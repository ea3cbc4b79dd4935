// A figure that nobody has come near yet only holds its place.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { PLACES, placeholder } from "../../../assets/live/frame/lazy_figure.js";
import { page } from "../page.js";

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
  const end = placeholder(place);
  placeholder(place); // a rerun before anybody came
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

/** Places beside each other, and what makes them seen. */
function places(count, told) {
  const heard = [];
  globalThis.IntersectionObserver = class {
    constructor(listener) {
      heard.push(listener);
    }
    observe() {}
    disconnect() {}
  };
  const ends = Array.from({ length: count }, (_, k) =>
    placeholder({
      parentElement: document.createElement("div"),
      data: { later: 300 },
      setStateValue: (_name, { seq }) => told.push([k, seq]),
    }),
  );
  for (const listener of heard) listener([{ isIntersecting: true }]);
  return ends;
}

test("places that come into sight together ask one after the other, and again while nobody answers", () => {
  page();
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const told = [];
    const [first, second, third] = places(3, told);
    assert.deepEqual(told, [[0, 1]]);
    first(); // its figure is there
    assert.deepEqual(told, [
      [0, 1],
      [1, 1],
    ]);
    mock.timers.tick(2000);
    assert.deepEqual(told.slice(2), [[2, 1]]);
    mock.timers.tick(2000);
    assert.deepEqual(told.slice(3), [[1, 2]]);
    third(); // while another one asks
    second();
    mock.timers.tick(60_000);
    assert.equal(told.length, 4);
  } finally {
    mock.timers.reset();
  }
});
