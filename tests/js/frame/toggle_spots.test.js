// Buttons over people that turn a switch.

import assert from "node:assert/strict";
import test from "node:test";
import { page } from "../page.js";

page();
const { ToggleSpots } = await import("../../../assets/live/frame/toggle_spots.js");

const ADA = { kind: "toggle", name: "ada", panel: "seats", place: "seat", label: "Ada answers" };

function rig(...specs) {
  const moved = [];
  const values = { ada: true };
  const moves = {
    value: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
    },
    moved: (name, how) => moved.push([name, how]),
  };
  const wrap = document.createElement("div");
  const figure = { specs: new Map(specs.map((spec) => [spec.name, spec])), values, moves };
  const panel = { figure, wrap, spec: { key: "seats" } };
  return { spots: new ToggleSpots(panel), figure, wrap, values, moved };
}
const ENV = { get: () => [2, 3], x: (x) => 10 * x, y: (y) => 100 - 10 * y };

test("a click on the person turns the switch, and a second one turns it back", () => {
  const { spots, values, moved, wrap } = rig(ADA);
  spots.place(ENV);
  const spot = wrap.children[0];
  assert.deepEqual([spot.style.left, spot.style.top], ["20px", "70px"]);
  assert.equal(spot.getAttribute("aria-pressed"), "false");
  assert.equal(spot.getAttribute("aria-label"), "Ada answers");
  spots.turn("ada");
  assert.equal(values.ada, false);
  spots.place(ENV);
  assert.equal(spot.getAttribute("aria-pressed"), "true");
  spots.turn("ada");
  assert.equal(values.ada, true);
  assert.deepEqual(moved, [
    ["ada", "commit"],
    ["ada", "commit"],
  ]);
});

test("a switch of another panel, a hidden one and a locked one have no button here", () => {
  const others = [{ panel: "" }, { panel: "other" }, { hidden: true }, { disabled: true }];
  for (const other of others) {
    const { spots, wrap } = rig({ ...ADA, ...other });
    spots.place(ENV);
    assert.equal(wrap.children.length, 0);
  }
  const { spots, wrap, figure } = rig(ADA);
  spots.place(ENV);
  figure.specs.clear();
  spots.place(ENV);
  assert.equal(wrap.children.length, 0);
});
