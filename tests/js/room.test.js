// The phone's page in a room: coins, what is remembered, what goes over the wire, a curve under a finger.

import assert from "node:assert/strict";
import test from "node:test";
import { answer, tossed } from "../../assets/room/coin.js";
import { Curve, path } from "../../assets/room/curve.js";
import { Remembered } from "../../assets/room/memory.js";
import { listen, passes, Refusal, send } from "../../assets/room/wire.js";

const HALF = 2 ** 31;

test("the person answers as often as it was said, else a fair coin does", () => {
  assert.deepEqual(answer(true, HALF, [HALF - 1, 0]), { device: false, bit: 1 });
  assert.deepEqual(answer(false, HALF, [HALF - 1, 2 ** 32 - 1]), { device: false, bit: 0 });
  for (const truth of [true, false]) {
    assert.deepEqual(answer(truth, HALF, [HALF, HALF - 1]), { device: true, bit: 0 });
    assert.deepEqual(answer(truth, HALF, [HALF, HALF]), { device: true, bit: 1 });
  }
  assert.equal(answer(true, 0, [0, 0]).device, true, "with ε = 0 the coin alone answers");
});

test("over all pairs of coins the odds of the bit move by e^ε exactly as far as was said", () => {
  const steps = 64;
  const own = (2 ** 32 * 3) / 4; // tanh(ε/2) = 3/4: e^ε = 7
  const share = (truth) => {
    let yes = 0;
    for (let a = 0; a < steps; a++)
      for (let b = 0; b < steps; b++) yes += answer(truth, own, [(a * 2 ** 32) / steps, (b * 2 ** 32) / steps]).bit;
    return yes / steps ** 2;
  };
  assert.equal(share(true) / share(false), 7);
});

test("coins come from the source of secrets", () => {
  const source = { getRandomValues: (into) => into.set([5, 7]) };
  assert.deepEqual(tossed(source), [5, 7]);
  assert.equal(tossed(crypto).length, 2);
});

/** A storage of a browser's tab. */
function storage(begin = {}) {
  const kept = new Map(Object.entries(begin));
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
}

test("a reload keeps the room, the token and the bit that was drawn, and not the coins", () => {
  const tab = storage();
  const before = new Remembered(tab);
  before.enter("AB2CD", "secret", "seat");
  before.set({ turn: 3, answer: 0, arrived: false });
  const after = new Remembered(tab);
  assert.deepEqual(after.now, {
    code: "AB2CD",
    token: "secret",
    asked: null,
    seat: "seat",
    turn: 3,
    answer: 0,
    arrived: false,
    box: "",
  });
  assert.equal(after.drawn(3), 0);
  assert.equal(after.drawn(4), null);
  after.leave();
  assert.equal(new Remembered(tab).now.token, "");
});

test("a phone asks with one token until a room has answered, also after a reload", () => {
  const tab = storage();
  const token = new Remembered(tab).joining("ab2 cd", crypto);
  assert.match(token, /^[A-Za-z0-9_-]{32}$/);
  const after = new Remembered(tab);
  assert.equal(after.now.token, "", "it is in no room so far");
  assert.equal(after.joining("AB2CD", crypto), token);
  const other = after.joining("22222", crypto);
  assert.notEqual(other, token, "another room gets another token");
  after.enter("22222", other, "seat");
  assert.equal(after.now.asked, null);
  assert.notEqual(after.joining("22222", crypto), other, "who leaves and comes back is a new phone");
  assert.equal(after.now.token, other, "the phone is in its room until another one has answered");
});

test("an answer is lost when the box that held it is gone, and only then", () => {
  const phone = new Remembered(null);
  phone.set({ turn: 3, answer: 0, arrived: true, box: "b" });
  assert.equal(phone.lost(3, ["a", "b"]), false);
  assert.equal(phone.lost(3, ["a"]), true);
  assert.equal(phone.lost(4, ["a"]), false, "another question");
  phone.set({ arrived: false });
  assert.equal(phone.lost(3, []), false, "it was never there: the reader sends it again");
  phone.set({ arrived: true, box: "" });
  assert.equal(phone.lost(3, []), false, "the server has it, wherever");
});

test("without a storage, or with nonsense in it, the page works", () => {
  for (const tab of [null, storage({ "dp.room": "{" }), storage({ "dp.room": '{"code":1}' })]) {
    const found = new Remembered(tab);
    assert.equal(found.now.token, "");
    found.enter("AB2CD", "t");
    assert.equal(found.now.code, "AB2CD");
  }
  const full = { ...storage(), setItem: () => assert.fail("full"), removeItem: () => assert.fail("full") };
  const found = new Remembered(full);
  found.enter("AB2CD", "t");
  found.leave();
  assert.equal(found.now.code, "");
});

test("a request holds what it is given and nothing of the browser's", async () => {
  const asked = [];
  const ask = async (...given) => {
    asked.push(given);
    return { ok: true, json: async () => ({ hits: 3 }) };
  };
  assert.deepEqual(await send("join/answer", { token: "t", turn: 1, answer: 0 }, ask), { hits: 3 });
  const [[path, options]] = asked;
  assert.equal(path, "join/answer");
  assert.equal(options.body, '{"token":"t","turn":1,"answer":0}');
  assert.equal(options.credentials, "omit");
});

test("refusals and a lost network are sentences", async () => {
  const refusing = async () => ({ ok: false, status: 409, json: async () => ({ refused: "Over." }) });
  await assert.rejects(send("x", {}, refusing), new Refusal("Over.", 409));
  const twice = async () => ({ ok: false, status: 409, json: async () => ({ refused: "Twice.", box: "b" }) });
  await assert.rejects(send("x", {}, twice), { status: 409, box: "b" });
  const broken = async () => ({ ok: false, status: 502, json: async () => assert.fail("no JSON") });
  await assert.rejects(send("x", {}, broken), /cannot answer now/);
  const away = async () => assert.fail("offline");
  await assert.rejects(send("x", {}, away), { status: 0, message: /did not carry/ });
});

test("what the network, an absent store or a full room refuses is sent again, and no other refusal", () => {
  const again = [0, 500, 502, 503].map((status) => passes(new Refusal("", status)));
  assert.deepEqual(again, [true, true, true, true]);
  const never = [401, 404, 409, 413, 422, 429].map((status) => passes(new Refusal("", status)));
  assert.equal(never.some(Boolean), false);
  assert.equal(passes(new TypeError("a bug")), false);
});

test("the stream is left when the room is closed, and a broken one is asked for again", () => {
  const heard = [];
  const made = [];
  class Source {
    readyState = 1;
    constructor(path) {
      made.push([path, this]);
    }
    close() {
      this.readyState = 2;
    }
  }
  let lost = 0;
  listen(
    "join/events/AB2CD",
    (news) => heard.push(news),
    () => lost++,
    { Source, later: (again) => again() },
  );
  made[0][1].onerror();
  assert.deepEqual([made.length, lost], [1, 0], "the browser asks again by itself");
  made[0][1].readyState = 2;
  made[0][1].onerror();
  assert.deepEqual([made.length, lost], [2, 1]);
  made[1][1].onmessage({ data: '{"phase":"open"}' });
  made[1][1].onmessage({ data: '{"phase":"closed"}' });
  assert.deepEqual(heard, [{ phase: "open" }, { phase: "closed" }]);
  assert.equal(made[1][1].readyState, 2);
  assert.equal(made[1][0], "join/events/AB2CD");
});

test("a finger that jumps over places leaves no hole", () => {
  const curve = new Curve(5, 11);
  curve.touch(0.05, 0);
  assert.equal(curve.whole, false);
  curve.touch(0.95, 1);
  assert.deepEqual(curve.at, [0, 3, 5, 8, 10]);
  assert.equal(curve.whole, true);
  curve.touch(0.5, 0);
  assert.deepEqual(curve.at, [0, 3, 0, 5, 10]);
  curve.lift();
  curve.touch(-1, 7);
  assert.deepEqual(curve.at, [10, 3, 0, 5, 10]);
  curve.set(1, 99);
  assert.equal(curve.at[1], 10);
  assert.equal(curve.points, "10.00,0.00 30.00,0.00 50.00,100.00 70.00,50.00 90.00,0.00");
  assert.equal(path([null, 5], 11), "75.00,50.00");
});
