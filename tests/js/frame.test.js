// The still frame and the places of pictures.

import assert from "node:assert/strict";
import test from "node:test";
import { frame, inert, mosaic, rangeOf } from "../../assets/live/frame.js";
import { roleColour, shade } from "../../assets/live/theme.js";
import { axis, COLOURS } from "./given.js";

test("names of columns are drawn as they are: no tags, links, formulas", () => {
  assert.equal(inert("<a href=x>$x$&"), "&#60;a href=x&#62;&#36;x&#36;&#38;");
  const spec = {
    key: "p",
    kind: "plot",
    x: axis([0, 1], { title: "<b>", ticks: [1], words: ["$"] }),
    y: axis([0, 1], { ticks: [2] }),
  };
  const { xaxis, yaxis } = frame(spec, COLOURS);
  assert.equal(xaxis.title.text, "&#60;b&#62;");
  assert.deepEqual(xaxis.ticktext, ["&#36;"]);
  assert.deepEqual(yaxis.ticktext, ["2"]);
});

test("a logarithmic axis gives Plotly exponents", () => {
  assert.deepEqual(
    rangeOf(axis([0.1, 100], { log: true })).map((v) => Math.round(v)),
    [-1, 2],
  );
  assert.deepEqual(rangeOf(axis([0.1, 100])), [0.1, 100]);
});

test("a map has equal scales and no axes; other data void an old zoom", () => {
  const spec = { key: "m", kind: "map", x: axis([0, 1]), y: axis([0, 1]), fixed: true };
  const found = frame(spec, COLOURS);
  assert.equal(found.xaxis.visible, false);
  assert.equal(found.yaxis.scaleanchor, "x");
  assert.equal(found.xaxis.fixedrange, true);
  assert.equal(frame(spec, COLOURS).uirevision, found.uirevision);
  assert.notEqual(frame({ ...spec, x: axis([0, 2]) }, COLOURS).uirevision, found.uirevision);
});

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

test("a colour by role or class, with opacity; any other is a colour itself", () => {
  assert.equal(shade(COLOURS, "private"), "#4f46e5");
  assert.equal(shade(COLOURS, 1), "#e69f00");
  assert.equal(shade(COLOURS, "private", 0.5), "rgba(79,70,229,0.5)");
  assert.equal(shade(COLOURS, "rgb(1, 2, 3)", 0.5), "rgb(1, 2, 3)");
  assert.equal(roleColour(COLOURS, "tomato"), "tomato");
});
