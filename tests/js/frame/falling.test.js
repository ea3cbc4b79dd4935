// The clock of falling draws: one by one up to their number, from the beginning where others are drawn.

import assert from "node:assert/strict";
import test from "node:test";

let now = 0;
let waiting = null;
let calm = false;
Object.assign(globalThis, {
  matchMedia: () => ({ matches: calm }),
  requestAnimationFrame: (call) => {
    waiting = call;
    return 1;
  },
  cancelAnimationFrame: () => {
    waiting = null;
  },
});
performance.now = () => now;
const { Falling } = await import("../../../assets/live/frame/falling.js");

const LAYER = { kind: "rain", xy: "draws" };

/** A panel that asks for `upto` draws whenever it is drawn. */
function rig(upto) {
  const slices = { arrays: { draws: { id: "a" } }, draws: [1, 5, 2, 5], get: () => slices.draws };
  const panel = { figure: { slices }, spec: { layers: [LAYER] }, upto, drawn: 0 };
  const falling = new Falling(panel);
  panel.draw = () => {
    panel.drawn++;
    panel.found = falling.at(LAYER, panel.upto);
    falling.wake();
  };
  panel.draw();
  return { panel, falling };
}

/** Let time pass in frames of 50 ms. */
function pass(seconds) {
  for (let k = 0; k < 20 * seconds && waiting; k++) {
    now += 50;
    const call = waiting;
    waiting = null;
    call();
  }
}

test("draws fall one after the other until all have fallen, and then nothing is drawn", () => {
  const { panel } = rig(10);
  assert.equal(panel.found.place, 0);
  pass(1);
  assert.ok(panel.found.place > 1 && panel.found.place < 10);
  pass(60);
  assert.deepEqual(panel.found, { place: 10, flight: 1 });
  assert.equal(waiting, null);
});

test("eighty draws have fallen within six seconds; a press lets one more fall in half a second", () => {
  const { panel } = rig(80);
  pass(6);
  assert.equal(panel.found.place, 80);
  panel.upto = 81;
  panel.draw();
  assert.equal(panel.found.place, 80, "on its way, not there at once");
  pass(0.6);
  assert.equal(panel.found.place, 81);
});

test("fewer are there at once; other draws fall from the beginning; a saved picture waits for none", () => {
  const { panel, falling } = rig(10);
  pass(60);
  panel.upto = 4;
  panel.draw();
  assert.equal(panel.found.place, 4);
  const { slices } = panel.figure;
  Object.assign(slices, { arrays: { draws: { id: "b" } }, draws: [1, 5, 2, 5, 9, 5] });
  panel.draw();
  assert.equal(panel.found.place, 4, "the same draws, and one more");
  Object.assign(slices, { arrays: { draws: { id: "d" } }, draws: [1, 5] });
  panel.draw();
  assert.equal(panel.found.place, 4, "and fewer of them");
  Object.assign(slices, { arrays: { draws: { id: "c" } }, draws: [2, 5, 3, 5, 9, 5] });
  panel.draw();
  assert.equal(panel.found.place, 0);
  falling.settle();
  assert.equal(falling.at(LAYER, 4).place, 4);
  falling.stop();
  assert.equal(waiting, null);
});

test("where little motion is asked for all lie there at once", () => {
  calm = true;
  const { panel } = rig(10);
  calm = false;
  assert.equal(panel.found.place, 10);
  assert.equal(waiting, null);
});

test("cards are raised one by one, then all: the first ones slowly, and none is left on its way", () => {
  const cards = { kind: "cards", xy: "draws" };
  const { panel, falling } = rig(10);
  panel.spec.layers = [cards];
  panel.draw = () => {
    panel.found = falling.at(cards, 100);
    falling.wake();
  };
  panel.figure.slices.arrays.draws = { id: "c" };
  panel.draw();
  pass(1);
  assert.ok(panel.found.place > 1 && panel.found.place < 4);
  pass(4);
  assert.deepEqual(panel.found, { place: 100, flight: 1 });
});

test("the numbers of the figure follow how many cards are raised", () => {
  const cards = { kind: "cards", xy: "draws", raised: "raised" };
  const { panel, falling } = rig(10);
  const { figure } = panel;
  Object.assign(figure, { values: { raised: 100 }, schedule() {} });
  let moved = 0;
  figure.slices.moved = () => moved++;
  panel.spec.layers = [cards];
  panel.draw = () => {
    falling.at(cards, 100);
    falling.wake();
  };
  figure.slices.arrays.draws = { id: "c" };
  falling.place = 0;
  panel.draw();
  assert.equal(figure.values.raised, 0);
  pass(2);
  assert.equal(figure.values.raised, Math.floor(falling.place));
  pass(6);
  assert.equal(figure.values.raised, 100);
  assert.ok(moved > 20);
});
