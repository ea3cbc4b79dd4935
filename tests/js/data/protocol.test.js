// Events: what can go wrong, and what happens then. The same list stands in docs/live.md.

import assert from "node:assert/strict";
import test from "node:test";
import { TIMES } from "../../../assets/live/data/timeouts.js";
import { Rig } from "../rig.js";

test("a drag: one event under way, and of those that wait the newest values", () => {
  const rig = new Rig();
  for (const clip of [2, 3, 4]) rig.drag("clip", clip);
  assert.deepEqual(rig.told, ["drag"]);
  assert.equal(rig.last.values.clip, 2);
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "drag"], "two moves have become one event");
  assert.equal(rig.last.values.clip, 4);
  rig.answer();
  assert.equal(rig.sent.length, 2, "nothing is left to tell");
  assert.equal(rig.protocol.hand, "held");
});

test("letting go after a drag: one commit, after the drag under way, with the last value", () => {
  const rig = new Rig();
  for (const clip of [2, 3]) rig.drag("clip", clip);
  rig.commit("clip", 5);
  assert.deepEqual(rig.told, ["drag"]);
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "commit"]);
  assert.equal(rig.last.values.clip, 5);
  assert.equal(rig.values.clip, 5, "the answer to the drag has not moved the handle back");
  rig.answer();
  assert.equal(rig.values.clip, 5);
  assert.equal(rig.protocol.mine, false);
});

test("a drag that begins while a commit waits does not take its place", () => {
  const rig = new Rig();
  rig.drag("clip", 2);
  rig.commit("clip", 3);
  rig.drag("clip", 4);
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "commit"]);
  assert.equal(rig.last.values.clip, 4);
});

test("a local handle is told when it is let go, and not before", () => {
  const rig = new Rig();
  for (const epsilon of [2, 3, 4]) rig.drag("epsilon", epsilon, false);
  rig.wait(10_000);
  assert.deepEqual(rig.told, []);
  rig.commit();
  assert.deepEqual(rig.told, ["commit"]);
});

test("keys are told once, when they have rested", () => {
  const rig = new Rig();
  for (const epsilon of [2, 3, 4]) {
    rig.key("epsilon", epsilon, false);
    rig.wait(TIMES.rest - 1);
  }
  assert.deepEqual(rig.told, []);
  assert.equal(rig.protocol.hand, "resting");
  rig.wait(1);
  assert.deepEqual(rig.told, ["commit"]);
  assert.equal(rig.last.values.epsilon, 4);
  assert.equal(rig.rests, 1, "the figure hears of it first");
  rig.answer();
  rig.wait(10_000);
  assert.equal(rig.sent.length, 1);
});

test("a pointer takes a handle from the keys: nothing is told until it is let go", () => {
  const rig = new Rig();
  rig.key("epsilon", 2, false);
  rig.drag("epsilon", 3, false);
  rig.wait(1000);
  assert.deepEqual(rig.told, []);
});

test("answer lost: the same event again, under a new number, ever more rarely", () => {
  const rig = new Rig();
  rig.commit("clip", 4);
  const times = [];
  for (let sent = 1; sent < 9; sent++) {
    const from = rig.now;
    while (rig.sent.length === sent) rig.wait(100);
    times.push(rig.now - from);
  }
  assert.deepEqual(times, [1500, 3000, 6000, 12000, 24000, 24000, 24000, 24000]);
  assert.deepEqual(
    rig.sent.map(({ seq }) => seq),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  for (const { seq, ...event } of rig.sent) assert.deepEqual({ seq, ...event }, { ...rig.sent[0], seq });
  rig.answer();
  rig.wait(100_000);
  assert.equal(rig.sent.length, 9);
});

test("a server that answers slowly gets more time, up to a bound; one that is quick again gets less", () => {
  const again = (took) => {
    const rig = new Rig();
    rig.commit("clip", 4);
    const first = rig.hear();
    rig.wait(took);
    rig.answer(first);
    const sent = rig.sent.length;
    rig.commit("clip", 5);
    const from = rig.now;
    while (rig.sent.length === sent + 1) rig.wait(100);
    return rig.now - from;
  };
  assert.deepEqual([0, 400, 1000, 1400, 9000].map(again), [1500, 1500, 3000, 4200, 12000]);
});

test("an action that is sent again gives the same result: its values are those of the press", () => {
  const rig = new Rig();
  rig.press("redraw");
  rig.hear();
  rig.drag("clip", 4, true); // moved meanwhile
  rig.set("seed", 90);
  rig.wait(TIMES.lost);
  assert.deepEqual(rig.sent[1], { ...rig.sent[0], seq: 2 });
  rig.hear();
  assert.equal(rig.python.seed, 4, "heard twice, drawn once");
});

test("answer late: the first one ends the wait though the event was sent again", () => {
  const rig = new Rig();
  rig.press("redraw");
  const first = rig.hear();
  rig.wait(TIMES.lost);
  assert.deepEqual(rig.told, ["action redraw", "action redraw"]);
  rig.answer(first);
  assert.equal(rig.values.seed, 4);
  assert.equal(rig.protocol.mine, false);
  rig.drag("clip", 5);
  rig.answer(rig.hear(rig.sent[1])); // the answer to the second sending
  assert.deepEqual([rig.values.seed, rig.values.clip], [4, 5]);
  assert.equal(rig.protocol.underWay.phase, "drag", "the drag is not answered by it");
});

test("a reader is told that an answer is late, and only then", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  rig.wait(TIMES.late - 1);
  assert.equal(rig.protocol.late, false);
  rig.wait(1);
  assert.equal(rig.protocol.late, true);
  rig.answer();
  assert.equal(rig.protocol.late, false);
  rig.wait(10_000);
  assert.equal(rig.protocol.late, false);
});

test("the hint stays while late answers follow one another, and goes with a quick one", () => {
  const rig = new Rig();
  rig.drag("clip", 2);
  rig.wait(TIMES.late);
  rig.drag("clip", 3);
  rig.answer();
  assert.equal(rig.protocol.late, true);
  rig.drag("clip", 4);
  rig.wait(TIMES.late - 1);
  rig.answer();
  assert.equal(rig.protocol.late, false);
});

test("answers out of order: an older one changes nothing", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  const first = rig.hear();
  const then = { ...rig.python };
  rig.wait(TIMES.lost); // sent again as 2
  rig.answer();
  rig.commit("clip", 3);
  rig.answer();
  const verdict = rig.answer(first, { values: then });
  assert.deepEqual(verdict, { draw: false, why: "older" });
  assert.equal(rig.values.clip, 3);
});

test("an answer to an older event leaves a handle alone that was touched since", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  rig.drag("epsilon", 5, false); // nothing of it was sent
  const verdict = rig.answer();
  assert.equal(rig.values.epsilon, 5);
  assert.equal(verdict.draw && verdict.mine, true);
  rig.commit();
  rig.answer();
  assert.deepEqual([rig.values.clip, rig.values.epsilon], [2, 5]);
});

test("when nothing is the reader's, Python leads", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  rig.python.clip = 3; // a page may answer with another value
  const seq = rig.last.seq;
  rig.answer(seq);
  assert.equal(rig.values.clip, 3);
  rig.python.clip = 4; // the page runs for another reason
  rig.answer(seq);
  assert.equal(rig.values.clip, 4);
});

test("a button changes values, but not those touched since it was pressed", () => {
  const rig = new Rig();
  rig.commit("clip", 4);
  rig.answer();
  rig.press("reset");
  rig.drag("epsilon", 5, false);
  rig.answer();
  assert.deepEqual([rig.values.clip, rig.values.epsilon], [1, 5]);
});

test("what was touched before a press is the button's to change, even while it waits", () => {
  const rig = new Rig();
  rig.drag("clip", 4);
  rig.commit("clip", 5);
  rig.press("reset");
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "action reset"], "the action tells the values of the commit");
  assert.equal(rig.last.values.clip, 5);
  rig.drag("epsilon", 3, false);
  rig.answer();
  assert.deepEqual([rig.values.clip, rig.values.epsilon], [1, 3]);
});

test("what was touched while a press waits stays, and is told after it", () => {
  const rig = new Rig();
  rig.drag("clip", 2);
  rig.press("reset");
  rig.commit("clip", 4);
  rig.answer();
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "action reset", "commit"]);
  assert.equal(rig.values.clip, 4);
  assert.equal(rig.last.values.clip, 4);
});

test("two actions under way: both happen, in their order, the second from the result of the first", () => {
  const rig = new Rig();
  rig.press("redraw");
  rig.press("redraw");
  assert.equal(rig.sent.length, 1);
  rig.answer();
  assert.deepEqual(rig.told, ["action redraw", "action redraw"]);
  assert.equal(rig.last.values.seed, 4);
  rig.answer();
  assert.equal(rig.values.seed, 5);
});

test("a button that is hammered: a few presses wait, and the newest is among them", () => {
  const rig = new Rig();
  for (let press = 0; press < 20; press++) rig.press("redraw");
  rig.press("cancel");
  while (!rig.protocol.quiet) rig.answer();
  assert.equal(rig.told.length, 5);
  assert.equal(rig.told.at(-1), "action cancel");
});

test("while busy: a tick every 400 ms after an answer, none while something is the reader's", () => {
  const rig = new Rig();
  rig.answer(0, { busy: true });
  rig.wait(TIMES.tick - 1);
  assert.deepEqual(rig.told, []);
  rig.wait(1);
  assert.deepEqual(rig.told, ["tick"]);
  rig.wait(1000);
  assert.equal(rig.sent.length, 1, "the next tick waits for the answer");
  rig.drag("epsilon", 3, false);
  rig.answer(rig.last.seq, { busy: true });
  rig.wait(3000);
  assert.equal(rig.sent.length, 1, "no ticks while a handle is held");
  rig.commit();
  rig.answer(rig.last.seq, { busy: true });
  rig.wait(TIMES.tick);
  assert.deepEqual(rig.told, ["tick", "commit", "tick"]);
  rig.answer();
  rig.wait(10_000);
  assert.equal(rig.sent.length, 3, "no ticks when nothing runs");
});

test("ticks become rare, sooner without news, and are as frequent as before once the reader did something", () => {
  const rig = new Rig();
  const pauses = (answers) =>
    answers.map((same) => {
      const { length } = rig.sent;
      let waited = 0;
      for (; rig.sent.length === length; waited += 25) rig.wait(25);
      rig.answer(undefined, { busy: true, same });
      return waited;
    });
  rig.answer(0, { busy: true });
  assert.deepEqual(pauses([true, true, true, true, true, true]), [400, 600, 900, 1350, 2000, 2000]);
  rig.commit("clip", 2);
  rig.answer(undefined, { busy: true });
  assert.deepEqual(pauses([false, false, true, false]), [400, 500, 625, 950]);
});

test("where news can be looked for elsewhere Python is asked only when there is some", () => {
  const rig = new Rig();
  rig.polled = [];
  rig.answer(0, { busy: true });
  const waited = [400, 600, 900, 1350, 2000, 2000].map((pause) => {
    rig.wait(pause - 1);
    const before = rig.polled.length;
    rig.wait(1);
    rig.heard(false);
    return rig.polled.length - before;
  });
  assert.deepEqual(waited, Array(6).fill(1));
  rig.wait(1999);
  assert.deepEqual(rig.told, []);
  rig.wait(1);
  rig.wait(60_000);
  assert.equal(rig.polled.length, 7, "the next request for news waits for the answer to this one");
  rig.heard(true);
  assert.deepEqual(rig.told, ["tick"]);
  rig.answer(undefined, { busy: false });
  rig.wait(60_000);
  assert.deepEqual([rig.told.length, rig.polled.length], [1, 7], "nobody looks when nothing runs");
});

test("a request for news that ends after another answer, or while something is the reader's, changes nothing", () => {
  const rig = new Rig();
  rig.polled = [];
  rig.answer(0, { busy: true });
  rig.wait(TIMES.tick);
  rig.drag("epsilon", 3, false);
  rig.heard(true);
  assert.deepEqual(rig.told, [], "not while a handle is held");
  rig.commit();
  rig.heard(true);
  assert.deepEqual(rig.told, ["commit"]);
  rig.answer(undefined, { busy: false });
  rig.heard(true);
  rig.heard(false);
  rig.wait(60_000);
  assert.deepEqual([rig.told, rig.polled.length], [["commit"], 1], "it was about what there was before");
});

test("a tick without news leaves a value alone that a reader has set", () => {
  const rig = new Rig();
  rig.answer(0, { busy: true });
  rig.wait(TIMES.tick);
  const tick = rig.hear();
  rig.drag("clip", 4);
  rig.answer(tick, { busy: true, same: true });
  assert.equal(rig.values.clip, 4);
  assert.deepEqual(rig.told, ["tick", "drag"]);
});

test("ticks that are not answered become rare", () => {
  const rig = new Rig();
  rig.answer(0, { busy: true });
  rig.wait(TIMES.tick + 1500 + 3000 + 6000 + 12_000 + 24_000);
  assert.deepEqual(rig.told, Array(6).fill("tick"));
});

test("arrays missing: they are asked for, and the answer without them is not drawn", () => {
  const rig = new Rig();
  assert.deepEqual(rig.answer(0, { missing: true }), { draw: false, why: "incomplete" });
  assert.deepEqual(rig.told, ["missing"]);
  const verdict = rig.answer();
  assert.equal(verdict.draw, true);
  rig.wait(100_000);
  assert.equal(rig.sent.length, 1);
});

test("arrays missing again and again: what waits goes first, then ever rarer questions", () => {
  const rig = new Rig();
  rig.answer(0, { missing: true });
  rig.commit("clip", 4);
  rig.answer(undefined, { missing: true });
  assert.deepEqual(rig.told, ["missing", "commit"], "the commit asks as well: it names what is here");
  const times = [];
  for (let again = 0; again < 7; again++) {
    const sent = rig.sent.length;
    rig.answer(undefined, { missing: true });
    const from = rig.now;
    while (rig.sent.length === sent) rig.wait(50);
    times.push(rig.now - from);
  }
  assert.deepEqual(times, [800, 1600, 3200, 6400, 6400, 6400, 6400]);
  assert.equal(rig.values.clip, 4);
  rig.answer();
  assert.equal(rig.protocol.mine, false);
  assert.equal(rig.protocol.incomplete, 0);
});

test("arrays missing while something waits: nothing is asked twice, and no commit is lost", () => {
  const rig = new Rig();
  rig.drag("clip", 2);
  rig.commit("clip", 3);
  rig.answer(0, { missing: true }); // an answer from before the drag
  rig.answer();
  assert.deepEqual(rig.told, ["drag", "commit"]);
  rig.answer();
  rig.wait(100_000);
  assert.equal(rig.sent.length, 2);
});

test("an action that waits is not taken for the question for arrays", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  rig.press("redraw");
  rig.answer(0, { missing: true });
  rig.answer();
  rig.answer(undefined, { missing: true });
  rig.wait(TIMES.ask);
  assert.deepEqual(rig.told, ["commit", "action redraw", "missing"]);
});

test("an action whose answer is incomplete changes values with the next complete one", () => {
  const rig = new Rig();
  rig.press("redraw");
  rig.answer(undefined, { missing: true });
  assert.equal(rig.values.seed, 3);
  rig.drag("epsilon", 4, false);
  rig.answer();
  assert.deepEqual([rig.values.seed, rig.values.epsilon], [4, 4]);
});

test("arrays missing while an event is under way: its answer brings them", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  rig.answer(0, { missing: true });
  rig.wait(TIMES.lost - 1);
  rig.answer();
  rig.wait(100_000);
  assert.deepEqual(rig.told, ["commit"]);
});

test("arrays that come by themselves are not asked for again", () => {
  const rig = new Rig();
  rig.answer(0, { missing: true });
  rig.answer(undefined, { missing: true }); // asks again in a moment
  rig.answer(rig.last.seq); // the page runs for another reason
  rig.wait(100_000);
  assert.deepEqual(rig.told, ["missing"]);
});

test("a button changes values once: later answers leave alone what is the reader's", () => {
  const rig = new Rig();
  rig.press("redraw");
  rig.answer();
  rig.drag("clip", 4, false);
  rig.python.seed = 70; // the page runs for another reason
  rig.answer(rig.last.seq);
  assert.deepEqual([rig.values.seed, rig.values.clip], [4, 4]);
});

test("reconnected in the middle of a drag: the handle stays, the newest value is told again", () => {
  const rig = new Rig(40);
  rig.drag("clip", 2);
  rig.drag("clip", 4);
  rig.python = { ...rig.python, clip: 1 };
  rig.answer(41, { session: "second" }); // the browser named its newest event; nobody heard it
  assert.equal(rig.values.clip, 4);
  assert.deepEqual(rig.told, ["drag", "drag"]);
  assert.deepEqual([rig.last.seq, rig.last.values.clip], [42, 4]);
  rig.session = "second";
  rig.answer();
  rig.commit("clip", 5);
  rig.answer();
  assert.deepEqual([rig.values.clip, rig.python.clip], [5, 5]);
});

test("server restarted: a commit it has not heard is told again, whatever number it knows", () => {
  for (const known of [0, 1, 70]) {
    const rig = new Rig();
    rig.commit("clip", 4);
    rig.session = "second";
    rig.answer(known);
    assert.equal(rig.values.clip, 4, "the reader's value stays");
    assert.deepEqual(rig.told, ["commit", "commit"]);
    assert.equal(rig.last.seq, Math.max(known, 1) + 1);
    rig.answer();
    assert.equal(rig.python.clip, 4);
    assert.equal(rig.protocol.mine, false);
  }
});

test("server restarted: an action under way is told again as it was, before what waits", () => {
  const rig = new Rig();
  rig.press("redraw");
  rig.commit("seed", 9);
  rig.session = "second";
  rig.answer(0);
  assert.deepEqual(rig.told, ["action redraw", "action redraw"]);
  assert.deepEqual(rig.last.values, rig.sent[0].values);
  rig.answer();
  assert.deepEqual(rig.told.slice(2), ["commit"]);
  rig.answer();
  assert.deepEqual([rig.values.seed, rig.python.seed], [9, 9]);
});

test("server restarted while nothing is the reader's: Python leads, and a lower number is no older answer", () => {
  const rig = new Rig(40);
  rig.session = "second";
  rig.python = { ...rig.python, clip: 3 };
  assert.equal(rig.answer(0).draw, true);
  assert.equal(rig.values.clip, 3);
  assert.equal(rig.answer(0).draw, true, "and again");
  rig.wait(100_000);
  assert.deepEqual(rig.told, []);
  rig.commit("clip", 4);
  assert.equal(rig.last.seq, 41, "numbers go on");
});

test("server restarted during a tick or a question: its answer is there already", () => {
  const rig = new Rig();
  rig.answer(0, { busy: true });
  rig.wait(TIMES.tick);
  rig.session = "second";
  rig.answer(0);
  rig.wait(100_000);
  assert.deepEqual(rig.told, ["tick"]);
});

test("a slider that plays keeps its place, whatever Python answers, until Reset", () => {
  const rig = new Rig();
  rig.drag("progress", 50, false);
  rig.answer(0);
  assert.equal(rig.values.progress, 50);
  rig.commit();
  rig.python.progress = 0;
  rig.answer(rig.last.seq, { values: { ...rig.python, progress: 0 } });
  assert.equal(rig.values.progress, 50);
  rig.press("redraw");
  rig.answer();
  assert.equal(rig.values.progress, 50);
  rig.press("reset");
  rig.answer();
  assert.equal(rig.values.progress, 0);
  rig.commit("progress", 100);
  rig.answer();
  assert.equal(rig.values.progress, 100);
});

test("a slider that plays and is moved after Reset was pressed stays where it is", () => {
  const rig = new Rig();
  rig.drag("progress", 50, false);
  rig.press("reset");
  rig.commit("progress", 100);
  rig.answer();
  rig.answer();
  assert.equal(rig.values.progress, 100);
});

test("what was sent does not change when values move on", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  const event = rig.last;
  rig.values.clip = 5;
  assert.equal(event.values.clip, 2);
});

test("a control that is new has Python's value, even while another is held", () => {
  const rig = new Rig();
  delete rig.values.seed;
  rig.drag("clip", 4);
  rig.answer(0);
  assert.deepEqual([rig.values.seed, rig.values.clip], [3, 4]);
});

test("an answer whose arrays are being fetched is not lost; one that follows may be", () => {
  const rig = new Rig();
  rig.commit("clip", 2);
  const seq = rig.hear();
  rig.protocol.arriving = true;
  rig.wait(20_000);
  assert.deepEqual(rig.told, ["commit"]);
  assert.ok(rig.protocol.late, "the reader sees that it takes a while");
  rig.answer(seq);
  rig.commit("clip", 3);
  rig.wait(TIMES.slow);
  assert.deepEqual(rig.told, ["commit", "commit", "commit"]);
});

test("what the reader looks at is told once, and by whatever waits anyway", () => {
  const rig = new Rig();
  rig.protocol.look(rig.now);
  assert.deepEqual(rig.told, ["look"]);
  rig.drag("clip", 2);
  rig.protocol.look(rig.now);
  assert.deepEqual(rig.told, ["look"], "one event under way");
  rig.answer();
  assert.deepEqual(rig.told, ["look", "drag"]);
  rig.answer();
  assert.equal(rig.sent.length, 2, "the move has told it too");
});

test("a move or a letting go takes the place of a look that waits", () => {
  for (const phase of ["drag", "commit"]) {
    const rig = new Rig();
    rig.drag("clip", 2);
    rig.protocol.look(rig.now);
    if (phase === "drag") rig.drag("clip", 3);
    else rig.commit("clip", 3);
    rig.answer();
    assert.deepEqual(rig.told, ["drag", phase]);
    assert.equal(rig.last.values.clip, 3);
  }
});
