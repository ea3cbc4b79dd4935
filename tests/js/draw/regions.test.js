// Which prototype is nearest: the polygons of the regions, and the border between them.

import assert from "node:assert/strict";
import test from "node:test";
import { rgb } from "../../../assets/live/draw/raster.js";
import { cells } from "../../../assets/live/draw/regions.js";

const BOX = { x0: -1, x1: 3, y0: -2, y1: 2 };

/** Numbers in [0, 1) from a seed: the tests ask the same places each time. */
const generator = (seed) => () => {
  seed = (1664525 * seed + 1013904223) % 2 ** 32;
  return seed / 2 ** 32;
};

const inside = (polygon, x, y) => {
  for (let i = 0; i < polygon.length; i += 3) {
    const [u, v] = [polygon[(i + 3) % polygon.length], polygon[((i + 3) % polygon.length) + 1]];
    if ((u - polygon[i]) * (y - polygon[i + 1]) - (v - polygon[i + 1]) * (x - polygon[i]) < 0) return false;
  }
  return true;
};

const area = (polygon) => {
  let sum = 0;
  for (let i = 0; i < polygon.length; i += 3) {
    const next = (i + 3) % polygon.length;
    sum += polygon[i] * polygon[next + 1] - polygon[next] * polygon[i + 1];
  }
  return sum / 2;
};

for (const stride of [2, 3]) {
  test(`every place has the label of its nearest centre, with ${stride} numbers a centre`, () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = generator(seed);
      const n = 1 + Math.floor(12 * random());
      const centres = Array.from({ length: n * stride }, () => 4 * random() - 1);
      const labels = Array.from({ length: n }, () => Math.floor(3 * random()));
      const { fills } = cells(centres, labels, BOX);
      for (let k = 0; k < 40; k++) {
        const [x, y] = [-1 + 4 * random(), -2 + 4 * random()];
        const far = labels.map((_, p) => {
          const [u, v] = [centres[p * stride] - x, centres[p * stride + 1] - y];
          return u * u + v * v + (stride > 2 ? centres[p * stride + 2] : 0);
        });
        const [first, second] = [...far].sort((a, b) => a - b);
        if (second - first < 1e-9) continue; // on a border
        const label = labels[far.indexOf(first)];
        assert.ok(fills.get(label)?.some((polygon) => inside(polygon, x, y)));
        for (const [other, polygons] of fills)
          assert.ok(other === label || !polygons.some((polygon) => inside(polygon, x, y)));
      }
      const whole = [...fills.values()].flat().reduce((sum, polygon) => sum + area(polygon), 0);
      assert.ok(Math.abs(whole - 16) < 1e-9, "the cells fill the box, without overlap");
    }
  });
}

test("the border between two labels is drawn once, and that between equal labels is not", () => {
  assert.deepEqual(cells([0, 0, 2, 0], [0, 1], BOX).edges.slice().sort(), [-2, 1, 1, 2].sort());
  assert.deepEqual(cells([0, 0, 2, 0], [1, 1], BOX).edges, []);
});

test("every piece of border is equally far from a centre of either label", () => {
  const random = generator(7);
  const centres = Array.from({ length: 20 }, () => 4 * random() - 1);
  const labels = Array.from({ length: 10 }, (_, p) => p % 2);
  const { edges } = cells(centres, labels, BOX);
  assert.ok(edges.length > 8);
  for (let i = 0; i < edges.length; i += 4) {
    const [x, y] = [(edges[i] + edges[i + 2]) / 2, (edges[i + 1] + edges[i + 3]) / 2];
    const near = [0, 1].map((label) =>
      Math.min(
        ...labels.flatMap((own, p) =>
          own === label ? [(centres[2 * p] - x) ** 2 + (centres[2 * p + 1] - y) ** 2] : [],
        ),
      ),
    );
    assert.ok(Math.abs(near[0] - near[1]) < 1e-9);
  }
});

test("a squared rest pushes a border away from its centre's rival", () => {
  const at = (rest) => cells([0, 0, 0, 2, 0, rest], [0, 1], BOX).edges[0];
  assert.equal(at(0), 1);
  assert.equal(at(4), 2);
  assert.equal(at(-4), 0);
  assert.deepEqual([...cells([0, 0, 0, 2, 0, 99], [0, 1], BOX).fills.keys()], [0], "beyond the box it is gone");
});

test("of equal centres the first has the cell", () => {
  const { fills } = cells([0, 0, 0, 0, 2, 0], [5, 6, 7], BOX);
  assert.deepEqual([...fills.keys()], [5, 7]);
});

test("colours are read from their hexadecimal form", () => assert.deepEqual(rgb("#e69f00"), [230, 159, 0]));
