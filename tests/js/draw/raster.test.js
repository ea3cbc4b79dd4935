// Numbers as pixels.

import assert from "node:assert/strict";
import test from "node:test";
import { between, greys, joined, rimmed, sampled, shaded } from "../../../assets/live/draw/raster.js";

test("ink is dark on a light ground and light on a dark one", () => {
  const data = new Uint8ClampedArray(8);
  greys(data, [9, 0, 1], 1, [0, 1], false);
  assert.deepEqual([...data], [255, 255, 255, 255, 0, 0, 0, 255]);
  greys(data, [9, 0, 1], 1, [0, 1], true);
  assert.deepEqual([...data], [0, 0, 0, 255, 255, 255, 255, 255]);
  assert.deepEqual([...joined([1], [2, 3])], [1, 2, 3]);
});

test("a shade is full at its low end and gone from the high one on; rows from the bottom", () => {
  const data = new Uint8ClampedArray(16);
  shaded(data, [0, 5, 10, 20], 2, [0, 10], [1, 2, 3], 1);
  assert.deepEqual(
    [3, 7, 11, 15].map((at) => data[at]),
    [0, 0, 255, 128],
  );
  assert.deepEqual([...data.slice(8, 11)], [1, 2, 3]);
});

test("a lattice is read between its points", () => {
  const scales = { invX: (p) => p, invY: (p) => p };
  const plane = [0, 1, 10, 11]; // x + 10 y on the unit square
  const box = { left: 0, right: 1, top: 0, bottom: 1 };
  const found = sampled(plane, [0, 1, 0, 1], scales, box, 2, 2);
  assert.deepEqual([...found], [2.75, 3.25, 7.75, 8.25]);
  assert.equal(sampled(plane, [0, 1, 0, 1], scales, box, 1, 1).length, 1, "the room of the last is used again");
});

test("a probability is fuller where it is surer", () => {
  const data = new Uint8ClampedArray(12);
  between(data, Float32Array.of(0, 0.25, 1), ["#010101", "#020202"]);
  assert.deepEqual(
    [0, 1, 2].map((pixel) => [data[4 * pixel], data[4 * pixel + 3]]),
    [
      [1, 117],
      [1, 66],
      [2, 117],
    ],
  );
});

test("a picture of ink gets a rim of paper, values around 0 get none", () => {
  const both = [9, 9, 1, 2];
  assert.deepEqual([...rimmed(both, 1, [1, 2], [0.5, 9]).values].slice(4, 8), [0.5, 1, 2, 0.5]);
  assert.deepEqual(rimmed(both, 1, [1, 2], [0, 9]).shape, [3, 4]);
  assert.deepEqual(rimmed(both, 1, [1, 2], [-9, 9]), { values: new Float32Array([1, 2]), shape: [1, 2] });
});
