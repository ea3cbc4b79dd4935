// The drawing code on the SVG surface: what is saved is what is drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { draw } from "../../../assets/live/draw/draw.js";
import { captioned, composed, lines, SvgSurface } from "../../../assets/live/draw/svg_surface.js";
import { COLOURS, sliced } from "../given.js";

function drawn(layer) {
  const slices = sliced({});
  const env = {
    get: (name) => slices.get(name),
    scalar: (name) => slices.scalar(name),
    place: () => 1.5,
    shape: () => [3, 1, 2],
    x: (v) => 10 * v,
    y: (v) => 100 - 10 * v,
    invX: (p) => p / 10,
    invY: (p) => (100 - p) / 10,
    area: { left: 0, top: 0, width: 100, height: 100 },
    colours: COLOURS,
  };
  const surface = new SvgSurface();
  draw(surface, layer, env);
  return surface.parts;
}

test("a line lifts its pen where a number is missing", () => {
  const [path] = drawn({ kind: "line", x: [0, 1, 2, 3], y: [0, 1, NaN, 3] });
  assert.match(path, /d="M0\.00 100\.00L10\.00 90\.00M30\.00 70\.00"/);
  assert.match(path, /stroke="#4f46e5" stroke-width="2"/);
});

test("dashes end with their layer", () => {
  assert.match(drawn({ kind: "vline", at: 2, dash: true, label: "here" })[0], /stroke-dasharray="6 5"/);
  assert.doesNotMatch(drawn({ kind: "hline", at: 2 })[0], /dasharray/);
});

test("text is text in SVG too", () => {
  const surface = new SvgSurface();
  surface.fillText("<b>&", 15, 13.001);
  assert.match(surface.parts[0], /x="15" y="13".*font-family="sans-serif" font-size="12">&lt;b&gt;&amp;<\/text>/);
});

test("bars stand on zero, as wide as their edges; hollow ones are an outline", () => {
  const bars = { kind: "bars", edges: [0, 1, 3], heights: [2, 4] };
  assert.deepEqual(
    drawn(bars).map((part) => /x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/.exec(part).slice(1, 5)),
    [
      ["0.00", "80.00", "9.00", "20.00"],
      ["10.00", "60.00", "19.00", "40.00"],
    ],
  );
  assert.match(drawn({ ...bars, hollow: true })[0], /fill="none"/);
});

test("a purse shows what is left of a budget in a hundred coins, from the bottom; the last one is partly spent", () => {
  const purse = (spent) => {
    const [, , ...parts] = drawn({ kind: "coins", x: 5, width: 1, spent, budget: 2 }); // without its ground and walls
    const full = parts.filter((part) => !part.includes('fill="none"'));
    const rims = parts.filter((part) => part.includes('fill="none"'));
    return { full, rims, opacity: full.map((part) => Number(/opacity="([^"]*)"/.exec(part)[1])) };
  };
  const sum = ({ opacity }) => opacity.reduce((total, one) => total + one, 0);
  for (const [spent, left] of [
    [0, 100],
    [0.5, 75],
    [1.505, 24.75],
    [2, 0],
    [7, 0],
  ]) {
    assert.ok(Math.abs(sum(purse(spent)) - left) < 1e-9, `${spent} of 2`);
    assert.equal(purse(spent).rims.length, 100 - Math.floor(left));
  }
  assert.match(purse(1).full[0], / 99\.7\d/, "the first stands at the bottom");
  assert.match(purse(3).rims[0], /stroke="rgba\(154,163,181,/, "what is spent is faint, not red");
  assert.deepEqual(purse(Number.NaN).full, [], "nothing is drawn before it is known");
});

test("each class has a shape of its own", () => {
  const shapes = [0, 1, 2, 3, 4].map((label) => drawn({ kind: "points", xy: [1, 1], labels: [label] })[0]);
  assert.match(shapes[0], /a2\.20 2\.20/);
  assert.equal(new Set(shapes.map((shape) => /d="([^"]*)"/.exec(shape)[1])).size, 5);
});

test("a path ends between two snapshots", () => {
  const [path] = drawn({ kind: "paths", xy: [0, 0, 1, 0, 3, 0], labels: [0], upto: "t" });
  assert.match(path, /d="M0\.00 100\.00L10\.00 100\.00L20\.00 100\.00"/);
});

test("bands, dots, arrows, markers, clouds and parabolas are recorded", () => {
  assert.match(drawn({ kind: "band", x: [0, 1], low: [0, 0], high: [1, 1] })[0], /fill="rgba\(79,70,229,0\.18\)"/);
  assert.equal(drawn({ kind: "dot", x: 1, y: 1 }).length, 2);
  assert.equal(drawn({ kind: "arrows", xy: [1, 1, NaN, 0, 0, 0] }).length, 2, "no length, no arrow");
  assert.equal(drawn({ kind: "markers", xy: [1, 1], labels: [0], hollow: true }).length, 2);
  assert.equal(drawn({ kind: "cloud", xy: [1, 1, 2, 2, 3, 3], labels: [0] }).length, 3);
  assert.match(drawn({ kind: "parabolas", xy: [1, 0, 1] })[0], /stroke="#c2321f"/);
  assert.deepEqual(drawn({ kind: "handle", x: "a", y: "b", origin: [0, 0], label: "" }), []);
});

test("a raster is kept as a picture", () => {
  const surface = new SvgSurface();
  surface.drawImage({ toDataURL: () => "data:image/png;base64,AA" }, 1, 2, 3, 4);
  assert.match(surface.parts[0], /<image x="1" y="2" width="3" height="4".*base64,AA/);
});

test("a saved picture has its title, its parameters and its source, broken into lines of its width", () => {
  const words = lines(
    "Accuracy against ε",
    "ε 1, δ 0.00001, C 0.5, epochs 50, recipe tight accountant",
    "Source: DP Explorer",
    160,
  );
  const written = words.written(300);
  assert.deepEqual(written[0], { text: "Accuracy against ε", size: 15, weight: 600, role: "text", y: 18 });
  assert.ok(written.length > 4 && written.every(({ text }) => text.length * 6 <= 160));
  assert.ok(written.at(-1).y > words.head + 300 && written.at(-1).y < words.head + 300 + words.foot);
  const svg = captioned("<svg/>", { width: 160, height: 300 }, words, COLOURS, "sans-serif");
  assert.match(svg, new RegExp(`height="${300 + words.head + words.foot}"`));
  assert.match(svg, />Source: DP Explorer</);
  assert.match(svg, /fill="#ffffff"/);
});

test("a saved picture: what lies under the frame, the frame, what lies over it", () => {
  const parts = { under: ["<a/>"], frame: "<f/>", over: ["<b/>", "<c/>"] };
  const svg = composed({ width: 30, height: 20 }, { left: 1, top: 2, width: 3, height: 4 }, "#fff", parts);
  assert.match(svg, /^<svg [^>]*width="30" height="20" viewBox="0 0 30 20">/);
  assert.match(svg, /<rect x="1" y="2" width="3" height="4"\/>/);
  assert.match(svg, /<g [^>]*><a\/><\/g><f\/><g [^>]*><b\/><c\/><\/g><\/svg>$/);
});
