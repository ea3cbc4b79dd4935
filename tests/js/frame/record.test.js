import assert from "node:assert/strict";
import test from "node:test";
import { promised } from "../../../assets/live/frame/record.js";

const figureOf = (crowd) => ({
  crowd,
  ahead: null,
  indexOf: () => 0,
  data: { arrays: {}, readouts: [], texts: [], terms: {} },
  specs: new Map(),
  values: {},
  slices: { has: () => false },
});

test("a film carries the bound in whole, not the question of the picture", () => {
  const crowd = {
    strings: ["Who {before}. After seeing this result they can be {after}"],
    brief: ["Is Ada in the data?"],
    bounds: [1],
    dims: [],
    sizes: {},
  };
  assert.equal(
    promised(figureOf(crowd)),
    "Who thinks it is 50 to 50. After seeing this result they can be at most 73.2 % sure.",
  );
});

test("a film says that nothing is proved where the figure does", () => {
  const crowd = { strings: ["Nothing is proved."], brief: ["Is Ada in the data?"], dims: [], sizes: {} };
  assert.equal(promised(figureOf(crowd)), "Nothing is proved.");
});

test("a film of a figure without a guarantee carries none", () => {
  assert.equal(promised(figureOf(undefined)), "");
});
