// Draws that fall from a curve: where they pile up, where one is on its way, and the clock that lets them fall.

import assert from "node:assert/strict";
import test from "node:test";
import { LAYERS } from "../../../assets/live/draw/draw.js";
import { piles } from "../../../assets/live/draw/rain.js";
import { COLOURS } from "../given.js";

const same = (value) => value;
const AREA = { left: 0, top: 0, width: 100, height: 100 };

/** What is drawn of a layer: x, y and the radius of each dot. */
function drawn(xy, { upto, fallen, ...more }) {
  const dots = [];
  const ctx = { beginPath() {}, fill() {}, stroke() {}, arc: (x, y, r) => dots.push([x, y, r]) };
  const env = { get: () => xy, scalar: same, x: same, y: same, area: AREA, colours: COLOURS, fallen };
  LAYERS.rain(ctx, { kind: "rain", xy: "xy", upto, floor: 90, top: 10, size: 2, ...more }, env);
  return dots;
}

test("draws of one pile lie on one another, and those beyond the panel on none", () => {
  const found = piles([1, 0, 2, 0, 7, 0, 3, 0, -1, 0, Number.NaN, 0], same, 0, 100, 5);
  assert.deepEqual([...found.at], [0, 0, 1, 0, -1, -1]);
  assert.deepEqual([...found.level], [0, 1, 0, 2, 0, 0]);
  assert.equal(found.highest, 2);
});

test("all that have fallen lie between the floor and the top, the newest is large", () => {
  const xy = Array.from({ length: 60 }, () => [50, 5]).flat();
  const dots = drawn(xy, { upto: 60 });
  assert.equal(dots.length, 60);
  const r = dots[0][2];
  assert.ok(
    dots.every(([, y]) => y <= 90 - r + 1e-9 && y >= 10 + r - 1e-9),
    "a pile that is too high is pressed together",
  );
  assert.ok(dots[59][2] > dots[0][2]);
  assert.ok(r < 2 && r >= 1.1, "its dots are smaller");
  assert.equal(drawn(xy, { upto: 7 }).length, 7);
  assert.equal(drawn(xy, { upto: 99 }).length, 60, "no more than there are");
});

test("two heaps that are compared have dots of one size and one height", () => {
  const high = Array.from({ length: 60 }, () => [50, 5]).flat();
  const low = [20, 5, 20, 5, 70, 5];
  const heap = (xy, like) => {
    const dots = [];
    const ctx = { beginPath() {}, fill() {}, stroke() {}, arc: (x, y, r) => dots.push([x, y, r]) };
    const env = { get: (name) => name, scalar: same, x: same, y: same, area: AREA, colours: COLOURS };
    LAYERS.rain(ctx, { kind: "rain", xy, like, upto: 2, floor: 90, top: 10, size: 2 }, env);
    return { r: dots[0][2], step: dots[0][1] - dots[1][1] };
  };
  assert.deepEqual(heap(low, high), heap(high, low));
  assert.ok(heap(low, []).step > heap(low, high).step, "alone it has room for larger ones");
});

test("a draw begins at its curve and ends on its pile", () => {
  const at = (place) => drawn([52, 30], { upto: 1, fallen: () => ({ place, flight: 1 }) });
  assert.deepEqual(at(0), []);
  const ways = [0.01, 0.5, 1].map((place) => at(place)[0]);
  assert.ok(Math.abs(ways[0][1] - 30) < 0.1);
  assert.equal(ways[2][1], 88);
  assert.ok(ways[0][1] < ways[1][1] && ways[1][1] < ways[2][1]);
  assert.equal(ways[2][0], 52.5, "in the middle of its pile");
});
