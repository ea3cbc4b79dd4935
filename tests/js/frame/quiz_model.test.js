// Predict, then see: a guess by pointer and by keys, its distance from the truth, and bets.

import assert from "node:assert/strict";
import test from "node:test";
import { Bets, distance, hits, luck, Rounds, Sketch } from "../../../assets/live/frame/quiz_model.js";

const line = (range, log = false) => ({ range, log });

test("a pointer draws a value at every place that it passes", () => {
  const sketch = new Sketch(line([0, 12]), line([0, 10]));
  assert.equal(sketch.whole, false);
  sketch.draw([0, 0], [1, 1]);
  assert.equal(sketch.whole, true);
  for (const [k, y] of sketch.y.entries()) assert.ok(Math.abs(y - (10 * k) / 12) < 1e-9);
  sketch.draw([0.5, 0.2], [0.5, 2]);
  assert.equal(sketch.y[6], 10, "held inside the panel");
  assert.equal(sketch.y[5], 50 / 12, "others stay");
});

test("keys choose a place and move it; a new place starts where the last one is", () => {
  const sketch = new Sketch(line([0, 12]), line([0, 1]));
  assert.equal(sketch.key("a"), false);
  sketch.key("ArrowUp");
  assert.equal(sketch.y[0], 0.525);
  for (let k = 0; k < 20; k++) sketch.key("ArrowRight");
  assert.equal(sketch.whole, true);
  assert.equal(sketch.y[12], 0.525);
  sketch.key("PageDown");
  assert.ok(Math.abs(sketch.y[12] - 0.425) < 1e-12);
  sketch.key("ArrowLeft");
  assert.equal(sketch.at, 11);
});

test("a guess of levels snaps, steps by one, and counts what is known", () => {
  const sketch = new Sketch(line([0.5, 3.5]), line([10, 1000], true), [1, 2, 3], [20, 100, 800]);
  sketch.draw([0, 0], [1, 1]);
  for (const [k, level] of [20, 100, 800].entries()) assert.ok(Math.abs(sketch.y[k] - level) < 1e-9);
  assert.deepEqual(hits(sketch, [20, 800, NaN]), { right: 1, known: 2 });
  assert.deepEqual(hits(sketch, [20, 100, 800]), { right: 3, known: 3 });
  sketch.key("ArrowUp");
  assert.ok(Math.abs(sketch.y[2] - 800) < 1e-9, "no further than the last level");
  sketch.key("ArrowDown");
  assert.ok(Math.abs(sketch.y[2] - 100) < 1e-9);
  sketch.key("ArrowLeft");
  assert.equal(sketch.at, 1);
});

test("the distance is a difference, and a factor on a logarithmic axis", () => {
  const flat = new Sketch(line([0, 12]), line([0, 10]));
  flat.draw([0, 0.5], [1, 0.5]);
  assert.equal(distance(flat, [0, 12], [5, 5]), 0);
  assert.equal(distance(flat, [0, 12], [3, 3]), 2);
  const steep = new Sketch(line([1, 1e4], true), line([0.01, 100], true));
  steep.draw([0, 0.5], [1, 0.5]);
  assert.ok(Math.abs(distance(steep, [1, 1e4], [4, 4]) - 4) < 1e-9);
  assert.ok(Math.abs(distance(steep, [1, 1e4], [0.25, 0.25]) - 4) < 1e-9);
  assert.ok(Math.abs(distance(steep, [1, 1e4], [1e9, 1e9]) - 100) < 1e-9, "no further than the axis goes");
  assert.ok(Number.isNaN(distance(flat, [0, 12], [NaN, NaN])));
});

test("twenty bets are counted, each on a coin of its own", () => {
  const tosses = [];
  let state = 0.5;
  const random = () => {
    state = (state * 997 + 0.123) % 1;
    tosses.push(state);
    return state;
  };
  const bets = new Bets(random, 20);
  for (let k = 0; k < 20; k++) {
    const { inside, draw } = bets;
    assert.equal(bets.bet(inside), true);
    assert.deepEqual([bets.inside, bets.draw, bets.open], [inside, draw, false], "the answer stays in view");
    if (!bets.over) bets.next();
  }
  assert.deepEqual([bets.right, bets.done], [20, 20]);
  assert.equal(tosses.length, 40);
  const wrong = new Bets(random, 20);
  assert.equal(wrong.bet(!wrong.inside), false);
  assert.equal(wrong.right, 0);
});

test("a score is told beside what a test can reach, and what coins reach", () => {
  const bets = new Bets(() => 0, 10);
  for (let k = 0; k < 7; k++) bets.bet(true);
  const words = "{right} of {done}, {next} of {rounds}, {truth}, {most}, {expected}, {luck}";
  assert.equal(bets.fill(words, 0.7311, "with"), "7 of 7, 8 of 10, with, 73.2 %, 7, about 17");
});

test("coins get half right on the average; what is rounded to certainty says so", () => {
  assert.equal(luck(5, 10), "about 62");
  assert.equal(luck(9, 10), "about 1");
  assert.equal(luck(10, 10), "fewer than 1");
  assert.equal(luck(0, 10), "more than 99");
});

test("rounds are counted for both; what the attacker has not looked at counts for nobody", () => {
  const rounds = new Rounds(3);
  const score = () => rounds.fill("{you} of {done}, {attacker} of {tried}");
  rounds.choose(2, 2, -1);
  assert.deepEqual([score(), rounds.last], ["1 of 1, 0 of 0", { you: true, attacker: false, known: false }]);
  rounds.next();
  assert.deepEqual([rounds.at, rounds.guess], [1, -1]);
  rounds.choose(0, 1, 1);
  rounds.next();
  rounds.choose(0, 1, 6);
  assert.equal(score(), "1 of 3, 1 of 2");
  assert.equal(rounds.over, true);
  rounds.next();
  assert.deepEqual([rounds.at, score(), rounds.over], [3, "0 of 0, 0 of 0", false]);
});
