// Written by `python -m ui.live.describe` from the classes of ui/live: do not edit.

/** @typedef {{ slots: string[], moves: boolean, under: boolean, pinned: "" | "private" | "moving" }} Known */

/**
 * Properties of each kind of layer: its arguments that may name arrays, whether it always moves,
 * whether it lies under the frame, and when *Pin* keeps it.
 * @type {Record<import("../message.d.ts").Layer["kind"], Known>}
 */
export const KINDS = {
  regions: { slots: ["centres", "labels"], moves: false, under: true, pinned: "moving" },
  boundary: { slots: ["centres", "labels"], moves: false, under: false, pinned: "" },
  shade: { slots: ["values"], moves: false, under: true, pinned: "" },
  field: { slots: ["values"], moves: false, under: true, pinned: "moving" },
  points: { slots: ["xy", "labels"], moves: false, under: false, pinned: "" },
  markers: { slots: ["xy", "labels"], moves: false, under: false, pinned: "moving" },
  cloud: { slots: ["xy", "labels"], moves: false, under: false, pinned: "" },
  paths: { slots: ["xy", "labels"], moves: true, under: false, pinned: "" },
  arrows: { slots: ["xy"], moves: false, under: false, pinned: "" },
  line: { slots: ["x", "y"], moves: false, under: false, pinned: "private" },
  band: { slots: ["x", "low", "high"], moves: false, under: false, pinned: "" },
  parabolas: { slots: ["xy"], moves: false, under: false, pinned: "private" },
  vline: { slots: ["at"], moves: false, under: false, pinned: "" },
  hline: { slots: ["at"], moves: false, under: false, pinned: "" },
  dot: { slots: ["x", "y"], moves: false, under: false, pinned: "private" },
  bars: { slots: ["edges", "heights"], moves: false, under: false, pinned: "private" },
  coins: { slots: ["spent", "budget"], moves: false, under: false, pinned: "" },
  rain: { slots: ["xy", "upto", "like"], moves: false, under: false, pinned: "" },
  cards: { slots: ["xy", "answers", "wheel"], moves: false, under: false, pinned: "" },
  counted: { slots: ["xy", "upto"], moves: false, under: false, pinned: "" },
  phones: { slots: ["xy", "answers", "device", "truth", "upto"], moves: false, under: false, pinned: "" },
  readings: { slots: ["votes", "truth"], moves: false, under: false, pinned: "" },
  annotation: { slots: ["x", "y"], moves: false, under: false, pinned: "" },
  handle: { slots: ["origin"], moves: false, under: false, pinned: "" },
};
