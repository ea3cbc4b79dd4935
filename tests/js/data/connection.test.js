// Where a connection looks for news, and what it does when nobody answers there.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const NEWS = "/news/token";
let now = 1000;
let serial = 0;

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  globalThis.document = { baseURI: "http://a.example/" };
  mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
});

const json = (found) => ({
  ok: true,
  status: 200,
  headers: new Map([["content-type", "application/json"]]),
  json: async () => found,
});

/** A connection of a module of its own; `answers` are those of the server to requests for news, in order. */
async function talking(answers) {
  const { Connection } = await import(`../../../assets/live/data/connection.js?${++serial}`);
  const [asked, told, shown] = [[], [], []];
  globalThis.fetch = async (url) => {
    asked.push(String(url));
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const partner = {
    values: () => ({}),
    committing: () => {},
    looking: () => ({}),
    connected: () => true,
    late: () => {},
    progress: (busy) => shown.push(busy),
  };
  const connection = new Connection(partner, { seq: 0, session: "one" });
  const answer = (data) => {
    const setStateValue = (_, event) => told.push(event.phase);
    connection.answer({ data: { seq: 0, session: "one", busy: {}, news: NEWS, ...data }, setStateValue }, false);
    connection.proceed();
  };
  const passed = async (ms) => {
    now += ms;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 30; turn++) await null;
  };
  return { asked, told, shown, answer, passed, connection };
}

test("no news: progress is shown and Python hears nothing; news: Python is asked", async () => {
  const busy = { progress: 0.5, text: "half" };
  const { asked, told, shown, answer, passed } = await talking([json({ news: false, busy }), json({ news: true })]);
  answer({});
  await passed(400);
  assert.deepEqual([asked, told, shown], [["http://a.example/news/token"], [], [busy]]);
  await passed(600);
  assert.deepEqual([asked.length, told, shown.length], [2, ["tick"], 1]);
});

test("without a place to look Python is asked", async () => {
  const { asked, told, answer, passed } = await talking([]);
  answer({ news: "" });
  await passed(400);
  assert.deepEqual([asked, told], [[], ["tick"]]);
});

const page = { ok: true, status: 200, headers: new Map([["content-type", "text/html"]]) };
const none = { ok: false, status: 404, headers: new Map() };
for (const [what, found] of Object.entries({ "a page": page, nothing: none }))
  test(`an app that answers with ${what} is asked for news once and no more`, async () => {
    const { asked, told, answer, passed } = await talking([found]);
    answer({});
    await passed(400);
    assert.deepEqual([asked.length, told], [1, ["tick"]]);
    answer({ seq: 1 });
    await passed(2000);
    assert.deepEqual([asked.length, told], [1, ["tick", "tick"]]);
  });

const away = { ok: false, status: 502, headers: new Map() };
for (const [what, found] of Object.entries({ "is away": new TypeError("Failed to fetch"), "is being replaced": away }))
  test(`a server that ${what}: Python is asked, and later looks go where they went`, async () => {
    const { asked, told, answer, passed } = await talking([found, json({ news: true })]);
    answer({});
    await passed(400);
    assert.deepEqual(told, ["tick"]);
    answer({ seq: 1 });
    await passed(2000);
    assert.deepEqual([asked.length, told], [2, ["tick", "tick"]]);
  });

test("a figure that is gone tells nothing when its request for news ends", async () => {
  const { told, answer, passed, connection } = await talking([json({ news: true })]);
  answer({});
  now += 400;
  mock.timers.tick(400);
  connection.stop();
  await passed(0);
  assert.deepEqual(told, []);
});
