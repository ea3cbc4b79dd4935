// How a panel's room is shared, and how its frame is drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { axesOf, axesSvg, escaped, readable, wrapped } from "../../../assets/live/draw/axes.js";
import { wholeView } from "../../../assets/live/draw/scales.js";
import { boxed, viewOf, widened } from "../../../assets/live/draw/zoom.js";
import { axis, COLOURS } from "../given.js";

const SIZE = { width: 400, height: 300 };
const measure = (text, size) => (text.length * size) / 2;
const laid = (spec, size = SIZE) => axesOf(spec, wholeView(spec), size, measure);
const plot = (x, y) => ({ kind: "plot", x, y });

test("the area leaves room for ticks and titles, and no more", () => {
  const { area, x, y } = laid(plot(axis([0, 1], { title: "here" }), axis([0, 1], { title: "there" })));
  assert.deepEqual(area, { left: 52, top: 8, width: 336, height: 248 });
  assert.deepEqual([x.labels.at(0).at, x.labels.at(-1).at], [52, 388]);
  assert.deepEqual([y.labels.at(0).at, y.labels.at(-1).at], [256, 8]);
  assert.deepEqual([x.title, y.title], [["here"], ["there"]]);
});

test("a title below stays in its panel, though its middle is that of the area", () => {
  const title = "where a release lies between the two, in widths of the noise";
  for (let width = 240; width <= 620; width += 20) {
    const { area, x } = laid(plot(axis([0, 1], { title }), axis([0, 100_000])), { width, height: 300 });
    const middle = area.left + area.width / 2;
    for (const line of x.title) assert.ok(middle + measure(line, 14) / 2 <= width, `${width}: ${line}`);
    assert.equal(x.title.join(" "), title);
  }
});

test("long words make room for themselves on the left, the last number on the right", () => {
  const words = axis([0, 2], { ticks: [0.5, 1.5], words: ["least squares", "ridge"], title: "method" });
  const { area } = laid(plot(axis([0, 10_000_000]), words));
  assert.ok(area.left > 6 + 13 * 6 + 16);
  const { area: other } = laid(plot(axis([0, 10_000]), axis([0, 1])));
  assert.ok(other.left + other.width + measure("10\u202f000", 12) / 2 <= SIZE.width);
  const said = axis([1, 10_000], { log: true, ticks: [1, 10_000], words: ["1", "10 000"] });
  const { area: third } = laid(plot(said, axis([0, 1])));
  assert.ok(third.left + third.width + measure("10 000", 13) / 2 <= SIZE.width);
});

test("numbers never touch: fewer on a narrow panel, powers of ten first", () => {
  const across = axis([0.045, 22], { log: true, ticks: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20] });
  assert.equal(laid(plot(across, axis([0, 1])), { width: 900, height: 300 }).x.labels.length, 9);
  const narrow = laid(plot(across, axis([0, 1])), { width: 220, height: 300 }).x;
  assert.deepEqual(
    narrow.labels.map(({ text }) => text),
    ["0.1", "1", "10"],
  );
  assert.equal(narrow.grid.length, 9, "the lines of the others stay");
  for (let width = 120; width < 900; width += 13) {
    const { labels } = laid(plot(axis([0, 123_456]), axis([0, 1])), { width, height: 300 }).x;
    const halves = labels.map(({ text }) => measure(text, 12) / 2);
    labels.slice(1).forEach((label, k) => {
      assert.ok(label.at - halves[k + 1] - labels[k].at - halves[k] >= 6, `${width}: ${label.text}`);
    });
  }
});

test("numbers one above another never touch: fewer on a low panel, names stay", () => {
  const ladder = axis([0.1, 50], { log: true, ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50] });
  assert.equal(laid(plot(axis([0, 1]), ladder)).y.labels.length, 9);
  const low = laid(plot(axis([0, 1]), ladder), { width: 300, height: 100 }).y;
  assert.deepEqual(
    low.labels.map(({ text }) => text),
    ["0.1", "1", "10"],
  );
  assert.equal(low.grid.length, 9, "the lines of the others stay");
  for (let height = 70; height < 400; height += 7) {
    for (const up of [ladder, axis([0, 1]), axis([96, 104])]) {
      const { labels } = laid(plot(axis([0, 1]), up), { width: 300, height }).y;
      assert.ok(labels.length, `${height}: none is left`);
      labels.slice(1).forEach((label, k) => {
        assert.ok(labels[k].at - label.at >= 13, `${height}: ${labels[k].text} and ${label.text}`);
      });
    }
  }
  const names = axis([0, 3], { ticks: [0.5, 1.5, 2.5], words: ["one", "two", "three"] });
  assert.equal(laid(plot(axis([0, 1]), names), { width: 300, height: 75 }).y.labels.length, 3);
});

test("words that would touch are turned, all of them stay", () => {
  const names = ["mean radius", "mean texture", "mean perimeter", "mean area"];
  const given = (gap) => names.map((text, k) => ({ at: gap * k, text, value: k }));
  const words = axis([0, 4], { words: names });
  assert.equal(readable(words, given(200), measure).turn, 0);
  assert.equal(readable(words, given(40), measure).turn, -35, "a word is wider than its place");
  assert.equal(readable(words, given(20), measure).turn, -90);
  assert.equal(readable(words, given(20), measure).labels.length, 4);
  const turned = axis([0, 4], { ticks: [0.5, 1.5, 2.5, 3.5], words: names });
  const { area } = laid(plot(turned, axis([0, 1])), { width: 220, height: 300 });
  assert.ok(area.top + area.height < 256, "they have their room");
});

test("names go on in further lines before they are turned", () => {
  const names = ["added up (basic)", "true cost", "averaged"];
  const given = names.map((text, k) => ({ at: 70 * k, text, value: k }));
  const { labels, turn } = readable(axis([0, 3], { words: names }), given, measure);
  assert.equal(turn, 0);
  assert.deepEqual(
    labels.map(({ lines }) => lines),
    [["added up", "(basic)"], ["true cost"], ["averaged"]],
  );
  const spec = plot(axis([0, 3], { ticks: [0.5, 1.5, 2.5], words: names }), axis([0, 1]));
  const size = { width: 280, height: 200 };
  const found = laid(spec, size);
  const drawn = axesSvg(found, size, COLOURS);
  const at = (line) => Number(new RegExp(`y="([\\d.]+)">${line}<`).exec(drawn)[1]);
  assert.ok(at("\\(basic\\)") - at("added up") >= 13, "one line below the other");
  assert.ok(at("\\(basic\\)") < 200, "in the panel");
});

test("a title that is too long goes on in the next line", () => {
  assert.deepEqual(wrapped("one two three", 40, measure), ["one", "two", "three"]);
  assert.deepEqual(wrapped("one two three", 50, measure), ["one two", "three"]);
  assert.deepEqual(wrapped("", 50, measure), []);
});

test("a second scale above the area has its labels at the same places as the axis below", () => {
  const below = axis([0.1, 10], { log: true, ticks: [0.1, 1, 10], title: "here" });
  const above = axis([0, 1], { ticks: [0.1, 1, 10, 100], words: ["a", "b", "c", "d"], title: "there" });
  const spec = { ...plot(below, axis([0, 1])), top: above };
  const { area, x, top } = laid(spec);
  assert.deepEqual(
    top.labels.map(({ at, text }) => [at, text]),
    x.labels.map(({ at }, k) => [at, ["a", "b", "c"][k]]),
  );
  assert.ok(area.top >= 2 * 16 + 6, "a line for the title, one for the labels");
  const svg = axesSvg(laid(spec), SIZE, COLOURS);
  assert.match(svg, new RegExp(`y="${area.top - 10}">b<`));
  assert.match(svg, /text-anchor="middle" x="[^"]*" y="12">there</);
  for (let width = 150; width < 500; width += 17) {
    const { labels } = laid(spec, { width, height: 300 }).top;
    labels.slice(1).forEach(({ at }, k) => {
      assert.ok(at - labels[k].at >= measure("a", 13) + 6, String(width));
    });
  }
  const none = laid({ ...spec, top: axis([0, 1], { ticks: [], words: [], title: "nothing" }) });
  assert.deepEqual([none.top.labels, none.top.title], [[], ["nothing"]]);
  assert.equal(laid(plot(below, axis([0, 1]))).top, null);
});

test("a map has equal scales and nothing around it", () => {
  const spec = { kind: "map", x: axis([0, 2]), y: axis([0, 1]) };
  const { area, x, y } = laid(spec);
  assert.deepEqual(area, { left: 2, top: 51, width: 396, height: 198 });
  assert.deepEqual([x.grid, y.labels], [[], []]);
});

test("names of columns are drawn as they are", () => {
  assert.equal(escaped(`<a href="x">$&'`), "&#60;a href=&#34;x&#34;&#62;$&#38;&#39;");
  const x = axis([0, 1], { title: "<b>", ticks: [1], words: ["<script>"] });
  const svg = axesSvg(laid(plot(x, axis([0, 1]))), SIZE, COLOURS, '"Times"');
  assert.match(svg, /&#60;script&#62;/);
  assert.match(svg, /font-family="&#34;Times&#34;"/);
  assert.doesNotMatch(svg, /<b>|<script>/);
});

test("a frame in SVG: lines of whole pixels, ticks under and beside, titles turned and level", () => {
  const words = axis([0, 2], { ticks: [0.5, 1.5], words: ["a long name", "another name"], title: "what" });
  const svg = axesSvg(laid(plot(words, axis([0, 1], { title: "up" })), { width: 160, height: 200 }), SIZE, COLOURS);
  assert.match(svg, /^<svg [^>]*width="400" height="300" font-family="inherit" fill="#777777"><path d="M\d+\.5 8V/);
  assert.match(svg, /rotate\(-35\)">a long name</);
  assert.match(svg, /rotate\(-90\)">up</);
  assert.match(svg, /text-anchor="middle"[^>]*>what</);
});

test("on a projector the axes are as large as the words of the page", () => {
  const small = laid(plot(axis([0, 1]), axis([0, 1])), { width: 320, height: 240 });
  const svg = axesSvg(small, SIZE, COLOURS, "inherit", 1.25);
  assert.match(svg, /^<svg [^>]*width="400" height="300" viewBox="0 0 320 240" /);
  assert.doesNotMatch(axesSvg(small, SIZE, COLOURS), /viewBox/);
});

const AREA = { left: 50, top: 10, width: 200, height: 100 };

test("a box is drawn from either corner, ends at the area, and may follow one axis alone", () => {
  const box = { left: 60, top: 20, width: 40, height: 30 };
  assert.deepEqual(boxed({ x: 60, y: 20 }, { x: 100, y: 50 }, AREA), box);
  assert.deepEqual(boxed({ x: 100, y: 50 }, { x: 60, y: 20 }, AREA), box);
  assert.deepEqual(boxed({ x: 60, y: 20 }, { x: 100, y: 25 }, AREA), { ...box, top: 10, height: 100 });
  assert.deepEqual(boxed({ x: 60, y: 20 }, { x: 62, y: 50 }, AREA), { ...box, left: 50, width: 200 });
  assert.deepEqual(boxed({ x: 200, y: 80 }, { x: 900, y: 900 }, AREA), { left: 200, top: 80, width: 50, height: 30 });
  assert.equal(boxed({ x: 60, y: 20 }, { x: 63, y: 22 }, AREA), null);
});

test("a box over a map keeps its scales equal, and stays within", () => {
  const found = widened({ left: 60, top: 20, width: 50, height: 50 }, AREA);
  assert.deepEqual(found, { left: 50, top: 20, width: 100, height: 50 });
  assert.deepEqual(widened({ left: 240, top: 100, width: 10, height: 10 }, AREA), {
    left: 230,
    top: 100,
    width: 20,
    height: 10,
  });
});

test("what a box shows, in the units of the axes; an axis that it fills stays", () => {
  const spec = { x: axis([1, 100], { log: true }), y: axis([0, 1]) };
  const scales = { invX: (p) => 10 ** ((p - 50) / 100), invY: (p) => (110 - p) / 100, area: AREA };
  assert.deepEqual(viewOf({ left: 100, top: 10, width: 50, height: 100 }, scales, spec), { x: [0.5, 1] });
  assert.deepEqual(viewOf({ left: 50, top: 60, width: 200, height: 50 }, scales, spec), { y: [0, 0.5] });
});
