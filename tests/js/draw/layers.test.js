// Which layers are drawn where and when, and what of them is pinned.

import assert from "node:assert/strict";
import test from "node:test";
import { LAYERS } from "../../../assets/live/draw/draw.js";
import { ready, stale, still, surfaceOf } from "../../../assets/live/draw/layers.js";
import { PinnedResult, pinnedLayers, pinnedWords } from "../../../assets/live/frame/pinned_overlay.js";
import { array, axis, sliced } from "../given.js";

const LINE = { kind: "line", x: [0, 1], y: "moving" };
const POINTS = { kind: "points", xy: "fixed", labels: "labels" };
const REGIONS = { kind: "regions", centres: "moving", labels: "labels" };

function slices(at = { e: 1 }) {
  const arrays = {
    fixed: array([1, 2], [1, 2], [null, null]),
    moving: array([1, 2, 3, 4], [2, 2], ["e", null]),
    scalar: array([5, 6], [2], ["e"]),
    labels: array([1], [1], [null], { dtype: "i4" }),
  };
  return sliced(arrays, { at });
}

test("a layer is drawn when all its arrays are here", () => {
  assert.equal(ready(LINE, slices()), true);
  assert.equal(ready({ ...LINE, x: "nowhere" }, slices()), false);
});

test("what never moves is drawn once, under what moves", () => {
  const found = slices();
  assert.equal(still(POINTS, found), true);
  assert.equal(surfaceOf(POINTS, found), "still");
  assert.equal(surfaceOf({ ...POINTS, front: true }, found), "over");
  assert.equal(surfaceOf(LINE, found), "over");
  assert.equal(surfaceOf(REGIONS, found), "under");
  assert.equal(surfaceOf({ ...REGIONS, ghost: true }, found), "still");
  assert.equal(surfaceOf({ kind: "paths", xy: "fixed", labels: "labels", upto: "t" }, found), "over");
});

test("a stand-in that moves makes a still layer move", () => {
  const found = slices();
  found.alias = { fixed: "moving" };
  assert.equal(still(POINTS, found), false);
});

test("only the surfaces with something that moves are drawn again", () => {
  const found = slices();
  assert.deepEqual(stale([POINTS], found, true), ["under", "over", "still"]);
  assert.deepEqual(stale([POINTS], found, false), []);
  assert.deepEqual(stale([POINTS, LINE], found, false), ["over"]);
  assert.deepEqual(stale([REGIONS, POINTS], found, false), ["under"]);
  assert.deepEqual(stale([{ kind: "handle", x: "moving", y: "moving", origin: [0, 0] }], found, false), []);
});

test("pinned layers hold numbers: they stay when a handle moves", () => {
  const at = { e: 0 };
  const found = slices(at);
  const [line] = pinnedLayers({ layers: [LINE] }, found);
  at.e = 1;
  found.moved();
  assert.deepEqual(line, { ...LINE, x: [0, 1], y: [1, 2], dash: true, width: 1.8, role: "pinned", ghost: true });
});

test("only the private result is pinned, unless a layer says otherwise", () => {
  const kinds = (...layers) => pinnedLayers({ layers }, slices()).map((layer) => layer.kind);
  assert.deepEqual(kinds(LINE, { ...LINE, role: "nonprivate" }, { ...LINE, role: "muted", keep: true }), [
    "line",
    "line",
  ]);
  assert.deepEqual(kinds({ ...LINE, keep: false }, { kind: "vline", at: 1 }), []);
  assert.deepEqual(
    kinds(REGIONS, { ...REGIONS, centres: "fixed" }),
    ["boundary"],
    "data that stand still are no result",
  );
  assert.deepEqual(kinds({ ...LINE, x: "nowhere" }), []);
  assert.deepEqual(pinnedLayers({}, slices()), []);
});

test("a pinned dot has numbers, bars are hollow, one of many lines is thin", () => {
  const found = slices();
  const [dot] = pinnedLayers({ layers: [{ kind: "dot", x: 1, y: "scalar" }] }, found);
  assert.deepEqual([dot.x, dot.y, dot.size], [1, 6, 4]);
  const [bars] = pinnedLayers({ layers: [{ kind: "bars", edges: [0, 1], heights: [3] }] }, found);
  assert.equal(bars.hollow, true);
  const [one] = pinnedLayers({ layers: [{ ...LINE, alpha: 0.2 }] }, found);
  assert.equal(one.alpha, 0.3);
});

test("what was pinned holds for the same data and the same axes", () => {
  const panel = { key: "p", kind: "plot", x: axis([0, 1]), y: axis([0, 1]), layers: [LINE] };
  const readouts = [
    { label: "score", value: "scalar", format: ".1f" },
    { label: "lost", value: "nowhere", format: ".1f" },
  ];
  const kept = new PinnedResult([panel], readouts, slices(), { dataset: "blobs" });
  assert.equal(kept.fits({ dataset: "blobs" }), true);
  assert.equal(kept.fits({ dataset: "moons" }), false);
  assert.equal(kept.layers(panel).length, 1);
  assert.deepEqual(kept.layers({ ...panel, y: axis([0, 2]) }), []);
  assert.deepEqual(kept.layers({ ...panel, key: "other" }), []);
  assert.deepEqual([...kept.numbers], [["score", "6.0"]]);
});

test("the pinned line names what a reader chose", () => {
  const specs = [
    { kind: "slider", name: "e", symbol: "ε", label: "loss", grid: [1, 2] },
    { kind: "choice", name: "d", symbol: "", label: "data", options: [["b", "Blobs"]] },
    { kind: "slider", name: "hidden", symbol: "h", label: "", grid: [1], hidden: true },
    { kind: "toggle", name: "t", symbol: "t", label: "" },
  ];
  assert.equal(pinnedWords(specs, { e: 2, d: "b", hidden: 1, t: true }), "B, pinned: ε = 2; data: Blobs. ");
});

test("records beyond the frame stand hollow at its edge, on their way from the middle; one without a place is not drawn", () => {
  const marks = [];
  let at = [];
  const ctx = {
    beginPath() {},
    arc: (x, y) => {
      at = [x, y];
    },
    fill: () => marks.push(["full", ...at]),
    stroke: () => marks.push(["hollow", ...at]),
  };
  const arrays = { xy: [0.5, 0.5, 2.5, 1, 0, -1.5, Number.NaN, Number.NaN], labels: [0, 0, 0, 0] };
  const env = {
    get: (slot) => arrays[slot],
    x: (value) => value,
    y: (value) => value,
    colours: { classes: ["#000"], ground: "#fff" },
  };
  LAYERS.points(ctx, { kind: "points", xy: "xy", labels: "labels", role: 0, within: [0, 1, 0, 1] }, env);
  assert.deepEqual(marks, [
    ["full", 0.5, 0.5],
    ["hollow", 1, 0.625],
    ["hollow", 0.375, 0],
  ]);
});
