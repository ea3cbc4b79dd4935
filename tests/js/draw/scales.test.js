// Values to pixels and back.

import assert from "node:assert/strict";
import test from "node:test";
import { equalArea, filled, scalesOf, wholeView } from "../../../assets/live/draw/scales.js";
import { axis } from "../given.js";

const AREA = { left: 30, top: 8, width: 200, height: 100 };

test("between values and pixels and back, within the area of the axes", () => {
  const spec = { x: axis([0, 10]), y: axis([0.1, 1000], { log: true }) };
  const view = wholeView(spec);
  assert.deepEqual(view, { x: [0, 10], y: [-1, 3] });
  const scales = scalesOf(spec, view, AREA);
  assert.deepEqual([scales.x(2), scales.y(10), scales.y(0.1)], [70, 58, 108]);
  assert.deepEqual([scales.invX(70), scales.invY(58)], [2, 10]);
  assert.ok(Number.isNaN(scales.y(0)), "no logarithm, no place");
  assert.equal(scales.area, AREA);
});

test("a map has equal scales, in the middle of its room", () => {
  assert.deepEqual(equalArea({ x: [0, 2], y: [0, 4] }, AREA), { left: 105, top: 8, width: 50, height: 100 });
  assert.deepEqual(equalArea({ x: [0, 8], y: [0, 2] }, AREA), { left: 30, top: 33, width: 200, height: 50 });
});

test("a view that fills its box shows all of itself at equal scales, and more where there is room", () => {
  const box = { width: 400, height: 100 };
  assert.deepEqual(filled({ x: [0, 2], y: [0, 4] }, box), { x: [-7, 9], y: [0, 4] });
  assert.deepEqual(filled({ x: [0, 8], y: [0, 1] }, box), { x: [0, 8], y: [-0.5, 1.5] });
});
