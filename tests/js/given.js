// What tests are given: arrays as Python sends them, and slices of them.

import assert from "node:assert/strict";
import { receive, Slices } from "../../assets/live/data/slices.js";

const KINDS = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };
let serial = 0;

/** An array as Python sends it. */
export function array(values, shape, dims, { dtype = "f4", scale = null } = {}) {
  const bytes = Buffer.from(KINDS[dtype].from(values).buffer);
  return { id: `array-${++serial}`, dtype, shape, dims, scale, data: bytes.toString("base64") };
}

/** Slices of arrays; `at`: the place of each control. */
export function sliced(arrays, { coords = {}, at = {} } = {}) {
  assert.deepEqual(receive(arrays), []);
  const slices = new Slices();
  slices.set(arrays, coords, (name) => at[name]);
  return slices;
}

export const axis = (range, more = {}) => ({
  range,
  title: "",
  log: false,
  ticks: null,
  words: null,
  format: "",
  ...more,
});

export const COLOURS = {
  dark: false,
  ground: "#ffffff",
  text: "#111111",
  faint: "#777777",
  grid: "#eeeeee",
  private: "#4f46e5",
  nonprivate: "#6b7280",
  danger: "#c2321f",
  muted: "#9aa3b5",
  other: "#b45309",
  pinned: "#0f766e",
  classes: ["#0072b2", "#e69f00", "#009e73"],
  key: "test",
};
