// Words at a place of a panel: filled, broken into lines, aligned, and left alone by the labels of curves.

import assert from "node:assert/strict";
import test from "node:test";
import { boxOf, laid } from "../../../assets/live/draw/annotations.js";
import { draw } from "../../../assets/live/draw/draw.js";
import { still, surfaceOf } from "../../../assets/live/draw/layers.js";
import { SvgSurface } from "../../../assets/live/draw/svg_surface.js";
import { PanelLabels } from "../../../assets/live/labels/panel_labels.js";
import { overlap } from "../../../assets/live/labels/placement.js";
import { COLOURS, sliced } from "../given.js";

const AREA = { left: 0, top: 0, width: 400, height: 200 };
const measure = (text) => 6 * text.length;

function env(more = {}) {
  const slices = sliced({});
  return {
    get: (name) => slices.get(name),
    scalar: (value) => value,
    place: () => 1,
    shape: () => [],
    ready: () => true,
    x: (v) => v,
    y: (v) => 200 - v,
    invX: (p) => p,
    invY: (p) => 200 - p,
    area: AREA,
    colours: COLOURS,
    lettering: { fill: (text) => text.replace("{n}", "12"), measure, type: { size: 10, family: "sans-serif" } },
    ...more,
  };
}

function drawn(layer, given = env()) {
  const surface = new SvgSurface();
  draw(surface, { kind: "annotation", x: 100, y: 100, words: "wrong {n}", ...layer }, given);
  return surface.parts;
}

const texts = (parts) => parts.filter((part) => part.includes('fill="none"') === false && part.startsWith("<text"));
const place = (part) => Number(/<text x="([\d.]+)"/.exec(part)[1]);

test("words are filled with values and stand with the part at their place that was asked for", () => {
  const wide = measure("wrong 12");
  for (const [align, x] of [
    ["left", 100],
    ["center", 100 - wide / 2],
    ["right", 100 - wide],
  ]) {
    const [text] = texts(drawn({ align }));
    assert.match(text, />wrong 12</);
    assert.equal(place(text), x, align);
  }
  const [moved] = texts(drawn({ dx: 8, dy: -20 }));
  assert.equal(place(moved), 108);
  assert.equal(boxOf({ kind: "annotation", x: 100, y: 100, words: "a", dy: -20 }, env()).y, 80 - 6.5);
});

test("nothing is written at a place that is not known, or where nothing is filled", () => {
  assert.deepEqual(drawn({ x: Number.NaN }), []);
  assert.deepEqual(drawn({}, env({ lettering: undefined })), []);
  assert.equal(boxOf({ kind: "annotation", x: 0, y: Number.NaN, words: "a" }, env()), null);
});

test("stamped words stand in the colour of the ground on that of their role", () => {
  const [ground, text, ...more] = drawn({ role: "danger", stamped: true });
  assert.match(ground, new RegExp(`<rect .* fill="${COLOURS.danger}"`));
  assert.match(text, new RegExp(`fill="${COLOURS.ground}"`));
  assert.deepEqual(more, [], "without a halo");
  assert.match(drawn({ role: 1 }).at(-1), /fill="#[0-9a-f]{6}"/);
});

test("short words stand in a narrow panel", () => {
  const layer = { words: "wrong through privacy {n}", words_short: "privacy {n}" };
  assert.match(texts(drawn(layer))[0], />wrong through privacy 12</);
  assert.match(texts(drawn(layer, env({ area: { ...AREA, width: 300 } })))[0], />privacy 12</);
});

test("words that are wider than their room go on in the next line, above their place where that is asked for", () => {
  const { lines, box } = laid({ text: "one two three", x: 50, y: 100, room: 45, align: "center", above: true }, env());
  assert.deepEqual(
    lines.map(({ text, x }) => [text, x]),
    [
      ["one two", 50 - 21],
      ["three", 50 - 15],
    ],
  );
  assert.equal(box.y + box.height, 100);
  assert.ok(lines[1].y - lines[0].y >= 10 && lines[1].y <= 100);
});

test("words with values are drawn again with every frame, others once", () => {
  const slices = sliced({});
  const layer = { kind: "annotation", x: 1, y: 1, words: "wrong {n}" };
  assert.equal(still(layer, slices), false);
  assert.equal(surfaceOf({ ...layer, words: "wrong" }, slices), "still");
});

test("no label of a curve covers an annotation", () => {
  const curve = { kind: "line", x: [0, 400], y: [100, 100], label: "with privacy" };
  const note = { kind: "annotation", x: 400, y: 112, words: "caught here by now", align: "right" };
  const spot = (layers) => {
    const labels = new PanelLabels();
    labels.arrange(layers, env(), { slices: sliced({}), taken: [], measure });
    return labels.placed[0];
  };
  const box = boxOf(note, env());
  assert.ok(overlap(spot([curve]), box), "it would stand there");
  assert.ok(!overlap(spot([curve, note]), box));
});

test("a purse tells in the longest words that fit what is left, or how far it went", () => {
  const purse = (spent, x) => {
    const surface = new SvgSurface();
    const layer = { kind: "coins", x: 100, width: 80, spent, budget: 1, ...WORDS };
    draw(surface, layer, env({ x, y: (v) => 200 - 150 * v }));
    return texts(surface.parts).map((part) => />([^<]*)</.exec(part)[1].replace("&lt;", "<"));
  };
  const WORDS = {
    words_left: ["{coins} of 100 coins left", "{coins} left"],
    words_empty: ["empty after {n}", "empty"],
  };
  const wide = (v) => 200 * v;
  const narrow = (v) => 50 * v;
  assert.deepEqual(purse(0.66, wide), ["34 of 100 coins left"]);
  assert.deepEqual(purse(0.66, narrow), ["34 left"]);
  assert.deepEqual(purse(3, wide), ["empty after 12"]);
  assert.deepEqual(purse(1, narrow), ["empty"]);
  assert.deepEqual(purse(0.001, wide), ["99 of 100 coins left"], "not all of them, once some is spent");
  assert.deepEqual(purse(0, wide), ["100 of 100 coins left"]);
  assert.deepEqual(purse(0.995, wide), ["less than 1 of 100 coins left"]);
});
