// Which prototype is nearest, cell by cell, and how the cells are coloured.

import assert from "node:assert/strict";
import test from "node:test";
import { labelBuffer, nearest, rgb, tint } from "../../../assets/live/draw/regions.js";

test("every cell has the label of its nearest centre", () => {
  const centres = [0, 0, 3, 0, 0, 3];
  const found = nearest(
    centres,
    [7, 8, 9],
    4,
    4,
    (i) => i,
    (j) => j,
    [],
  );
  for (let y = 0; y < 4; y++) {
    for (let x = 0; x < 4; x++) {
      const far = [x * x + y * y, (x - 3) ** 2 + y * y, x * x + (y - 3) ** 2];
      assert.equal(found[y * 4 + x], [7, 8, 9][far.indexOf(Math.min(...far))], `${x} ${y}`);
    }
  }
});

test("a squared rest pushes a border away from its centre's rival", () => {
  const toX = (i) => i + 0.25;
  const plain = nearest([0, 0, 0, 4, 0, 0], [0, 1], 4, 1, toX, () => 0, []);
  const pushed = nearest([0, 0, 0, 4, 0, 9], [0, 1], 4, 1, toX, () => 0, []);
  assert.deepEqual(plain, [0, 0, 1, 1]);
  assert.deepEqual(pushed, [0, 0, 0, 1]);
});

test("cells at an edge have the edge's colour, the others their class's", () => {
  const pixels = new Uint32Array(6);
  const edge = { colour: "#010203", alpha: 1 };
  tint(Uint8Array.from([0, 0, 1, 0, 0, 1]), 3, 2, ["#112233", "#445566"], 1, edge, pixels);
  const [a, line, b] = [0xff332211, 0xff030201, 0xff665544];
  assert.deepEqual([...pixels], [a, line, b, a, line, b]);
  tint(Uint8Array.from([0, 0, 1, 0, 0, 1]), 3, 2, ["#112233", "#445566"], 0, edge, pixels);
  assert.deepEqual([...pixels], [0, line, 0, 0, line, 0], "edges alone");
});

test("colours are read from their hexadecimal form", () => assert.deepEqual(rgb("#e69f00"), [230, 159, 0]));

test("one buffer serves all frames, and grows", () => {
  const first = labelBuffer(10);
  assert.equal(labelBuffer(4), first);
  assert.ok(labelBuffer(20).length >= 20);
});
