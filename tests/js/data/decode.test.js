// Bodies of arrays, written here by hand; tests/ui/live/test_wire.py lets this code read what Python writes.

import assert from "node:assert/strict";
import test from "node:test";
import { bodies, decode } from "../../../assets/live/data/decode.js";

/** A body: kind, width, columns of [low, step], dimensions [apart, size], whole numbers as they travel. */
function body(kind, width, columns, along, whole) {
  const start = 12 + 16 * columns.length + 8 * along.length;
  const made = new Uint8Array(start + width * whole.length);
  const view = new DataView(made.buffer);
  view.setUint8(0, kind);
  view.setUint8(1, width);
  view.setUint16(2, columns.length, true);
  view.setUint32(4, along.length, true);
  view.setUint32(8, whole.length, true);
  columns.flat().forEach((number, i) => {
    view.setFloat64(12 + 8 * i, number, true);
  });
  along.flat().forEach((number, i) => {
    view.setUint32(12 + 16 * columns.length + 4 * i, number, true);
  });
  for (let byte = 0; byte < width; byte++)
    whole.forEach((number, i) => {
      made[start + byte * whole.length + i] = number >>> (8 * (width - 1 - byte));
    });
  return made;
}

test("whole numbers become values on the scale of their column, the last one NaN", () => {
  const columns = [
    [-1, 0.5],
    [10, 2],
  ];
  assert.deepEqual([...decode(body(3, 1, columns, [], [0, 3, 4, 255]))], [-1, 16, 1, Number.NaN]);
  assert.deepEqual([...decode(body(3, 2, [[0, 1]], [], [255, 65535, 258]))], [255, Number.NaN, 258]);
});

test("a logarithmic scale holds exponents", () => {
  assert.deepEqual([...decode(body(4, 1, [[-1, 1]], [], [0, 1, 3]))], [0.10000000149011612, 1, 100]);
});

test("differences are zigzag, modulo, from the value before along a dimension, whose first one stays", () => {
  assert.deepEqual([...decode(body(3, 1, [[0, 1]], [[2, 3]], [20, 40, 2, 1, 1, 3]))], [10, 20, 11, 19, 10, 17]);
  assert.deepEqual([...decode(body(2, 1, [], [[1, 3]], [11, 20, 20]))], [250, 4, 14]);
  assert.deepEqual([...decode(body(2, 1, [], [[1, 2]], [2, 2, 8, 1]))], [1, 2, 4, 3]);
});

test("differences of differences are undone in the opposite order", () => {
  const squares = [0, 1, 4, 9, 16]; // 0, 1, 2, 2, 2 is left of them
  assert.deepEqual(
    [
      ...decode(
        body(
          2,
          1,
          [],
          [
            [1, 5],
            [1, 5],
          ],
          [0, 2, 4, 4, 4],
        ),
      ),
    ],
    squares,
  );
  const sums = decode(
    body(
      3,
      2,
      [[0, 1]],
      [
        [3, 2],
        [1, 3],
      ],
      [10, 2, 2, 200, 0, 2],
    ),
  ); // of 5 6 7 and 105 106 108
  assert.deepEqual([...sums], [5, 6, 7, 105, 106, 108]);
});

test("bits are the array's own, of any kind", () => {
  const floats = decode(body(0, 4, [], [], [0x3fc00000, 0x7fc00000, 0x80000000]));
  assert.deepEqual([...floats], [1.5, Number.NaN, -0]);
  const whole = decode(body(1, 4, [], [], [7, 0xffffffff]));
  assert.ok(whole instanceof Int32Array);
  assert.deepEqual([...whole], [7, -1]);
  assert.deepEqual([...decode(body(1, 1, [], [], [7, 200]))], [7, 200]);
  assert.ok(decode(body(2, 1, [], [], [7])) instanceof Uint8Array);
});

test("a file is its bodies, each after its length", () => {
  const parts = [body(2, 1, [], [], [1, 2, 3]), body(2, 1, [], [], []), body(2, 1, [], [], [9])];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(file.buffer).setUint32(at, part.length, true);
    file.set(part, at + 4);
    at += 4 + part.length;
  }
  assert.deepEqual(
    bodies(file.buffer).map((found) => [...decode(found)]),
    [[1, 2, 3], [], [9]],
  );
});
