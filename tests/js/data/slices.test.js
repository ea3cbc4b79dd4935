// What the browser draws of an array: the twin of Figure.evaluate in Python.

import assert from "node:assert/strict";
import test from "node:test";
import { held, receive, trend } from "../../../assets/live/data/slices.js";
import { array, sliced } from "../given.js";

const list = (values) => Array.from(values);

test("a control picks its row", () => {
  const at = { epsilon: 1 };
  const slices = sliced({ a: array([1, 2, 3, 4, 5, 6], [3, 2], ["epsilon", null]) }, { at });
  assert.deepEqual(list(slices.get("a")), [3, 4]);
  assert.deepEqual(slices.shape("a"), [2]);
  at.epsilon = 2;
  assert.deepEqual(list(slices.get("a")), [3, 4], "kept until something moves");
  slices.moved();
  assert.deepEqual(list(slices.get("a")), [5, 6]);
});

test("places beyond the ends are the ends", () => {
  for (const [index, expected] of [
    [-3, 1],
    [9, 3],
  ]) {
    const slices = sliced({ a: array([1, 2, 3], [3], ["e"]) }, { at: { e: index } });
    assert.equal(slices.scalar("a"), expected);
  }
});

test("a coordinate is a fractional place, blended linearly", () => {
  const arrays = { u_of: array([0.25, 1.5], [2], ["e"]), a: array([0, 10, 20, 40], [4], ["u"]) };
  const coords = { u: "u_of" };
  assert.equal(sliced(arrays, { coords, at: { e: 0 } }).scalar("a"), 2.5);
  assert.equal(sliced(arrays, { coords, at: { e: 1 } }).scalar("a"), 15);
  assert.equal(sliced(arrays, { coords, at: { e: 1 } }).place("u"), 1.5);
});

test("several dimensions are blended over all their corners", () => {
  const f = (u, t, k) => 100 * u + 10 * t + k + u * t; // bilinear, so that blending is exact
  const values = [];
  for (let u = 0; u < 3; u++) for (let t = 0; t < 4; t++) for (let k = 0; k < 2; k++) values.push(f(u, t, k));
  const arrays = {
    u_of: array([1.25], [1], [null]),
    t_of: array([2.5], [1], [null]),
    a: array(values, [3, 4, 2], ["u", "t", null]),
  };
  const found = sliced(arrays, { coords: { u: "u_of", t: "t_of" } }).get("a");
  assert.deepEqual(list(found), [f(1.25, 2.5, 0), f(1.25, 2.5, 1)]);
});

test("a control and a coordinate together", () => {
  const arrays = { u_of: array([0.5], [1], [null]), a: array([0, 1, 2, 10, 11, 12], [2, 3], ["u", "e"]) };
  assert.equal(sliced(arrays, { coords: { u: "u_of" }, at: { e: 2 } }).scalar("a"), 7);
});

test("a whole place touches one node only: a missing neighbour does not spoil it", () => {
  const arrays = { u_of: array([1, 1.5], [2], ["e"]), a: array([NaN, 5, NaN], [3], ["u"]) };
  const coords = { u: "u_of" };
  assert.equal(sliced(arrays, { coords, at: { e: 0 } }).scalar("a"), 5);
  assert.ok(Number.isNaN(sliced(arrays, { coords, at: { e: 1 } }).scalar("a")));
});

test("no place, no numbers", () => {
  const arrays = { u_of: array([NaN], [1], [null]), a: array([1, 2, 3, 4], [2, 2], ["u", null]) };
  assert.deepEqual(list(sliced(arrays, { coords: { u: "u_of" } }).get("a")), [NaN, NaN]);
});

test("bytes stand between the two ends of their scale", () => {
  const payload = array([0, 255, 51], [3], [null], { dtype: "u1", scale: [-1, 1] });
  const found = list(sliced({ a: payload }).get("a"));
  for (const [i, expected] of [-1, 1, -0.6].entries()) assert.ok(Math.abs(found[i] - expected) < 1e-6, `${found}`);
  const moving = array([0, 255], [2], ["u"], { dtype: "u1", scale: [0, 10] });
  const arrays = { u_of: array([0.5], [1], [null]), a: moving };
  assert.ok(Math.abs(sliced(arrays, { coords: { u: "u_of" } }).scalar("a") - 5) < 1e-6);
});

test("whole numbers without dimensions arrive as they are", () => {
  const slices = sliced({ labels: array([0, 2, 1], [3], [null], { dtype: "i4" }) });
  assert.ok(slices.get("labels") instanceof Int32Array);
  assert.equal(slices.get("labels"), slices.get("labels"));
});

test("literal numbers and lists are their own content", () => {
  const slices = sliced({});
  const line = [0, 1];
  assert.equal(slices.get(line), line);
  assert.equal(slices.scalar(3), 3);
  assert.ok(slices.has(line) && slices.has(2) && !slices.has("nowhere"));
});

test("a stand-in takes the place of an array, or leaves it out", () => {
  const arrays = { a: array([1], [1], [null]), b: array([10, 20, 30, 40], [2, 2], ["c", null]) };
  const slices = sliced(arrays, { at: { c: 1 } });
  assert.equal(slices.scalar("a"), 1);
  slices.alias = { a: "b" };
  slices.moved();
  assert.deepEqual(list(slices.get("a")), [30, 40]);
  assert.deepEqual(slices.shape("a"), [2]);
  slices.alias = { a: "" };
  assert.equal(slices.has("a"), false);
});

test("arrays are kept by content; what is named and not here is told", () => {
  const sent = array([7], [1], [null]);
  receive({ a: sent });
  const { data, ...named } = sent;
  assert.deepEqual(receive({ again: named, lost: { ...named, id: "gone" } }), ["gone"]);
  assert.equal(held().at(-1), sent.id, "the newest use is the last");
  assert.equal(data.length > 0, true);
});

test("above the limit the arrays longest unused go, never those of the figure", () => {
  const large = (id) => ({ ...array([1, 2, 3, 4], [4], [null]), id });
  const limit = 24; // one of them, not two
  receive({ a: large("first") }, [], limit);
  receive({ a: large("second") }, [], limit);
  assert.ok(!held().includes("first") && held().includes("second"));
  receive({ a: large("third"), b: large("fourth") }, [], limit);
  assert.deepEqual(held(), ["third", "fourth"]);
});

test("where a curve goes, in words", () => {
  assert.equal(trend([0.72, 0.8, 0.96]), "rises from 72 % to 96 %");
  assert.equal(trend([NaN, 0.96, NaN, 0.72, NaN]), "falls from 96 % to 72 %");
  assert.equal(trend([0.5, 0.9, 0.5004]), "stays at 50 %");
  assert.equal(trend([100, 100.5], ".1f"), "stays at 100.5");
  assert.equal(trend([100, 102], ".0f"), "rises from 100 to 102");
  assert.equal(trend([0.5, NaN]), "is not known yet");
});
