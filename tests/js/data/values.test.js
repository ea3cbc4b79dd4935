// Places, texts and limits of controls.

import assert from "node:assert/strict";
import test from "node:test";
import {
  at,
  fileName,
  firstSlider,
  indexOf,
  merged,
  nearest,
  sliderState,
  snap,
  stepped,
  topSlider,
  whole,
  words,
} from "../../../assets/live/data/values.js";

const slider = (more = {}) => ({
  kind: "slider",
  grid: [0.1, 0.5, 1, 10],
  ends: ["more private", "less private"],
  ...more,
});
const choice = {
  kind: "choice",
  options: [
    ["a", "First"],
    [2, "Second"],
  ],
};

test("a slider snaps to the nearest value of its grid; the earlier of two equally near", () => {
  assert.equal(snap(slider(), 0.7), 0.5);
  assert.equal(snap(slider(), 99), 10);
  assert.equal(snap(slider(), -1), 0.1);
  assert.equal(nearest([0, 1], 0.5), 0);
  assert.equal(snap({ kind: "toggle" }, true), true);
});

test("places beyond a grid are its ends", () => {
  assert.deepEqual(
    [-1, 0, 3, 4].map((place) => at(slider().grid, place)),
    [0.1, 0.1, 10, 10],
  );
});

test("every kind of control has a place along a dimension", () => {
  assert.equal(indexOf(slider(), 1), 2);
  assert.equal(indexOf(choice, 2), 1);
  assert.equal(indexOf(choice, "unknown"), 0);
  assert.equal(indexOf({ kind: "toggle" }, true), 1);
});

test("values are written short, with their unit", () => {
  assert.equal(words(slider({ unit: " steps" }), 0.5), "0.5 steps");
  assert.equal(words(slider({ grid: [1e-5, 0] }), 1e-5), "10⁻⁵");
  assert.equal(words(slider({ grid: [0] }), 0), "0");
  assert.equal(words(slider({ grid: [123456.7] }), 123456.7), "123\u202f500");
  assert.equal(words(slider({ format: ".0%" }), 0.5), "50 %");
  assert.equal(words(slider({ words: ["original", "noisy", "round 1", "round 2"] }), 0.5), "noisy");
  assert.equal(words(slider({ words: [] }), 0.5), "0.5");
  assert.equal(words(choice, 2), "Second");
  assert.equal(words(choice, "unknown"), "");
  assert.equal(words({ kind: "number" }, 7), "7");
});

test("a slider says which end it is at, and no end elsewhere", () => {
  assert.deepEqual(sliderState(slider(), 0.1), { index: 0, text: "0.1", share: 0, heard: "0.1, more private" });
  assert.equal(sliderState(slider({ grid: [0, 1, 2] }), 1).heard, "1");
  assert.equal(sliderState(slider(), 10).heard, "10, less private");
  assert.equal(sliderState(slider(), slider().grid.at(-2)).heard.includes(","), false);
  assert.equal(sliderState(slider({ ends: ["", ""] }), 10).heard, "10");
  assert.equal(sliderState(slider({ grid: [3] }), 3).share, 0);
});

test("only whole numbers within the limits are taken", () => {
  const limits = { low: 0, high: 10 };
  for (const text of ["", "-1", "11", "1.5", "x", "1e400"]) assert.equal(whole(limits, text), null, text);
  assert.equal(whole(limits, "0"), 0);
  assert.equal(whole(limits, "10"), 10);
  assert.equal(whole({ low: null, high: null }, "-9007199254740991"), Number.MIN_SAFE_INTEGER);
  assert.equal(whole({ low: null, high: null }, "9007199254740993"), null, "not exact any more");
});

test("a step goes from place to place, and stays at the ends", () => {
  assert.equal(stepped(slider(), 0.5, 1), 1);
  assert.equal(stepped(slider(), 0.1, -1), 0.1);
});

test("the slider that stays in view is the first that is seen and does not play", () => {
  const named = (name, more) => ({ ...slider(more), name });
  const specs = [choice, named("hidden", { hidden: true }), named("playing", { play: true }), named("epsilon")];
  assert.equal(topSlider(specs), "epsilon");
  assert.equal(topSlider([choice]), undefined);
  const asked = named("answers", { play: true, asked: true });
  assert.equal(topSlider([...specs, asked]), "answers", "the page asks to move it");
  assert.equal(firstSlider([...specs, asked]), "epsilon");
  assert.equal(topSlider([...specs, { ...asked, hidden: true }]), "epsilon");
});

test("an answer's values are taken, but for those that are the reader's and those of a play", () => {
  const controls = [
    slider({ name: "a" }),
    slider({ name: "b" }),
    slider({ name: "p", play: true }),
    slider({ name: "o", own: true }),
    slider({ name: "n" }),
  ];
  const values = { a: 1, b: 1, p: 1, o: 1, n: 1, other: 7 };
  const own = { a: 10, b: 10, p: 10, o: 10, gone: 3 };
  assert.deepEqual(
    merged(own, { controls, values }, (name) => name === "a" || name === "n"),
    { a: 10, b: 1, p: 10, o: 10, n: 1, other: 7 },
  );
});

test("a value that is kept stays on its grid, also when that has changed", () => {
  const controls = [slider({ name: "a", grid: [0, 4] })];
  assert.deepEqual(
    merged({ a: 3 }, { controls, values: { a: 0 } }, () => true),
    { a: 4 },
  );
});

test("a saved picture is called after its figure, its panel and the sliders in view", () => {
  const slider = { kind: "slider", grid: [1] };
  const specs = [
    { ...slider, name: "epsilon" },
    { ...slider, name: "progress", play: true },
    { ...slider, name: "rare", more: true },
    { kind: "choice", name: "dataset", options: [] },
  ];
  assert.equal(fileName("page", "map", specs, { epsilon: 2.5, progress: 1, rare: 1 }), "page_map_epsilon-2.5");
});
