// The places of pictures, and colours.

import assert from "node:assert/strict";
import test from "node:test";
import { drawMosaic, fitting, mosaic } from "../../../assets/live/draw/mosaic.js";
import { roleColour, shade } from "../../../assets/live/draw/theme.js";
import { COLOURS } from "../given.js";

test("pictures stand side by side within their room, captions under each", () => {
  const spec = { columns: 2, captions: ["a", "b", "c"], rows: [] };
  const { size, place, left } = mosaic(spec, 3, 208, 500);
  assert.equal(size, 100);
  assert.deepEqual(place(0), { x: left, y: 0, caption: "a" });
  assert.deepEqual(place(1), { x: left + 108, y: 0, caption: "b" });
  assert.deepEqual(place(2), { x: left, y: 126, caption: "c" });
});

test("named rows have their captions once, under the columns", () => {
  const { place, size, rowAt } = mosaic({ columns: 2, captions: ["left", "right"], rows: ["x", "y"] }, 4, 300, 200);
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => place(k).caption),
    [undefined, undefined, "left", "right"],
  );
  assert.equal(place(2).y, rowAt(1));
  assert.ok(2 * (size + 4) + 18 <= 200.001);
});

test("captions are in the type of the page, no larger than the room under a picture", () => {
  const found = [];
  const pen = {
    drawImage() {},
    strokeRect() {},
    putImageData() {},
    fillText: (text) => found.push(`${pen.font}: ${text}`),
  };
  const tile = () => ({ canvas: { getContext: () => pen }, image: { data: new Uint8ClampedArray(4) } });
  const spec = { range: [0, 1], shape: [1, 1], columns: 2, captions: ["without privacy", "private"] };
  for (const size of [13, 17]) {
    const look = { colours: COLOURS, tile, type: { size, family: "Source Sans" } };
    drawMosaic(pen, spec, [0, 1], look, 300, 200);
  }
  assert.deepEqual(found, [
    "13px Source Sans: without privacy",
    "13px Source Sans: private",
    "14px Source Sans: without privacy",
    "14px Source Sans: private",
  ]);
});

test("a colour by role or class, with opacity; any other is a colour itself", () => {
  assert.equal(shade(COLOURS, "private"), "#4f46e5");
  assert.equal(shade(COLOURS, 1), "#e69f00");
  assert.equal(shade(COLOURS, "private", 0.5), "rgba(79,70,229,0.5)");
  assert.equal(shade(COLOURS, "rgb(1, 2, 3)", 0.5), "rgb(1, 2, 3)");
  assert.equal(roleColour(COLOURS, "tomato"), "tomato");
});

test("the name of a row stays in its panel, in two lines where one is too long", () => {
  const found = [];
  const pen = {
    drawImage() {},
    strokeRect() {},
    putImageData() {},
    measureText: (text) => ({ width: 7 * text.length }),
    fillText: (text, x, y) => found.push({ text, left: pen.textAlign === "right" ? x - 7 * text.length : x, y }),
  };
  const tile = () => ({ canvas: { getContext: () => pen }, image: { data: new Uint8ClampedArray(4) } });
  const look = { colours: COLOURS, tile, type: { size: 13, family: "Source Sans" } };
  const spec = { range: [0, 1], shape: [1, 1], columns: 4, rows: ["without privacy", "an uncommonly long one"] };
  drawMosaic(pen, spec, new Float32Array(8), look, 358, 200);
  assert.deepEqual(
    found.map(({ text }) => text),
    ["without", "privacy", "an", "uncommonly", "long one"],
  );
  for (const { text, left } of found) assert.ok(left >= 0, `${text}: ${left}`);
  assert.ok(found[1].y - found[0].y >= 13);
});

const READ = { kind: "readings", votes: "votes", truth: "truth" };

test("pictures that are read are never too small: in small panels the first of them are shown", () => {
  const spec = { columns: 14, layers: [READ] };
  for (const [width, height] of [
    [940, 440],
    [808, 288],
    [358, 218],
    [20, 20],
  ]) {
    const found = fitting(spec, 70, width, height);
    const { size, place } = mosaic({ ...spec, columns: found.columns }, found.n, width, height);
    assert.ok(found.n >= 1 && found.n <= 70);
    if (width < 100) continue;
    assert.ok(size >= 34, `${size} at ${width}`);
    assert.equal(found.n % found.columns, 0);
    assert.ok(place(found.n - 1).y + size + 24 <= height);
  }
  assert.deepEqual(fitting(spec, 70, 940, 440), { columns: 14, n: 70 });
  assert.deepEqual(fitting({ columns: 14, layers: [] }, 70, 100, 40), { columns: 14, n: 70 });
});
