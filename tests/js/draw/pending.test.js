// Nothing provisional looks like a result.

import assert from "node:assert/strict";
import test from "node:test";
import { isPending } from "../../../assets/live/draw/pending.js";
import { array, sliced } from "../given.js";

const slices = sliced({
  known: array([NaN, 2], [2], [null]),
  unknown: array([NaN, NaN], [2], [null]),
  none: array([0, 0], [2], [null]),
  records: array([1, 1], [1, 2], [null, null]),
  empty: array([], [0, 4], [null, null]),
});
const line = (y, role) => ({ kind: "line", x: [0, 1], y, role });
const panel = (layers) => ({ kind: "plot", tiles: "", layers });

test("a panel waits while nothing of its answer is known", () => {
  assert.equal(isPending(panel([line("unknown")]), slices), true);
  assert.equal(isPending(panel([line("nowhere")]), slices), true);
  assert.equal(isPending(panel([line("unknown"), line("known")]), slices), false);
  assert.equal(isPending(panel([]), slices), true);
});

test("references and records are no answer: a panel of records alone waits for them", () => {
  assert.equal(isPending(panel([line("known", "nonprivate"), line("unknown")]), slices), true);
  assert.equal(isPending(panel([{ kind: "points", xy: "records", labels: [0] }]), slices), false);
  assert.equal(isPending(panel([{ kind: "vline", at: 1 }, line([0, 1])]), slices), false);
  assert.equal(isPending(panel([{ kind: "points", xy: "unknown", labels: [0] }]), slices), true);
  assert.equal(isPending(panel([{ kind: "points", xy: [[0, 1]], labels: [0] }]), slices), false);
});

test("what Pin keeps is an answer in any colour", () => {
  const shown = (keep) => panel([line("known", "muted"), { ...line("unknown", "text"), keep }]);
  assert.equal(isPending(shown(true), slices), true);
  assert.equal(isPending(shown(false), slices), false);
});

test("a record that leaves the data is no unknown answer", () => {
  const her = { kind: "points", xy: "unknown", labels: [0], role: "private" };
  const others = { kind: "points", xy: "records", labels: [0], role: "muted" };
  assert.equal(isPending(panel([others, her]), slices), true);
  assert.equal(isPending(panel([others, { ...her, leaves: true }]), slices), false);
});

test("bars without any height and pictures that are not there are not known", () => {
  const bars = (heights) => ({ kind: "bars", edges: [0, 1, 2], heights });
  assert.equal(isPending(panel([bars("none")]), slices), true);
  assert.equal(isPending(panel([bars("known")]), slices), false);
  assert.equal(isPending({ kind: "mosaic", tiles: "empty", layers: [] }, slices), true);
  assert.equal(isPending({ kind: "mosaic", tiles: "records", layers: [] }, slices), false);
});

test("pictures wait for the readings of the private network, not for those beside them", () => {
  const readings = (votes, role) => ({ kind: "readings", votes, truth: [0], ...(role && { role }) });
  const waits = (layers) => isPending({ kind: "mosaic", tiles: "records", layers }, slices);
  assert.equal(waits([readings("unknown")]), true);
  assert.equal(waits([readings("records"), readings("unknown", "nonprivate")]), false);
});
