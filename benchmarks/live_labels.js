// What the labels of one frame cost: node benchmarks/live_labels.js
// Eight curves of 60 points in a panel of 600 by 400 pixels, all moving; the time of placing them, without drawing.

import { PanelLabels } from "../assets/live/labels/panel_labels.js";

const area = { left: 50, top: 8, width: 600, height: 400 };
const colours = { ground: "#ffffff", text: "#111111", private: "#4f46e5", classes: ["#0072b2"] };
const env = {
  get: (slot) => slot,
  scalar: Number,
  ready: () => true,
  x: (v) => area.left + v,
  y: (v) => area.top + area.height - v,
  area,
  colours,
};
const x = Float32Array.from({ length: 60 }, (_, i) => (600 * i) / 59);
const layersAt = (time) =>
  Array.from({ length: 8 }, (_, k) => ({
    kind: "line",
    x,
    y: x.map((v) => 30 + 45 * k + 40 * Math.sin(v / (40 + 9 * k) + time)),
    label: `curve number ${k}`,
    label_short: `no. ${k}`,
  }));
const slices = { arrays: {}, real: (name) => name };
const measure = (text, { size }) => 0.55 * size * text.length;
const labels = new PanelLabels();
const times = [];
for (let frame = 0; frame < 2200; frame++) {
  const layers = layersAt(frame / 60);
  const start = performance.now();
  labels.arrange(layers, env, { slices, taken: [], measure });
  if (frame >= 200) times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(share * times.length)].toFixed(3);
console.log(`8 labels, ms a frame: median ${at(0.5)}, 95 % ${at(0.95)}, 99 % ${at(0.99)}; ${labels.placed.length} placed`);
