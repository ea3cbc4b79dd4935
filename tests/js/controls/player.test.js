// A slider that plays, and what a hand on a slider means.

import assert from "node:assert/strict";
import test from "node:test";
import { beatOf, Play } from "../../../assets/live/controls/player.js";
import { DragHandle } from "../../../assets/live/controls/slider.js";

function playing(place = 0, length = 4) {
  const seen = [];
  const track = {
    length: () => length,
    place: () => place,
    set: (to) => {
      place = to;
      seen.push(to);
    },
    moved: (how) => seen.push(how),
  };
  return { play: new Play(track), seen };
}

test("a play begins at the start, moves place by place and tells its end once", () => {
  const { play, seen } = playing(2);
  play.toggle();
  while (play.playing) play.beat();
  assert.deepEqual(seen, [0, "key", 1, "drag", 2, "drag", 3, "drag", "commit"]);
});

test("a play that was paused goes on; after a step by hand it begins again", () => {
  const { play, seen } = playing(3);
  play.toggle();
  play.beat();
  play.toggle();
  assert.equal(play.playing, false);
  play.toggle();
  play.beat();
  play.toggle();
  assert.deepEqual(seen, [0, "key", 1, "drag", "commit", 2, "drag", "commit"]);
  seen.length = 0;
  play.go(1);
  play.toggle();
  assert.deepEqual(seen, [1, "key", 0, "key"]);
});

test("a whole play takes six seconds, a place between 70 and 600 ms", () => {
  assert.equal(beatOf(12, false, 6), 500);
  assert.equal(beatOf(3, false, 6), 600);
  assert.equal(beatOf(200, false, 6), 70);
  assert.equal(beatOf(200, true, 6), 400);
  assert.equal(beatOf(24, false, 12), 500);
});

test("a hand on the slider ends a play without a word: the hand is told", () => {
  const { play, seen } = playing();
  play.toggle();
  play.halt();
  assert.equal(play.playing, false);
  assert.deepEqual(seen, []);
});

test("steps by hand stay within the ends", () => {
  const { play, seen } = playing(0);
  play.go(-1);
  play.go(9);
  assert.deepEqual(seen, [0, "key", 3, "key"]);
});

function handled(...events) {
  const seen = [];
  const handle = new DragHandle((how) => seen.push(how));
  for (const event of events) handle[event]();
  return seen;
}

test("a drag is let go once, when its change comes or when the pointer is up without one", () => {
  assert.deepEqual(handled("down", "input", "input", "change", "release"), ["drag", "drag", "commit"]);
  assert.deepEqual(handled("down", "input", "input", "release"), ["drag", "drag", "commit"]);
});

test("a pointer that moved nothing lets nothing go", () => {
  assert.deepEqual(handled("down", "release", "change"), []);
});

test("keys are told as keys, each when it is over", () => {
  assert.deepEqual(handled("input", "change", "input", "change", "change"), ["drag", "key", "drag", "key"]);
});
