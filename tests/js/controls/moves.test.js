// What follows where a control moves: which of it is drawn at once, and which only Python can draw.

import assert from "node:assert/strict";
import test from "node:test";
import { Moves } from "../../../assets/live/controls/moves.js";

const GRID = [0, 1, 2];

/** A figure that notes what is asked of it. */
function given({ previews = {} } = {}) {
  const noted = [];
  const note = (what) => noted.push(what);
  const slider = (name, mode, more = {}) => [name, { kind: "slider", name, grid: GRID, mode, ...more }];
  const specs = new Map([
    slider("epsilon", "local"),
    slider("clip", "server"),
    slider("dx", "server", { hidden: true }),
    ["model", { kind: "choice", name: "model", options: [["a"], ["b"]], mode: "server" }],
  ]);
  const figure = {
    values: { epsilon: 1, clip: 1, dx: 0, model: "a" },
    specs,
    spec: (name) => specs.get(name),
    data: { previews },
    loader: { has: (purpose) => purpose.slice("preview ".length) in previews },
    slices: { alias: null, moved: () => {} },
    controls: { show: (name, value) => note(`${name} ${value}`) },
    card: { look: () => {} },
    panels: { invalidate: () => note("invalidated") },
    ahead: null,
    schedule: () => note("drawn"),
    say: () => note("said"),
    act: (name) => note(`act ${name}`),
    prefetch: { control: (name, server) => note(`near ${name} ${server}`) },
    connection: {
      protocol: { touched: () => {} },
      moved: (how, needsPython) => note(`${how} ${needsPython ? "tells" : "tells not"}`),
    },
  };
  return { figure, moves: new Moves(figure), noted };
}

test("a value is snapped and shown; it is drawn at once unless only Python can draw it", () => {
  const { figure, moves, noted } = given();
  moves.set("epsilon", 1.8);
  moves.set("clip", 2);
  moves.set("dx", 2);
  assert.deepEqual(noted, ["epsilon 2", "drawn", "clip 2", "dx 2", "drawn"]);
  assert.deepEqual([moves.value("epsilon"), figure.values.clip], [2, 2]);
});

test("stand-ins are drawn while their handle moves, and Python is told when it is let go", () => {
  const ahead = { curve: "curve_by_clip" };
  const { figure, moves, noted } = given({ previews: { clip: ahead } });
  moves.set("clip", 2);
  moves.moved("clip", "drag");
  moves.moved("clip", "drag");
  assert.deepEqual(noted, ["clip 2", "drawn", "invalidated", "drawn", "drag tells not", "drag tells not"]);
  assert.deepEqual([figure.slices.alias, figure.ahead], [ahead, "clip"]);
  moves.moved("clip", "commit");
  assert.deepEqual(noted.slice(-2), ["said", "commit tells not"]);
});

test("a server handle without stand-ins tells each move; a local one none", () => {
  const { moves, noted } = given();
  moves.moved("clip", "drag");
  moves.moved("epsilon", "key");
  assert.deepEqual(noted, ["drag tells", "key tells not"]);
});

test("steps are for sliders; of a control that went away only the end counts", () => {
  const { moves, noted } = given();
  moves.step("epsilon", 1);
  moves.step("model", 1);
  moves.moved("gone", "drag");
  moves.moved("gone", "commit");
  assert.deepEqual(noted, ["epsilon 2", "drawn", "said", "commit tells not"]);
});

test("a button, and who comes near what", () => {
  const { moves, noted } = given();
  moves.act("redraw");
  for (const name of ["clip", "epsilon"]) moves.near(name);
  assert.deepEqual(noted, ["act redraw", "near clip true", "near epsilon false"]);
});
