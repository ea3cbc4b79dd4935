// Pixels, zoom, keys, names, rasters: what the drawing stands on.

import assert from "node:assert/strict";
import test from "node:test";
import { arrow, turned } from "../../../assets/live/controls/keys.js";
import { between, greys, joined, sampled, shaded } from "../../../assets/live/draw/raster.js";
import { equalArea, scalesOf, wholeView } from "../../../assets/live/draw/scales.js";
import { composed } from "../../../assets/live/draw/svg_surface.js";
import { fileName } from "../../../assets/live/frame/file_names.js";
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

test("arrow keys move a point; two of them turn tabs, around the ends", () => {
  assert.deepEqual([arrow("ArrowLeft"), arrow("ArrowUp"), arrow("a")], [["x", -1], ["y", 1], undefined]);
  assert.deepEqual([turned("ArrowRight", 2, 3), turned("ArrowLeft", 0, 3), turned("ArrowUp", 0, 3)], [0, 2, null]);
  assert.equal(turned("Tab", 0, 3), null);
});

test("a saved picture is called after its figure, its panel and the sliders in view", () => {
  const slider = { kind: "slider", grid: [1] };
  const specs = [
    { ...slider, name: "epsilon" },
    { ...slider, name: "progress", play: true },
    { ...slider, name: "rare", more: true },
    { kind: "choice", name: "dataset", options: [] },
  ];
  assert.equal(fileName("page", "map", specs, { epsilon: 2.5, progress: 1, rare: 1 }), "page_map_epsilon-2.5");
});

test("ink is dark on a light ground and light on a dark one", () => {
  const data = new Uint8ClampedArray(8);
  greys(data, [9, 0, 1], 1, [0, 1], false);
  assert.deepEqual([...data], [255, 255, 255, 255, 0, 0, 0, 255]);
  greys(data, [9, 0, 1], 1, [0, 1], true);
  assert.deepEqual([...data], [0, 0, 0, 255, 255, 255, 255, 255]);
  assert.deepEqual([...joined([1], [2, 3])], [1, 2, 3]);
});

test("a shade is full at its low end and gone from the high one on; rows from the bottom", () => {
  const data = new Uint8ClampedArray(16);
  shaded(data, [0, 5, 10, 20], 2, [0, 10], [1, 2, 3], 1);
  assert.deepEqual(
    [3, 7, 11, 15].map((at) => data[at]),
    [0, 0, 255, 128],
  );
  assert.deepEqual([...data.slice(8, 11)], [1, 2, 3]);
});

test("a lattice is read between its points", () => {
  const scales = { invX: (p) => p, invY: (p) => p };
  const plane = [0, 1, 10, 11]; // x + 10 y on the unit square
  const box = { left: 0, right: 1, top: 0, bottom: 1 };
  const found = sampled(plane, [0, 1, 0, 1], scales, box, 2, 2);
  assert.deepEqual([...found], [2.75, 3.25, 7.75, 8.25]);
  assert.equal(sampled(plane, [0, 1, 0, 1], scales, box, 1, 1).length, 1, "the room of the last is used again");
});

test("a probability: fuller where it is surer, a border where it is one half", () => {
  const data = new Uint8ClampedArray(24);
  between(data, Float32Array.of(0, 0.25, 1, 0, 0.25, 1), 3, ["#010101", "#020202"], "#090909", false);
  const at = (pixel) => [data[4 * pixel], data[4 * pixel + 3]];
  assert.deepEqual(
    [at(0), at(1), at(2)],
    [
      [1, 117],
      [9, 235],
      [2, 117],
    ],
  );
  between(data, Float32Array.of(0, 0.25, 1, 0, 0.25, 1), 3, ["#010101", "#020202"], "#090909", true);
  assert.deepEqual(
    [at(0), at(1)],
    [
      [1, 0],
      [9, 235],
    ],
    "the border alone",
  );
});

test("a saved picture: what lies under the frame, the frame, what lies over it", () => {
  const parts = { under: ["<a/>"], frame: "<f/>", over: ["<b/>", "<c/>"] };
  const svg = composed({ width: 30, height: 20 }, { left: 1, top: 2, width: 3, height: 4 }, "#fff", parts);
  assert.match(svg, /^<svg [^>]*width="30" height="20" viewBox="0 0 30 20">/);
  assert.match(svg, /<rect x="1" y="2" width="3" height="4"\/>/);
  assert.match(svg, /<g [^>]*><a\/><\/g><f\/><g [^>]*><b\/><c\/><\/g><\/svg>$/);
});
