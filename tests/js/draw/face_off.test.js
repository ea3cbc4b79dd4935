// A published picture beside its candidates: all within their room, none over another, and the marks of guesses.

import assert from "node:assert/strict";
import test from "node:test";
import { drawFaces, facesAt } from "../../../assets/live/draw/face_off.js";
import { COLOURS } from "../given.js";

test("all pictures lie within the panel, and none over another", () => {
  for (const [width, height] of [
    [968, 370],
    [358, 218],
    [300, 900],
    [1400, 200],
  ]) {
    const { large, small, used } = facesAt(6, width, height);
    const all = [large, ...small];
    for (const [k, { x, y, size }] of all.entries()) {
      assert.ok(x >= 0 && y >= 0 && x + size <= width + 1e-6 && y + size <= height + 1e-6, `${k} at ${width}`);
      for (const other of all.slice(k + 1)) {
        const apart =
          other.x >= x + size || x >= other.x + other.size || other.y >= y + size || y >= other.y + other.size;
        assert.ok(apart, `${k} at ${width}`);
      }
    }
    assert.ok(used <= height + 1e-6);
    assert.ok(large.size > 2 * small[0].size);
  }
});

test("the guesses are framed and named, one at the upper and one at the lower edge", () => {
  const [words, frames] = [[], []];
  const pen = {
    drawImage() {},
    putImageData() {},
    fillRect() {},
    measureText: (text) => ({ width: 7 * text.length }),
    strokeRect: (x, y) => pen.lineWidth === 4 && frames.push([x, y, pen.strokeStyle]),
    fillText: (text, _x, y) => words.push([text, y]),
  };
  const tile = () => ({ canvas: { getContext: () => pen }, image: { data: new Uint8ClampedArray(4) } });
  const places = facesAt(2, 300, 200);
  const marks = [
    { place: 0, role: "danger", words: "you" },
    { place: 1, role: "private", words: "attacker", low: true },
  ];
  const spec = { shape: [1, 1], range: [0, 1] };
  drawFaces(pen, [0, 0.5, 1], spec, places, marks, { colours: COLOURS, tile, family: "Source Sans" });
  const [first, second] = places.small;
  assert.deepEqual(words, [
    ["you", first.y + 15],
    ["attacker", second.y + second.size - 5],
  ]);
  assert.deepEqual(frames, [
    [first.x + 2, first.y + 2, COLOURS.danger],
    [second.x + 2, second.y + 2, COLOURS.private],
  ]);
});
