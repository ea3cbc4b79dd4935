// The text alternatives: what a reader hears is what is drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { fill, NO_DIFFERENCE, noted, number, sentence, spoken } from "../../../assets/live/frame/sentences.js";
import { array, sliced } from "../given.js";

function shown() {
  const arrays = { error: array([0.25, 0.5], [2], ["epsilon"]), curve: array([0.72, 0.96], [2], [null]) };
  const data = {
    arrays: { ...arrays, lost: { ...arrays.error, id: "gone" } },
    readouts: [
      { label: "error", value: "error", format: ".0%" },
      { label: "later", value: "lost", format: ".0%" },
    ],
    texts: [{ strings: ["a", "b", "c", "d"], dims: ["project", "epsilon"], sizes: [2, 2], along: {} }],
  };
  const places = { epsilon: 1, project: 1 };
  return {
    data,
    specs: new Map([["epsilon", { kind: "slider", grid: [1, 2], unit: "" }]]),
    values: { epsilon: 2, project: true },
    slices: sliced(arrays, { at: places }),
    ahead: null,
    places,
    indexOf(name) {
      return this.places[name]; // a method, as the figure's is
    },
  };
}

test("templates are filled with controls, numbers and trends", () => {
  const text = "At ε = {epsilon} the error is {error}; accuracy {trend:curve}, {trend:lost}.";
  const expected = "At ε = 2 the error is 50 %; accuracy rises from 72 % to 96 %, is not known yet.";
  assert.equal(fill(shown(), text), expected);
});

test("trends and numbers are said in the format that the template asks for", () => {
  const text = "{trend:curve} {trend:curve:.1g} {trend:curve:.1f}, {error} {error:in 100} {error:.3g}";
  const expected = "rises from 72 % to 96 % rises from 0.7 to 1 rises from 0.7 to 1.0, 50 % 50 in 100 0.5";
  assert.equal(fill(shown(), text), expected);
  assert.equal(fill(shown(), "{epsilon} or {epsilon:count answer}"), "2 or 2 answers");
});

test("what is not known stays as it is written", () => {
  assert.equal(fill(shown(), "{nobody} {lost} {}"), "{nobody} {lost} {}");
  assert.equal(number(shown().slices, { value: "lost", format: "d" }), "–");
});

test("a text is found by the places of its controls, row by row", () => {
  const { data, ...rest } = shown();
  assert.equal(sentence(rest, data.texts[0]), "d");
  assert.equal(sentence({ ...rest, indexOf: (name) => (name === "project" ? 1 : 0) }, data.texts[0]), "c");
});

test("while a handle with stand-ins moves, its own text is said", () => {
  const { data, ...rest } = shown();
  const text = { ...data.texts[0], along: { clip: { strings: ["x", "y"], dims: ["epsilon"], sizes: [2] } } };
  assert.equal(sentence({ ...rest, ahead: "clip" }, text), "y");
  assert.equal(sentence({ ...rest, ahead: "other" }, text), "d");
});

test("the figure in words: numbers that are known, then sentences", () => {
  assert.equal(spoken(shown()), "error: 50 %. d");
  const whole = shown();
  whole.data.texts = [{ ...whole.data.texts[0], strings: ["a", "b", "c", "It is so."] }, ...whole.data.texts];
  whole.data.readouts[0].note = "of new cases";
  assert.equal(spoken(whole), "error: 50 % (of new cases). It is so. d"); // one full stop
});

test("a sentence whose number is not computed is not read aloud", () => {
  const whole = shown();
  const strings = ["", "", "", "It is {error}. It was {lost:.2f}. It {trend:lost}. That is all."];
  whole.data.texts = [{ ...whole.data.texts[0], strings }];
  assert.equal(spoken(whole), "error: 50 %. It is 50 %. That is all.");
  whole.data.texts = [{ ...whole.data.texts[0], strings: ["", "", "", "It was {lost}."] }];
  assert.equal(spoken(whole), "error: 50 %.");
});

const draws = (median, low, high) => {
  const made = shown();
  const one = (value) => array([value], [], []);
  Object.assign(made.data.arrays, { median: one(median), low: one(low), high: one(high), now: one(0.9) });
  return { ...made, slices: sliced(made.data.arrays, { at: made.places }) };
};

test("the median of draws is told with its middle, and this draw alone before it is known", () => {
  const readout = {
    value: "median",
    format: "in 100",
    draw: "now",
    note: "8 of 10: {low:hundredths}",
    alone: "this draw",
  };
  const whole = draws(0.88, 0.8, 0.93);
  assert.equal(number(whole.slices, readout), "88 in 100");
  assert.equal(noted(whole, readout), "8 of 10: 80");
  const before = draws(Number.NaN, Number.NaN, Number.NaN);
  assert.equal(number(before.slices, readout), "90 in 100");
  assert.equal(noted(before, readout), "this draw");
});

test("a range is told from its value to its end, and one draw alone before there is a range", () => {
  const readout = { value: "low", to: "high", format: ".2g", draw: "now" };
  assert.equal(number(draws(0.88, 0.8, 0.93).slices, readout), "0.8 to 0.93");
  assert.equal(number(draws(Number.NaN, Number.NaN, Number.NaN).slices, readout), "0.9");
});

test("a difference is told only where its interval leaves out 0", () => {
  const readout = { value: "median", format: "points", low: "low", high: "high" };
  const told = (...ends) => number(draws(...ends).slices, readout);
  assert.equal(told(-0.05, -0.07, -0.01), "costs 5.0 points");
  assert.equal(told(0.05, 0.01, 0.07), "gains 5.0 points");
  for (const ends of [
    [-0.05, -0.07, 0.01],
    [0, 0, 0],
    [-0.05, -Infinity, Infinity],
  ])
    assert.equal(told(...ends), NO_DIFFERENCE);
  assert.equal(told(Number.NaN, Number.NaN, Number.NaN), "–");
});
