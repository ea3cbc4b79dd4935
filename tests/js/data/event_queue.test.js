// What waits, in which order, and for how long; tests/js/data/protocol.test.js has what follows of it.

import assert from "node:assert/strict";
import test from "node:test";
import { EventQueue } from "../../../assets/live/data/event_queue.js";
import { patience, TIMES, Ticks, untilAsked } from "../../../assets/live/data/timeouts.js";

const event = (phase, action = null, since = 0) => ({ phase, action, since, values: null });
const queued = (...events) => {
  const queue = new EventQueue();
  for (const one of events) queue.add(event(...one));
  return queue;
};
const told = ({ events }) => events.map(({ phase, action }) => action ?? phase);

test("of moves one waits, a commit stays a commit, and an action makes the move before it needless", () => {
  assert.deepEqual(told(queued(["drag"], ["drag"])), ["drag"]);
  assert.deepEqual(told(queued(["look"], ["drag"])), ["drag"]);
  assert.deepEqual(told(queued(["drag"], ["commit"], ["drag"], ["look"])), ["commit"]);
  assert.deepEqual(told(queued(["drag"], ["action", "redraw"], ["drag"])), ["redraw", "drag"]);
  const presses = ["a", "b", "c", "d", "e"].map((name) => ["action", name]);
  assert.deepEqual(told(queued(...presses)), ["a", "b", "c", "e"]);
});

test("what nobody has heard goes first where it is an action, last where it is a move, not at all where it only asks", () => {
  const heard = (phase, action) => ({ ...event(phase, action, 7), values: { clip: 1 }, first: 3, again: 2 });
  const pressed = queued(["commit"]);
  pressed.again(heard("action", "redraw"));
  assert.deepEqual(pressed.next(), { phase: "action", action: "redraw", since: 7, values: { clip: 1 } });
  const moved = queued();
  moved.again(heard("drag"));
  assert.deepEqual(moved.events, [{ ...event("drag", undefined, 7) }]);
  moved.again(heard("commit"));
  assert.deepEqual(told(moved), ["drag"], "what waits tells all values");
  for (const phase of ["tick", "look", "missing"]) {
    const asked = queued();
    asked.again(heard(phase));
    assert.ok(asked.empty);
    assert.equal(asked.next(), undefined);
  }
});

test("a slow server gets more time, and what is sent again still more, within bounds", () => {
  assert.equal(patience(0, 0), TIMES.lost);
  assert.equal(patience(2000, 0), 6000);
  assert.equal(patience(60_000, 0), TIMES.slow);
  assert.equal(patience(0, 2), 4 * TIMES.lost);
  assert.equal(patience(60_000, 9), 16 * TIMES.lost);
  assert.deepEqual([1, 2, 3, 6, 9].map(untilAsked), [0, 400, 800, 6400, 6400]);
});

test("ticks become rare while there is no news, and end with the work", () => {
  const ticks = new Ticks();
  ticks.answered({ busy: true, same: false }, false, 100);
  assert.equal(ticks.at, 100 + TIMES.tick);
  ticks.answered({ busy: true, same: true }, true, 0);
  assert.equal(ticks.at, 600);
  ticks.later(0);
  assert.equal(ticks.at, 900);
  for (let k = 0; k < 9; k++) ticks.later(0);
  assert.equal(ticks.at, TIMES.seldom);
  ticks.answered({ busy: false, same: false }, true, 0);
  assert.equal(ticks.at, Infinity);
});
