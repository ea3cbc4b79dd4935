// What a figure shows by itself as it comes into sight: its handle goes to an end and back, once.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { array, axis } from "../given.js";
import { page } from "../page.js";

let html = page();
const { render } = await import("../../../assets/live/main.js");
const { placeAt, risenTo, storyAt } = await import("../../../assets/live/frame/overture.js");

let now = 0;
performance.now = () => now;
const GRID = [1, 2, 3, 4, 5];
const EPSILON = {
  kind: "slider",
  name: "epsilon",
  label: "privacy parameter",
  symbol: "",
  help: "",
  mode: "local",
  more: false,
  disabled: false,
  hidden: false,
  grid: GRID,
  ends: ["", ""],
  unit: "",
  sways: true,
  rises: false,
  seconds: 6,
};
const RISES = { sways: false, rises: true };
const PANEL = {
  key: "fit",
  title: "Fit",
  kind: "plot",
  caption: "",
  alt: "",
  link: "",
  tab: "",
  height: 100,
  fixed: false,
  layers: [{ kind: "hline", at: "height" }],
  still: "",
  tiles: "",
  x: axis([0, 1]),
  y: axis([0, 9]),
};
const TEXT = { brief: [], role: "meaning", bounds: [], reached: [], along: {} };
const ALONG = { ...TEXT, strings: GRID.map((k) => `so far ${k}`), dims: ["epsilon"], sizes: [5] };
const SAID = {
  previews: { epsilon: {} },
  texts: [{ ...TEXT, strings: ["all of it"], dims: [], sizes: [], along: { epsilon: ALONG } }],
};
let serial = 0;

async function opened({ calm = false, locked = false, spec = {}, more = {} } = {}) {
  const before = globalThis.matchMedia;
  if (calm) globalThis.matchMedia = (query) => Object.assign(before(query), { matches: true });
  const parent = document.createElement("main");
  html.body.append(parent);
  const told = [];
  const data = {
    name: `overture${++serial}`,
    seq: 0,
    session: "one",
    controls: [{ ...EPSILON, disabled: locked, ...spec }],
    values: { epsilon: 4 },
    arrays: { height: array(GRID, [5], ["epsilon"]) },
    files: [],
    coords: {},
    panels: [PANEL],
    readouts: [],
    texts: [],
    compact: true,
    previews: {},
    busy: null,
    breathing: null,
    ...more,
  };
  const send = async (change = {}) => {
    render({ data: { ...data, ...change }, parentElement: parent, setStateValue: (_, event) => told.push(event) });
    for (let turn = 0; turn < 30; turn++) await null;
    html.frame();
  };
  await send();
  globalThis.matchMedia = before;
  return { told, send, root: parent.children[0], seen: window.__dpLive[data.name] };
}

/** Let time pass in frames of a tenth of a second; return the values on the way. */
function pass(seen, seconds) {
  const values = [];
  for (let k = 0; k < 10 * seconds; k++) {
    now += 100;
    html.frame();
    values.push(seen.values.epsilon);
  }
  return values;
}

beforeEach(() => {
  html = page();
  document.visibilityState = "visible";
});

test("the way goes to both ends and back, the nearer one first, and begins and ends at its place", () => {
  const way = (from) => [0, 0.25, 0.5, 0.75, 1].map((part) => placeAt(from, 4, part));
  assert.deepEqual(way(3), [3, 4, 3, 0, 3]);
  assert.deepEqual(way(1), [1, 0, 1, 4, 1]);
  assert.deepEqual(way(0), [0, 2, 4, 2, 0], "from an end to the other one");
});

test("the handle moves once by itself, and Python hears nothing of it", async () => {
  const { seen, told } = await opened();
  const values = pass(seen, 7);
  assert.equal(Math.min(...values), 1);
  assert.equal(values.at(-1), 4);
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]), "not again");
  assert.deepEqual(told, []);
});

test("the guarantee card is marked while the handle is ahead of it", async () => {
  const { seen } = await opened();
  const [card, made] = [document.createElement("div"), document.createElement("span")];
  made.setAttribute("data-values", JSON.stringify({ epsilon: 4 }));
  document.querySelector = (selector) => (selector === ".st-key-guarantee" ? card : made);
  const marked = () => card.getAttribute("aria-busy") === "true";
  for (let k = 0; k < 70; k++) {
    const { epsilon } = seen.values;
    pass(seen, 0.1);
    if (seen.values.epsilon !== epsilon) assert.equal(marked(), seen.values.epsilon !== 4, seen.values.epsilon);
  }
  assert.equal(seen.values.epsilon, 4);
  assert.equal(marked(), false);
});

test("a touch ends it, and the handle is where it was", async () => {
  const { seen, root } = await opened();
  assert.ok(Math.min(...pass(seen, 4.5)) < 4);
  root.fire("pointerdown");
  assert.equal(seen.values.epsilon, 4);
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]));
});

test("nothing moves where little motion is asked for", async () => {
  const { seen } = await opened({ calm: true });
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]));
});

test("a locked handle stays where it is", async () => {
  const { seen } = await opened({ locked: true });
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]));
});

test("a way up begins at the first place and ends where the handle is", () => {
  assert.deepEqual(
    [0, 0.3, 0.67, 0.99, 1].map((part) => risenTo(3, part)),
    [0, 0, 2, 2, 3],
  );
});

test("a story begins with the figure as it opens, goes back, and comes from the first place", () => {
  assert.deepEqual(
    [0, 0.8, 1.15, 1.5, 4.6, 7.5].map((seconds) => storyAt(4, seconds, 6)),
    [4, 4, 2, 0, 2, 4],
  );
});

test("a handle that rises stands, goes back, and passes every place once, in its seconds", async () => {
  const { seen, told } = await opened({ spec: RISES });
  assert.deepEqual(new Set(pass(seen, 0.7)), new Set([4]), "the figure as it opens is seen first");
  const values = pass(seen, 8);
  assert.deepEqual([...new Set(values.slice(8))], [1, 2, 3, 4]);
  assert.ok(values.lastIndexOf(3) >= 60, "not before its seconds are over");
  assert.deepEqual(new Set(pass(seen, 7)), new Set([4]), "not again");
  assert.deepEqual(told, []);
});

const BUSY = { busy: { progress: 0.5, text: "training" } };

test("a handle whose values Python computes does not rise while it does", async () => {
  const { seen, send } = await opened({ spec: { ...RISES, mode: "server" }, more: BUSY });
  assert.deepEqual(new Set(pass(seen, 2)), new Set([4]));
  await send({ seq: 1, busy: null });
  assert.deepEqual([...new Set(pass(seen, 8).slice(15))].slice(-4), [1, 2, 3, 4]);
});

test("while it moves, the sentence for a moving handle stands there, and afterwards that of the answer", async () => {
  const { seen, root } = await opened({ spec: { ...RISES, mode: "server" }, more: SAID });
  const said = () => root.all("dp-meaning")[0].textContent;
  assert.equal(said(), "all of it");
  pass(seen, 4.5);
  assert.equal(said(), "so far 2");
  pass(seen, 6);
  assert.equal(said(), "all of it");
});

test("a handle waits for pictures that follow it", async () => {
  const one = { arrays: { height: array([4], [], []) } };
  const { seen, send } = await opened({ spec: RISES, more: one });
  assert.deepEqual(new Set(pass(seen, 3)), new Set([4]), "nothing would move but the handle");
  await send({ seq: 1, arrays: { height: array(GRID, [5], ["epsilon"]) } });
  assert.ok(pass(seen, 3).includes(1));
});

test("the handle and the picture are of one place in every frame", async () => {
  const shown = { readouts: [{ label: "", value: "height", format: "d", note: "", help: "", role: "", about: "" }] };
  const { seen, root } = await opened({ spec: RISES, more: shown });
  for (let k = 0; k < 70; k++) {
    now += 100;
    html.frame();
    assert.equal(root.all("dp-tile")[0].children[1].textContent, String(seen.values.epsilon));
  }
});

test("a handle that needs no server waits for nothing", async () => {
  const { seen, send } = await opened({ spec: RISES, more: BUSY });
  assert.ok(pass(seen, 8).includes(1));
  await send({ seq: 1, busy: null }); // or it would ask for news for good
});
