// Phones that answer after the toss of a coin: which have, whose coin is in the air, and what is said on the screens.

import assert from "node:assert/strict";
import test from "node:test";
import { LAYERS } from "../../../assets/live/draw/draw.js";
import { COLOURS } from "../given.js";

const WORDS = ["no", "yes", "own", "coin", "truth: "];

/** What is written, and in which colours areas are filled. */
function drawn({ answers = [1, 0, 1], device = [0, 0, 1], upto = 3, place, family, x = (v) => 100 * v } = {}) {
  const said = [];
  const filled = [];
  const ctx = {
    beginPath() {},
    moveTo() {},
    lineTo() {},
    closePath() {},
    fill: () => filled.push(ctx.fillStyle),
    stroke() {},
    fillRect() {},
    fillText: (text) => said.push(text),
  };
  const given = { xy: [0, 0, 1, 0, 2, 0], answers, device, truth: [1, 0, 0] };
  const env = { get: (name) => given[name], scalar: () => upto, x, y: (v) => -100 * v, colours: COLOURS };
  if (family) env.lettering = { type: { family } };
  if (place !== undefined) env.fallen = () => ({ place, flight: 1 });
  const layer = { kind: "phones", xy: "xy", answers: "answers", device: "device", truth: "truth", upto: "upto" };
  LAYERS.phones(ctx, { ...layer, words: WORDS }, env);
  return { said, filled, font: ctx.font, align: ctx.textAlign };
}

test("each phone says its answer and whose it is, and below it stands the truth", () => {
  const { said, align } = drawn();
  assert.deepEqual(said, ["truth: yes", "yes", "own", "truth: no", "no", "own", "truth: no", "yes", "coin"]);
  assert.equal(align, "left", "for what is written after it");
});

test("a phone that has not answered says nothing, and one whose coin is in the air not yet", () => {
  assert.deepEqual(drawn({ place: 0 }).said, ["truth: yes", "truth: no", "truth: no"]);
  const { said, filled } = drawn({ place: 0.3 });
  assert.deepEqual(said, ["truth: yes", "truth: no", "truth: no"]);
  assert.ok(filled.includes(COLOURS.private) || filled.includes(COLOURS.other));
  assert.deepEqual(drawn({ place: 1 }).said.length, 5);
});

test("letters of small phones can still be read", () => {
  assert.match(drawn({ x: (v) => 30 * v }).font, /^400 9.0px/);
});

test("words stand in the typeface of the page", () => {
  assert.match(drawn({ family: "Inter, sans-serif" }).font, /px Inter, sans-serif$/);
});
