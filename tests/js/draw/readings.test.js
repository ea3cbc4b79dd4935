// Readings under the pictures of a mosaic: which class, and how wrong ones stand out.

import assert from "node:assert/strict";
import test from "node:test";
import { drawReadings, reading, readingsOf, shares } from "../../../assets/live/draw/readings.js";
import { COLOURS } from "../given.js";

const PRIVATE = { kind: "readings", votes: "votes", truth: "truth", marks: true };
const PLAIN = { kind: "readings", votes: "plain", truth: "truth", role: "nonprivate" };
const NONE = [Number.NaN, Number.NaN, Number.NaN];
const TYPE = { size: 16, family: "Source Sans" };

/** What is written and drawn for two pictures of 40 pixels side by side. */
function drawn(layers, arrays) {
  const [written, boxes, frames] = [[], [], []];
  const pen = {
    fillText: (text, x, y) =>
      written.push({ text, x, y, font: pen.font, colour: pen.fillStyle, alpha: pen.globalAlpha }),
    fillRect: (x, y, w, h) => boxes.push([x, y, w, h]),
    strokeRect: (x, y, w, h) => frames.push([x, y, w, h]),
  };
  const slices = { has: (name) => name in arrays, get: (name) => arrays[name] };
  const tiles = { n: 2, size: 40, place: (k) => ({ x: 100 * k, y: 0 }) };
  drawReadings(pen, layers, slices, tiles, { colours: COLOURS, type: TYPE });
  return { written, boxes, frames };
}

test("a reading is the class with the most votes, and none without any", () => {
  const votes = [0, 1, 0, 1, 0, 0, ...NONE];
  assert.deepEqual(
    [0, 1, 2].map((k) => reading(votes, k, 3)),
    [1, 0, -1],
  );
  assert.equal(reading([0.5, 0, 0.5], 0, 3), 0); // between two outcomes it is one of the two
});

test("on the way between two outcomes both readings are written, each as opaque as its share", () => {
  assert.deepEqual(shares([0.25, 0, 0.75], 0, 3), [
    [0, 0.25],
    [2, 0.75],
  ]);
  assert.deepEqual(shares([0, 4, 0], 0, 3), [[1, 1]]);
  assert.deepEqual(shares(NONE, 0, 3), []);
  const { written } = drawn([PRIVATE], { truth: [1, 2], votes: [0.25, 0.75, 0, 0, 0, 1] });
  assert.deepEqual(
    written.map(({ text, alpha }) => [text, alpha]),
    [
      ["0", 0.25],
      ["1", 0.75],
      ["2", 1],
    ],
  );
});

test("only layers of readings are written", () => {
  assert.deepEqual(readingsOf([{ kind: "line" }, PRIVATE]), [PRIVATE]);
  assert.deepEqual(readingsOf(), []);
});

test("readings of two networks stand side by side, a wrong one of the first in a box with its picture framed", () => {
  const arrays = { truth: [1, 2], votes: [0, 1, 0, 0, 1, 0], plain: [0, 1, 0, 0, 0, 1] };
  const { written, boxes, frames } = drawn([PRIVATE, PLAIN], arrays);
  assert.deepEqual(
    written.map(({ text, x }) => [text, x]),
    [
      ["1", 10],
      ["1", 110],
      ["1", 30],
      ["2", 130],
    ],
  );
  assert.deepEqual(
    boxes.map(([x]) => x),
    [100, 101],
  ); // the second picture, and the ground of its reading
  assert.equal(frames.length, 1);
  assert.equal(written[1].colour, COLOURS.ground);
  assert.match(written[0].font, /^700/);
});

test("a wrong reading of a network that is not marked is struck through", () => {
  const { boxes, frames } = drawn([PLAIN], { truth: [1, 2], plain: [1, 0, 0, 0, 0, 1] });
  assert.equal(frames.length, 0);
  assert.deepEqual(boxes, [[13, 51.5, 14, 1.5]]);
});

test("what is not known is not written", () => {
  const { written } = drawn([PRIVATE, PLAIN], { truth: [1, 2], votes: [...NONE, ...NONE] });
  assert.deepEqual(written, []);
});
