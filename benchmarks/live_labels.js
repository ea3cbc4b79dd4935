// What the labels of one frame cost: node benchmarks/live_labels.js
// Eight curves of 60 points in a panel of 600 by 400 pixels, all moving; the time of placing them, without drawing.
// Then 500 pictures of three to eight random curves: how many words a line runs through, and how many curves have no
// name, beside the usual remedy, labels at the ends of the curves that are moved apart (docs/decisions/007).

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
console.log(
  `8 labels, ms a frame: median ${at(0.5)}, 95 % ${at(0.95)}, 99 % ${at(0.99)}; ${labels.placed.length} placed`,
);

/** A linear congruential generator: the same curves in every run. */
let state = 1;
function uniform() {
  state = (1664525 * state + 1013904223) % 2 ** 32;
  return state / 2 ** 32;
}

const HEIGHT = 15; // of a label of 12 pixels
const inside = ({ x: left, y: top, width, height }, px, py) =>
  px > left + 3 && px < left + width - 3 && py > top + 3 && py < top + height - 3;

/** Whether a curve runs through the middle of some words. */
function crossed(box, layer) {
  for (let i = 1; i < x.length; i++) {
    for (let part = 0; part < 1; part += 0.1) {
      const px = env.x(x[i - 1] + part * (x[i] - x[i - 1]));
      const py = env.y(layer.y[i - 1] + part * (layer.y[i] - layer.y[i - 1]));
      if (inside(box, px, py)) return true;
    }
  }
  return false;
}

/** Labels that end where their curves end, moved down, then up, until none overlaps. */
function atEnds(layers) {
  const right = area.left + area.width - 3;
  const boxes = layers.map((layer) => {
    const width = measure(layer.label, { size: 12 });
    return { x: right - width, y: env.y(layer.y[x.length - 1]) - HEIGHT - 4, width, height: HEIGHT };
  });
  boxes.sort((a, b) => a.y - b.y);
  let floor = area.top + 3;
  for (const box of boxes) floor = (box.y = Math.max(box.y, floor)) + HEIGHT + 3;
  let ceiling = area.top + area.height - 3;
  for (const box of boxes.reverse()) ceiling = (box.y = Math.min(box.y, ceiling - HEIGHT)) - 3;
  return boxes;
}

const found = { words: 0, ours: 0, ends: 0, nameless: 0 };
for (let picture = 0; picture < 500; picture++) {
  const layers = Array.from({ length: 3 + Math.floor(6 * uniform()) }, (_, k) => {
    const [low, wave, turns, phase] = [60 + 280 * uniform(), 60 * uniform(), 1 + 3 * uniform(), 6 * uniform()];
    const tilt = (uniform() - 0.5) * 0.3;
    return {
      kind: "line",
      x,
      y: x.map((v) => low + tilt * (v - 300) + wave * Math.sin((turns * v) / 200 + phase)),
      label: `curve number ${k}`,
    };
  });
  const own = new PanelLabels();
  own.arrange(layers, env, { slices, taken: [], measure });
  const runs = (boxes) => boxes.filter((box) => layers.some((layer) => crossed(box, layer))).length;
  found.words += layers.length;
  found.nameless += layers.length - own.placed.length;
  found.ours += runs(own.placed);
  found.ends += runs(atEnds(layers));
}
const share = (n) => `${((100 * n) / found.words).toFixed(1)} %`;
console.log(
  `a line runs through the words of ${share(found.ours)} of the labels (at the ends of curves: ${share(found.ends)}); ` +
    `${share(found.nameless)} of the curves have none`,
);
