// The border of a field: where a probability is one half.

import assert from "node:assert/strict";
import test from "node:test";
import { contour } from "../../../assets/live/draw/contours.js";

const SIDE = 12;
const EXTENT = [-1, 1, -1, 1];

/** @param {(x: number, y: number) => number} score whose logistic function is the probability */
function field(score) {
  const at = (k) => -1 + (2 * k) / (SIDE - 1);
  return Float32Array.from({ length: SIDE * SIDE }, (_, k) => {
    return 1 / (1 + Math.exp(-score(at(k % SIDE), at(Math.floor(k / SIDE)))));
  });
}

const length = (pieces) => {
  let sum = 0;
  for (let k = 0; k < pieces.length; k += 4) {
    sum += Math.hypot(pieces[k + 2] - pieces[k], pieces[k + 3] - pieces[k + 1]);
  }
  return sum;
};

test("a straight border is met wherever it is steep or flat, and all of it is drawn", () => {
  for (const steep of [0.1, 1, 4]) {
    const pieces = contour(
      field((x, y) => steep * (x + 0.5 * y - 0.1)),
      EXTENT,
    );
    for (let k = 0; k < pieces.length; k += 2) {
      assert.ok(Math.abs(pieces[k] + 0.5 * pieces[k + 1] - 0.1) < 1e-4, `${steep}`);
    }
    assert.ok(Math.abs(length(pieces) - 2 * Math.hypot(1, 0.5)) < 1e-3);
  }
});

test("a closed border is closed: each place is an end of two pieces", () => {
  const pieces = contour(
    field((x, y) => 9 * (0.36 - x * x - y * y)),
    EXTENT,
  );
  const ends = new Map();
  for (let k = 0; k < pieces.length; k += 2) {
    const name = [pieces[k], pieces[k + 1]].map((place) => Math.round(place * 1e5) || 0).join(" ");
    ends.set(name, (ends.get(name) ?? 0) + 1);
  }
  assert.deepEqual(new Set(ends.values()), new Set([2]));
  assert.ok(Math.abs(length(pieces) - 2 * Math.PI * 0.6) < 0.15);
});

test("at a saddle the middle of the cell decides which corners are cut off", () => {
  const cut = (values) => {
    const pieces = contour(values, [0, 1, 0, 1]);
    assert.equal(pieces.length, 8);
    return [0, 4].map((k) => [pieces[k] + pieces[k + 2], pieces[k + 1] + pieces[k + 3]].map((sum) => sum < 1));
  };
  const [low, high] = [
    [0.9, 0.2, 0.2, 0.9],
    [0.8, 0.1, 0.1, 0.8],
  ];
  // The middle belongs to the two ones: the zeros are cut off, at (1, 0) and (0, 1); and the other way round.
  assert.deepEqual(new Set(cut(low).map(String)), new Set(["false,true", "true,false"]));
  assert.deepEqual(new Set(cut(high).map(String)), new Set(["true,true", "false,false"]));
});

test("what is not known and what is all one class has no border", () => {
  assert.deepEqual(contour([0.9, 0.8, 0.7, 0.6], EXTENT), []);
  assert.deepEqual(contour([0.9, Number.NaN, 0.1, 0.2], EXTENT), []);
});
