// Where ticks stand and what they say.

import assert from "node:assert/strict";
import test from "node:test";
import {
  decimals,
  linearPlaces,
  logPlaces,
  niceStep,
  ticksOf,
  tickTexts,
  written,
} from "../../../assets/live/draw/ticks.js";
import { axis } from "../given.js";

const said = (...given) => ticksOf(...given).map(({ text }) => text);

test("a step is 1, 2 or 5 times a power of ten, and the smallest that is wide enough", () => {
  assert.deepEqual(
    [niceStep(10, 10), niceStep(10, 9), niceStep(1, 4), niceStep(0.06, 10), niceStep(7e6, 7), niceStep(7e6, 6)],
    [1, 2, 0.5, 0.01, 1e6, 2e6],
  );
  for (let k = 0; k < 400; k++) {
    const span = 10 ** (-8 + k / 25);
    for (const parts of [1, 2, 3, 5, 9, 10]) {
      const step = niceStep(span, parts);
      assert.ok(span / step <= parts * (1 + 1e-6), `${span} in ${parts}: ${step}`);
      assert.ok(span / step > parts / 2.5 - 1e-6, `${span} in ${parts}: ${step} is too wide`);
    }
  }
});

test("multiples of the step, both ends with them, without the dirt of binary fractions", () => {
  assert.deepEqual(linearPlaces([0, 0.6], 6).places, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
  assert.deepEqual(linearPlaces([-1, 1], 4).places, [-1, -0.5, 0, 0.5, 1]);
  assert.deepEqual(linearPlaces([0.41, 0.99], 6).places, [0.5, 0.6, 0.7, 0.8, 0.9]);
  for (let k = 0; k < 200; k++) {
    const [low, high] = [Math.sin(k) * 10 ** (k % 7), Math.sin(k) * 10 ** (k % 7) + 10 ** ((k % 9) - 4)];
    const { places } = linearPlaces([low, high], 8);
    assert.ok(places.length >= 3 && places.length <= 9, String(places));
    assert.ok(places[0] >= low - 1e-9 * Math.abs(low) && places.at(-1) <= high + 1e-9 * Math.abs(high), String(places));
    assert.equal(new Set(tickTexts(places, "", linearPlaces([low, high], 8).step)).size, places.length);
  }
});

test("decades: with 2 and 5 where there is room, every second or third where there is little", () => {
  assert.deepEqual(logPlaces([0.05, 20], 10), [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]);
  assert.deepEqual(logPlaces([0.04, 3000], 8), [0.1, 1, 10, 100, 1000]);
  assert.deepEqual(logPlaces([1e-9, 1e6], 7), [1e-8, 1e-6, 1e-4, 0.01, 1, 100, 1e4, 1e6]);
  assert.equal(logPlaces([30, 40], 6), null, "those of a linear axis");
  for (let k = -9; k < 9; k++) {
    for (let wide = 1; wide < 14; wide++) {
      const places = logPlaces([10 ** k * 0.9, 10 ** (k + wide) * 1.1], 6);
      assert.ok(places.length >= 2 && places.length <= 7, `${k}, ${wide}: ${places}`);
    }
  }
});

test("a short logarithmic axis has the nice numbers of a linear one", () => {
  assert.deepEqual(said(axis([30, 40], { log: true }), [30, 40], 5), ["30", "32", "34", "36", "38", "40"]);
});

test("numbers are written out with thin spaces, very long ones as powers, with a true minus", () => {
  assert.deepEqual(
    [0, 0.05, 1000, 12000, 1234567, -2, 1e-5, 2e-5, 1e6, -1e7, 0.0001].map((n) => written(n)),
    ["0", "0.05", "1000", "12\u202f000", "1.235·10⁶", "−2", "10⁻⁵", "2·10⁻⁵", "10⁶", "−10⁷", "0.0001"],
  );
  assert.deepEqual(
    [100, 10, 1].map((n) => written(n, { powers: true })),
    ["10²", "10", "1"],
  );
});

test("neighbours are told apart, and all of an axis have the same digits", () => {
  assert.deepEqual([decimals(0.5), decimals(0.25), decimals(1), decimals(20), decimals(0.02)], [1, 1, 0, 0, 2]);
  assert.deepEqual(tickTexts([0, 0.5, 1], "", 0.5), ["0.0", "0.5", "1.0"]);
  assert.deepEqual(tickTexts([0, 0.005, 0.01], ".0%", 0.005), ["0.0 %", "0.5 %", "1.0 %"]);
  assert.deepEqual(tickTexts([0, 0.2, 0.4], ".0%", 0.2), ["0 %", "20 %", "40 %"]);
  assert.deepEqual(tickTexts([0.125], ".2f", 0.125), ["0.13"]);
  assert.deepEqual(tickTexts([0.01, 1, 100, 1e6], "", null), ["10⁻²", "1", "10²", "10⁶"], "one way for all");
  assert.deepEqual(tickTexts([0.1, 1, 100], "", null), ["0.1", "1", "100"]);
});

test("given ticks stay where they are given, in their words or as numbers", () => {
  const words = axis([0, 2], { ticks: [0.5, 1.5], words: ["yes", "no"] });
  assert.deepEqual(ticksOf(words, [0, 2], 5), [
    { at: 0.5, text: "yes" },
    { at: 1.5, text: "no" },
  ]);
  assert.deepEqual(ticksOf(words, [1, 2], 5), [{ at: 1.5, text: "no" }]);
  assert.deepEqual(said(axis([0, 1], { ticks: [] }), [0, 1], 5), [], "none is none");
  assert.deepEqual(said(axis([0, 1], { ticks: [0, 0.5, 1] }), [0, 1], 5), ["0", "0.5", "1"]);
});

test("where a zoom has left fewer than two of given numbers, nice ones help", () => {
  const given = axis([0, 100], { ticks: [0, 50, 100] });
  assert.deepEqual(said(given, [40, 60], 5), ["40", "45", "50", "55", "60"]);
});

test("the same axis has the same ticks, whatever is drawn over it", () => {
  const one = axis([0.03, 1000], { log: true });
  assert.deepEqual(ticksOf(one, [0.03, 1000], 6), ticksOf(one, [0.03, 1000], 6));
});
