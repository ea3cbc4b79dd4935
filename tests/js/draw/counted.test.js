// A number as discs: the first so many of the places.

import assert from "node:assert/strict";
import test from "node:test";
import { LAYERS } from "../../../assets/live/draw/draw.js";
import { COLOURS } from "../given.js";

function drawn(upto, more = {}) {
  const discs = [];
  let [filled, rings] = [0, 0];
  const ctx = {
    beginPath() {},
    arc: (x, y, r) => discs.push([x, y, r]),
    fill: () => filled++,
    stroke: () => rings++,
  };
  const env = { get: () => [0, 0, 1, 0, 2, 0], scalar: () => upto, x: (v) => 10 * v, y: (v) => v, colours: COLOURS };
  LAYERS.counted(ctx, { kind: "counted", xy: "xy", upto: "n", radius: 0.4, ...more }, env);
  return { discs, filled, rings, colour: ctx.fillStyle };
}

test("as many discs as the number says, rounded, and never more than there are places", () => {
  assert.deepEqual(drawn(1.6).discs, [
    [0, 0, 4],
    [10, 0, 4],
  ]);
  assert.equal(drawn(9).filled, 3);
  assert.equal(drawn(0).filled, 0);
});

test("hollow discs are rings, and a role gives the colour", () => {
  assert.equal(drawn(2, { hollow: true }).rings, 2);
  assert.notEqual(drawn(2, { role: "muted" }).colour, drawn(2).colour);
});
