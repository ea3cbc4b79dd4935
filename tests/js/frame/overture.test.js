// What a figure shows by itself as it comes into sight: its handle goes to an end and back, once.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { array, axis } from "../given.js";
import { page } from "../page.js";

let html = page();
const { render } = await import("../../../assets/live/main.js");
const { placeAt } = await import("../../../assets/live/frame/overture.js");

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
};
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
let serial = 0;

async function opened({ calm = false } = {}) {
  const before = globalThis.matchMedia;
  if (calm) globalThis.matchMedia = (query) => Object.assign(before(query), { matches: true });
  const parent = document.createElement("main");
  html.body.append(parent);
  const told = [];
  const data = {
    name: `overture${++serial}`,
    seq: 0,
    session: "one",
    controls: [EPSILON],
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
  };
  render({ data, parentElement: parent, setStateValue: (_, event) => told.push(event) });
  for (let turn = 0; turn < 30; turn++) await null;
  html.frame();
  globalThis.matchMedia = before;
  return { told, root: parent.children[0], seen: window.__dpLive[data.name] };
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

test("the way goes to the farther end and back, and begins and ends at its place", () => {
  const way = (from) => [0, 0.5, 1].map((part) => placeAt(from, 4, part));
  assert.deepEqual(way(3), [3, 0, 3]);
  assert.deepEqual(way(1), [1, 4, 1]);
});

test("the handle moves once by itself, and Python hears nothing of it", async () => {
  const { seen, told } = await opened();
  const values = pass(seen, 4);
  assert.equal(Math.min(...values), 1);
  assert.equal(values.at(-1), 4);
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]), "not again");
  assert.deepEqual(told, []);
});

test("a touch ends it, and the handle is where it was", async () => {
  const { seen, root } = await opened();
  assert.ok(Math.min(...pass(seen, 1)) < 4);
  root.fire("pointerdown");
  assert.equal(seen.values.epsilon, 4);
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]));
});

test("nothing moves where little motion is asked for", async () => {
  const { seen } = await opened({ calm: true });
  assert.deepEqual(new Set(pass(seen, 4)), new Set([4]));
});
