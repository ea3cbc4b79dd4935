// Which dot is meant: the nearest within reach, or the next one in a direction; none that is not in view.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestDot, nextDot, placed } from "../../../assets/live/frame/dots.js";

const AREA = { left: 0, top: 0, width: 100, height: 100 };
const pixel = (/** @type {number} */ value) => 100 * value;

test("dots are placed in pixels, and those out of view nowhere", () => {
  const found = placed([0.1, 0.2, 0, 2, 0.5, 0], 3, { x: pixel, y: pixel, area: AREA });
  assert.deepEqual(found, [
    [10, 20],
    [NaN, NaN],
  ]);
});

test("a click means the nearest dot within reach", () => {
  const places = [
    [10, 10],
    [20, 10],
    [NaN, NaN],
  ];
  assert.equal(nearestDot(places, [16, 10], 14), 1);
  assert.equal(nearestDot(places, [60, 10], 14), -1);
});

test("a key goes straight on rather than aside, and never back", () => {
  const places = [
    [50, 50],
    [90, 52],
    [60, 80],
    [10, 50],
  ];
  assert.equal(nextDot(places, [50, 50], [1, 0]), 1);
  assert.equal(nextDot(places, [50, 50], [-1, 0]), 3);
  assert.equal(nextDot(places, [50, 50], [0, 1]), 2);
  assert.equal(nextDot(places, [90, 52], [1, 0]), -1);
});
