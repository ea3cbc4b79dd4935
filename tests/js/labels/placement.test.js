// Labels at the curves: inside the panel, apart, off the handle, steady while a handle moves, the same for the same picture.

import assert from "node:assert/strict";
import test from "node:test";
import { SvgSurface } from "../../../assets/live/draw/svg_surface.js";
import { contrast, legible, shade, theme } from "../../../assets/live/draw/theme.js";
import { along, beside } from "../../../assets/live/labels/anchors.js";
import { border } from "../../../assets/live/labels/borders.js";
import { Ink } from "../../../assets/live/labels/ink.js";
import { PanelLabels } from "../../../assets/live/labels/panel_labels.js";
import { overlap, place } from "../../../assets/live/labels/placement.js";
import { Trace } from "../../../assets/live/labels/trace.js";
import { array, COLOURS, sliced } from "../given.js";

const AREA = { left: 40, top: 10, width: 500, height: 300 };
const measure = (text, { size }) => 0.55 * size * text.length;

/** An environment in which data are pixels from the lower left corner of the area. */
function env(slices = sliced({}), area = AREA) {
  return {
    get: (name) => slices.get(name),
    scalar: (name) => slices.scalar(name),
    place: () => 1,
    shape: (name) => slices.shape(String(name)),
    ready: () => true,
    x: (v) => area.left + v,
    y: (v) => area.top + area.height - v,
    invX: (p) => p - area.left,
    invY: (p) => area.top + area.height - p,
    area,
    colours: COLOURS,
  };
}

/** A curve from left to right through some heights. */
const curve = (heights, more = {}) => ({
  kind: "line",
  x: heights.map((_, i) => (i * AREA.width) / (heights.length - 1)),
  y: heights,
  ...more,
});

function arranged(layers, { labels = new PanelLabels(), taken = [], area = AREA } = {}) {
  labels.arrange(layers, env(sliced({}), area), { slices: sliced({}), taken, measure });
  return labels.placed;
}

/** Numbers without chance: mulberry32. */
function random(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const inside = (box, area = AREA) =>
  box.x >= area.left &&
  box.y >= area.top &&
  box.x + box.width <= area.left + area.width &&
  box.y + box.height <= area.top + area.height;

/** Eight wild curves, and the panel they are in. */
function wild(seed, n = 8) {
  const next = random(seed);
  const waves = Array.from({ length: n }, () => [next(), next(), next()]);
  return (time) =>
    waves.map(([height, speed, wave], k) =>
      curve(
        Array.from({ length: 60 }, (_, i) => 60 + 180 * height + 50 * Math.sin(i * wave * 0.3 + time * (0.5 + speed))),
        { label: `curve number ${k}`, label_short: `no. ${k}` },
      ),
    );
}

test("a label stands at the end of its curve when there is room", () => {
  const [spot] = arranged([curve([20, 100, 160], { label: "without privacy" })]);
  assert.ok(inside(spot));
  assert.ok(spot.x + spot.width > AREA.left + AREA.width - 8, "at the end");
  const end = AREA.top + AREA.height - 160;
  assert.ok(Math.abs(spot.y + spot.height / 2 - end) < 40, "near it");
});

test("labels never leave the panel, never touch, and never cover a handle, whatever the curves do", () => {
  for (let seed = 0; seed < 60; seed++) {
    const at = wild(seed);
    const labels = new PanelLabels();
    const handle = { x: AREA.left + 230, y: AREA.top + 140, width: 30, height: 30 };
    for (let time = 0; time < 4; time++) {
      const dot = { kind: "dot", x: 400 - 40 * time, y: 150 };
      const spots = arranged([...at(time), dot], { labels, taken: [handle] });
      for (const [k, spot] of spots.entries()) {
        assert.ok(inside(spot), `seed ${seed}: ${JSON.stringify(spot)}`);
        assert.ok(!overlap(spot, handle), "over the handle");
        const place = { x: AREA.left + dot.x - 7, y: AREA.top + AREA.height - dot.y - 7, width: 14, height: 14 };
        assert.ok(!overlap(spot, place), "over the dot");
        for (const other of spots.slice(k + 1)) assert.ok(!overlap(spot, other), "over each other");
      }
      assert.equal(spots.length, 8, "there is room for all");
    }
  }
});

test("the same picture has the same labels, and they stay when nothing moves", () => {
  const layers = wild(7)(0);
  const [first, again] = [new PanelLabels(), new PanelLabels()];
  const spots = arranged(layers, { labels: first });
  assert.deepEqual(arranged(layers, { labels: again }), spots);
  assert.deepEqual(arranged(layers, { labels: first }), spots);
});

test("while a handle moves labels go along with their curves and jump seldom", () => {
  for (let seed = 0; seed < 12; seed++) {
    const at = wild(seed, 5);
    const labels = new PanelLabels();
    let jumps = 0;
    let before = new Map();
    for (let time = 0; time < 100; time++) {
      const spots = new Map(arranged(at(time / 100), { labels }).map((spot) => [spot.key, spot]));
      for (const [key, spot] of spots) {
        const old = before.get(key);
        if (old && Math.hypot(old.x - spot.x, old.y - spot.y) > 30) jumps += 1;
      }
      before = spots;
    }
    assert.ok(jumps <= 10, `seed ${seed}: ${jumps} jumps of 5 labels in 100 frames`);
  }
});

test("a better place has to be much better before a label moves there", () => {
  const ink = new Ink(AREA);
  const anchors = [
    { x: 200, y: 100, reach: 4, cost: 0, id: "a" },
    { x: 400, y: 100, reach: 4, cost: 1, id: "b" },
  ];
  const wanted = [{ key: "one", words: [{ text: "one", width: 30 }], height: 15, anchors }];
  const [fresh] = place(wanted, { area: AREA, ink, taken: [] });
  assert.equal(fresh.id, "a above");
  const [kept] = place(wanted, { area: AREA, ink, taken: [] }, new Map([["one", { ...fresh, id: "b above" }]]));
  assert.equal(kept.id, "b above");
  anchors[1].cost = 3;
  const [moved] = place(wanted, { area: AREA, ink, taken: [] }, new Map([["one", { ...fresh, id: "b above" }]]));
  assert.equal(moved.id, "a above");
});

test("while a figure moves by itself a label stays where its curve stands still, whatever passes under it", () => {
  const ink = new Ink(AREA);
  const anchors = [
    { x: 200, y: 100, reach: 4, cost: 0, id: "a" },
    { x: 400, y: 100, reach: 4, cost: 0.2, id: "b" },
  ];
  const wanted = [{ key: "one", words: [{ text: "one", width: 30 }], height: 15, anchors }];
  const room = { area: AREA, ink, taken: [] };
  const [fresh] = place(wanted, room);
  const before = new Map([["one", fresh]]);
  const passing = { ...room, taken: [{ x: 190, y: 70, width: 30, height: 30 }] };
  assert.notEqual(place(wanted, passing, before)[0].x, fresh.x, "it hops");
  assert.deepEqual(place(wanted, { ...passing, holds: true }, before), [fresh]);
  anchors[0].y = 140;
  const [moved] = place(wanted, { ...room, holds: true }, before);
  assert.notEqual(moved.y, fresh.y, "it goes with its curve");
});

test("in a narrow panel the short words stand; where there is no room the first layer goes without", () => {
  const phone = { left: 0, top: 0, width: 200, height: 40 };
  const layers = [5, 10, 15].map((h, k) => ({
    ...curve([h, h], { label: `a very long name ${k}`, label_short: `short ${k}` }),
    x: [0, 200],
  }));
  const spots = arranged(layers, { area: phone });
  assert.ok(spots.length >= 1 && spots.every((spot) => spot.text.startsWith("short") && inside(spot, phone)));
  const tiny = { left: 0, top: 0, width: 60, height: 22 };
  assert.deepEqual(
    arranged(layers, { area: tiny }).map((spot) => spot.text),
    ["short 2"],
  );
  assert.deepEqual(arranged(layers, { area: { ...tiny, width: 20 } }), []);
});

test("a panel of a few lines' height has no names: they would stand at each other's curves", () => {
  const labels = new PanelLabels();
  const panel = {
    figure: { slices: sliced({}), layout: { type: labels.type } },
    points: { boxes: () => [] },
    shown: () => [curve([10, 20], { label: "with Ada" })],
  };
  labels.placed = [{ text: "from before" }];
  labels.over(null, panel, env(sliced({}), { ...AREA, height: 40 }), true);
  assert.deepEqual(labels.placed, []);
});

test("a curve that is not known or out of sight has no label", () => {
  assert.deepEqual(arranged([curve([NaN, NaN, NaN], { label: "unknown" })]), []);
  assert.deepEqual(arranged([curve([900, 900, 900], { label: "far above" })]), []);
  assert.equal(arranged([curve([900, 100, 900], { label: "partly seen" })]).length, 1);
});

test("a label goes where there is no ink", () => {
  const block = Array.from({ length: 40 }, (_, k) => curve(Array(30).fill(4 * k)));
  const [spot] = arranged([...block, curve([80, 80, 80, 260], { label: "out of the heap" })]);
  assert.ok(spot.y + spot.height < AREA.top + AREA.height - 156, "above the heap");
});

test("no line runs through the words where there is room beside it", () => {
  const step = curve(
    Array.from({ length: 101 }, (_, i) => 280 / (1 + Math.exp((50 - i) / 3))),
    { label: "no attacker can do better than this" },
  );
  const [spot] = arranged([step]);
  const inner = { x: spot.x + 3, y: spot.y + 3, width: spot.width - 6, height: spot.height - 6 };
  for (const [i, x] of step.x.entries()) {
    const point = { x: AREA.left + x, y: AREA.top + AREA.height - step.y[i], width: 0, height: 0 };
    assert.ok(!overlap(inner, point), JSON.stringify(spot));
  }
});

test("where words beside a curve would lie on lines they stand apart from it, joined by a line of their own", () => {
  const bundle = Array.from({ length: 11 }, (_, k) =>
    curve(
      Array.from({ length: 101 }, (_, i) => 40 + 9 * k + 12 * Math.sin(i / 9)),
      k % 5 ? {} : { label: `method ${k}` },
    ),
  );
  const spots = arranged(bundle);
  assert.equal(spots.length, 3);
  const inner = spots.find(({ text }) => text === "method 5");
  assert.ok(inner.lead, "the middle one has no room beside it");
  const heart = { x: inner.x + 3, y: inner.y + 3, width: inner.width - 6, height: inner.height - 6 };
  for (const { x, y } of bundle) {
    for (const [i, across] of x.entries()) {
      const point = { x: AREA.left + across, y: AREA.top + AREA.height - y[i], width: 0, height: 0 };
      assert.ok(!overlap(heart, point), JSON.stringify(inner));
    }
  }
  const at = (inner.lead.x1 - AREA.left) / (AREA.width / 100);
  const own = AREA.top + AREA.height - (40 + 45 + 12 * Math.sin(at / 9));
  assert.ok(Math.abs(inner.lead.y1 - own) < 2, "the line ends at its own curve");
  const surface = new SvgSurface();
  const labels = new PanelLabels();
  arranged(bundle, { labels });
  labels.write(surface, COLOURS);
  const drawn = surface.parts.filter((part) => part.startsWith("<path"));
  assert.equal(drawn.length, spots.filter(({ lead }) => lead).length, "the line is in SVG as well");
});

test("the line to a curve runs under no other label and not over the handle", () => {
  let led = 0;
  for (let seed = 0; seed < 90; seed++) {
    const dot = { kind: "dot", x: 250, y: 150 };
    const spots = arranged([...wild(seed, 9)(0), dot]);
    for (const spot of spots.filter(({ lead }) => lead)) {
      led++;
      const { x0, y0, x1, y1 } = spot.lead;
      assert.ok(x1 >= AREA.left + 10 && x1 <= AREA.left + AREA.width - 10, "not at the side, as if it were the curve");
      for (let part = 0; part <= 1; part += 0.02) {
        const point = { x: x0 + part * (x1 - x0), y: y0 + part * (y1 - y0), width: 0, height: 0 };
        const handle = { x: AREA.left + 243, y: AREA.top + 143, width: 14, height: 14 };
        for (const other of [handle, ...spots]) assert.ok(other === spot || !overlap(point, other), `seed ${seed}`);
      }
    }
  }
  assert.ok(led > 10, `${led} labels stand apart`);
});

test("a curve amid a heap of named strokes is named apart from it", () => {
  const heap = { kind: "line", x: [], y: [], label: "other possible lines" };
  for (let k = 0; k < 30; k++) {
    heap.x.push(0, AREA.width, Number.NaN);
    heap.y.push(90 + 4 * (k % 15), 150 + 4 * ((7 * k) % 15), Number.NaN);
  }
  const spots = arranged([heap, curve([118, 178], { label: "without privacy" })]);
  const spot = spots.find(({ text }) => text === "without privacy");
  const [low, high] = [spot.x, spot.x + spot.width].map((x) => (60 * (x - AREA.left)) / AREA.width);
  const [over, under] = [spot.y, spot.y + spot.height].map((y) => AREA.top + AREA.height - y);
  assert.ok(under > 146 + high || over < 90 + low, `on the heap: ${JSON.stringify(spot)}`);
});

test("many strokes are named above the highest", () => {
  const bars = { kind: "bars", edges: Array.from({ length: 31 }, (_, k) => 16 * k), heights: Array(30).fill(60) };
  const strokes = { kind: "line", x: [], y: [], label: "other possible outcomes" };
  for (let k = 0; k < 30; k++) {
    strokes.x.push(16 * k + 8, 16 * k + 8, Number.NaN);
    strokes.y.push(40, 70 + (k % 5), Number.NaN);
  }
  const [spot] = arranged([bars, strokes]);
  assert.ok(spot.y + spot.height <= AREA.top + AREA.height - 74, JSON.stringify(spot));
  assert.match(spot.id, /^c/);
});

test("curves that run into one are named where they are apart", () => {
  const hill = (middle, label) =>
    curve(
      Array.from({ length: 101 }, (_, i) => 20 + 220 * Math.exp(-Math.abs(i - middle) / 8)),
      { label },
    );
  for (const spot of arranged([hill(30, "without Ada"), hill(55, "with Ada")])) {
    const across = (spot.x + spot.width / 2 - AREA.left) / 5;
    const own = spot.text === "with Ada" ? 55 : 30;
    assert.ok(Math.abs(across - own) < 22, `${spot.text} at ${across}: at its own hill`);
  }
  const line = (at, label) => ({ kind: "hline", at, label });
  const spots = arranged([
    line(150, "truth with Ada"),
    line(127, "truth without Ada"),
    curve([127, 150], { label: "so far" }),
  ]);
  for (const [at, label] of [
    [150, "truth with Ada"],
    [127, "truth without Ada"],
  ]) {
    const spot = spots.find(({ text }) => text === label);
    const away = Math.abs(spot.y + spot.height / 2 - (AREA.top + AREA.height - at));
    assert.ok(away < 14, `${label} at its own line`);
  }
});

test("two worlds are named at their own slopes, above their feet, with the strip of what ε allows", () => {
  for (let width = 500; width <= 900; width += 40) {
    for (const epsilon of [0.5, 1, 2]) {
      const area = { ...AREA, width };
      const unit = width / 22; // that one person changes
      const there = Array.from({ length: 881 }, (_, i) => (i * unit) / 40);
      const high = there.map((place) => 60 + 200 * Math.exp(-epsilon * Math.abs(place / unit - 14)));
      const scaled = (by) => high.map((y) => 60 + (y - 60) * by);
      const factor = Math.exp(epsilon);
      const spots = arranged(
        [
          { kind: "band", x: there, low: scaled(1 / factor), high: scaled(factor), label: "what ε allows without Ada" },
          { kind: "line", x: there.map((place) => place - unit), y: high, label: "without Ada" },
          { kind: "line", x: there, y: high, label: "with Ada" },
        ],
        { area },
      );
      const told = `width ${width}, ε = ${epsilon}`;
      for (const [text, side] of [
        ["with Ada", 1],
        ["without Ada", -1],
      ]) {
        const spot = spots.find((found) => found.text === text);
        const middle = ((spot.lead?.x1 ?? spot.x + spot.width / 2) - area.left) / unit;
        assert.ok(side * (middle - 13.5) > 0, `${text} at ${middle}: ${told}`);
        assert.ok(
          area.top + area.height - (spot.lead?.y1 ?? spot.y + spot.height / 2) > 76,
          `${text} at its foot: ${told}`,
        );
      }
    }
  }
});

test("labels keep off the head of an arrow that is alone, and none is lost by it", () => {
  const slices = sliced({});
  const area = { left: 0, top: 0, width: 224, height: 224 };
  const given = { ...env(slices, area), x: (v) => 112 + v, y: (v) => 112 - v, scalar: (v) => Number(v) };
  const turns = Array.from({ length: 61 }, (_, k) => (k * Math.PI) / 30);
  const others = [
    { kind: "line", x: turns.map((t) => 43 * Math.cos(t)), y: turns.map((t) => 43 * Math.sin(t)), label: "C" },
    { kind: "arrows", xy: [-300, 2, 41, 48, 103, -60, 48, -12, -40, 12, -14, 4], width: 1, label: "gradient" },
    { kind: "arrows", xy: [-24, 0, 13, 15, 25, -15, 26, -7, -22, 7, -14, 4], width: 1.4, label: "clipped" },
  ];
  const covered = [];
  for (const far of [29, 45, 70]) {
    for (const [k, turn] of turns.entries()) {
      const tip = [far * Math.cos(turn), far * Math.sin(turn)];
      const arrow = { kind: "arrows", xy: tip, width: 3.5, label: "the step" };
      const mean = { kind: "arrows", xy: [7, 4], width: 3, label: "mean" };
      const labels = new PanelLabels();
      labels.forget({ size: 14, family: "sans-serif" });
      labels.arrange([...others, arrow, mean], given, { slices, taken: [], measure });
      assert.equal(labels.placed.length, 5, `${far} pixels in turn ${k}`);
      const head = { x: 111 + 0.85 * tip[0], y: 111 - 0.85 * tip[1], width: 2, height: 2 };
      if (labels.placed.some((spot) => overlap(spot, head))) covered.push([far, k]);
    }
  }
  assert.ok(covered.length <= 10, `${covered.length} of ${3 * turns.length} heads: ${covered.join("; ")}`);
});

test("every kind of layer can have a label", () => {
  const arrays = { cloud: array([100, 100, 200, 120, 150, 90, 120, 160], [2, 2, 2], [null, null, null]) };
  const slices = sliced(arrays);
  const given = { ...env(slices), scalar: (v) => Number(v) };
  const kinds = [
    { kind: "points", xy: [100, 100, 200, 150], labels: [0, 1] },
    { kind: "markers", xy: [100, 100, 200, 150], labels: [0, 1] },
    { kind: "cloud", xy: "cloud", labels: [0, 1] },
    { kind: "arrows", xy: [100, 100, 50, 20] },
    { kind: "band", x: [0, 500], low: [10, 10], high: [90, 90] },
    { kind: "vline", at: 250 },
    { kind: "hline", at: 150 },
    { kind: "dot", x: 250, y: 150 },
    { kind: "bars", edges: [0, 100, 200], heights: [40, 90] },
    { kind: "bars", edges: [0, 100, 200], heights: [40, 90], hollow: true },
    { kind: "regions", centres: [100, 100, 400, 100], labels: [0, 1] },
    { kind: "boundary", centres: [100, 100, 400, 100], labels: [0, 1] },
    { kind: "field", values: [0, 1, 0, 1], extent: [0, 500, 0, 300] },
    { kind: "parabolas", xy: [0.004, 1, 0] },
  ];
  for (const layer of kinds) {
    const labels = new PanelLabels();
    labels.arrange([{ ...layer, label: "words" }], given, { slices, taken: [], measure });
    assert.equal(labels.placed.length, 1, layer.kind);
    assert.ok(inside(labels.placed[0]), layer.kind);
  }
});

test("a band is named inside where it is high enough, and not at all where it is empty", () => {
  const band = { kind: "band", x: [0, 500], low: [10, 10], high: [10, 200], label: "the middle 80 %" };
  const [spot] = arranged([band]);
  assert.match(spot.id, /inside$/);
  assert.deepEqual(arranged([{ ...band, high: [10, 10] }]), []);
});

test("the border of regions is found where their labels change", () => {
  const marks = border({ kind: "boundary", centres: [100, 100, 400, 100], labels: [0, 1] }, env());
  assert.ok(marks.length > 0);
  for (let i = 0; i < marks.length; i += 3) assert.ok(Math.abs(marks[i] - (AREA.left + 250)) < 20);
  assert.deepEqual(border({ kind: "shade", values: [0] }, env()), []);
});

test("the border of a field is where it crosses one half, and where it ends", () => {
  const { left, width, height } = AREA;
  const across = (end) => {
    const marks = border({ kind: "field", values: [0, 1, 0, 1], extent: [0, end, 0, height] }, env());
    return marks.filter((_, i) => i % 3 === 0).map((x) => (x - left) / width);
  };
  const whole = across(width);
  assert.ok(whole.length > 0);
  for (const x of whole) assert.ok(Math.abs(x - 0.5) < 1 / 28);
  const half = [...new Set(across(width / 2).map((x) => Math.round(4 * x)))];
  assert.deepEqual(half.sort(), [1, 3], "half as wide: in the middle of it, and past its last point");
});

test("what was drawn is ink; a small filled figure is a mark", () => {
  const trace = new Trace(AREA);
  trace.beginPath();
  trace.moveTo(100, 100);
  trace.lineTo(108, 100);
  trace.lineTo(104, 108);
  trace.fill();
  trace.stroke();
  assert.deepEqual(trace.marks.slice(0, 2), [104, 104]);
  assert.deepEqual(trace.trail, []);
  const ink = new Ink(AREA);
  trace.markCells(ink);
  assert.ok(ink.under({ x: 100, y: 100, width: 10, height: 10 }) > 0);
  assert.equal(ink.under({ x: 300, y: 200, width: 10, height: 10 }), 0);
  assert.equal(ink.under({ x: -900, y: 0, width: 10, height: 10 }), 0);
});

test("places of a curve stay where they are across the panel while it moves up and down", () => {
  const trail = (shift) => Array.from({ length: 50 }, (_, i) => [40 + 10 * i, 100 + shift * i]).flat();
  assert.deepEqual(
    along(trail(0)).map((a) => a.x),
    along(trail(2)).map((a) => a.x),
  );
  assert.deepEqual(along([]), []);
  assert.equal(beside([0, 0, 2, 9, 9, 2, 5, 5, 2], 2).length, 2);
});

test("a curve with a peak may be named at its slopes, a flat one along it alone", () => {
  const peak = Array.from({ length: 201 }, (_, i) => [2 * i, 300 - 280 * Math.exp(-(((i - 100) / 5) ** 2))]).flat();
  const slopes = along(peak).filter(({ y }) => y > 60 && y < 260);
  assert.ok(slopes.length >= 4);
  assert.ok(slopes.some(({ x }) => x < 200) && slopes.some(({ x }) => x > 200));
  assert.equal(along(Array.from({ length: 201 }, (_, i) => [2 * i, 300 - i / 2]).flat()).length, 11);
});

test("what is written has a halo, and is text in SVG", () => {
  const labels = new PanelLabels();
  arranged([curve([20, 100], { label: "a < b" })], { labels });
  const surface = new SvgSurface();
  labels.write(surface, COLOURS);
  assert.match(surface.parts[0], /stroke="#ffffff" stroke-width="3.6" stroke-linejoin="round"/);
  assert.match(
    surface.parts[1],
    /fill="#4f46e5".*font-size="12" font-weight="600" textLength="33" lengthAdjust="spacingAndGlyphs">a &lt; b</,
  );
});

test("every colour of a label can be read on both grounds", () => {
  for (const ground of ["rgb(255, 255, 255)", "#0e1117", "rgb(14, 17, 23)", "#f0f2f6", "#262730"]) {
    globalThis.getComputedStyle = () => ({ backgroundColor: ground, getPropertyValue: () => "" });
    const colours = theme({ parentElement: null });
    const roles = ["private", "nonprivate", "other", "danger", "good", "muted", "text", "pinned", "faint"];
    for (const role of [...roles, ...colours.classes.keys()]) {
      const read = legible(shade(colours, role), ground);
      assert.ok(contrast(read, ground) >= 4.5, `${role} on ${ground}: ${read}`);
    }
  }
  delete globalThis.getComputedStyle;
  assert.equal(legible("currentColor", "#ffffff"), "currentColor");
  assert.equal(contrast("what", "#ffffff"), 1);
  assert.equal(Math.round(contrast("#000000", "#ffffff")), 21);
});

test("a label that waits for a pointer is there on hover and in an export, and not before", () => {
  const layers = [curve([50, 60], { label: "always" }), curve([120, 130], { label: "asked", label_on_hover: true })];
  const told = (given) => {
    const labels = new PanelLabels();
    labels.arrange(layers, env(sliced({}), AREA), { slices: sliced({}), taken: [], measure, ...given });
    return labels.placed.map(({ text }) => text).sort();
  };
  assert.deepEqual(told({ hovered: false }), ["always"]);
  assert.deepEqual(told({ hovered: true }), ["always", "asked"]);
  assert.deepEqual(told({}), ["always", "asked"], "an export has all of them");
});
