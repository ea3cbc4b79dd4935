// What Streamlit's elements lack is added, now and when they come later.

import assert from "node:assert/strict";
import test from "node:test";
import { placeIn, watch } from "../../../assets/live/frame/accessibility.js";
import { page } from "../page.js";

/** An element of Streamlit's. */
function found(scrollWidth = 100, clientWidth = 100) {
  const has = {};
  return {
    has,
    scrollWidth,
    clientWidth,
    setAttribute: (name, value) => {
      has[name] = value;
    },
    removeAttribute: (name) => delete has[name],
    hasAttribute: (name) => name in has,
  };
}

test("the menu's list is mended when it comes, and keys reach a formula while it scrolls", (t) => {
  const { root } = page();
  location.hash = "#laplace-noise";
  let arrived = 0;
  let place = null;
  document.getElementById = (id) => (id === "laplace-noise" ? place : null);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [list, wide, narrow, table] = [found(), found(300), found(), found(300)];
  let lists = [];
  let looks = 0;
  document.querySelectorAll = (selector) => {
    if (selector === ".katex-display") looks += 1;
    return (
      {
        ".katex-display": [wide, narrow],
        ".stMarkdown table": [table],
        '[data-testid="stSidebarNavItems"]:not([role="group"])': lists,
      }[selector] ?? []
    );
  };
  let changed = null;
  let observers = 0;
  globalThis.MutationObserver = class {
    constructor(heard) {
      changed = heard;
      observers += 1;
    }
    observe() {}
  };
  watch();
  watch(); // once is enough
  assert.equal(observers, 1);
  assert.deepEqual(list.has, {});
  assert.deepEqual(wide.has, { tabindex: "0", role: "group", "aria-label": "Formula" });
  assert.deepEqual(narrow.has, {});
  assert.deepEqual(table.has, { tabindex: "0" });
  lists = [list];
  wide.scrollWidth = 100;
  changed();
  changed();
  assert.equal(looks, 1);
  t.mock.timers.tick(200);
  assert.equal(looks, 2); // once a pause
  assert.equal(arrived, 0);
  place = { scrollIntoView: () => (arrived += 1) };
  assert.deepEqual(list.has, { role: "group" });
  assert.deepEqual(wide.has, {});
  narrow.scrollWidth = 101;
  for (const heard of root.listeners.resize) heard();
  t.mock.timers.tick(200);
  assert.equal(narrow.has.tabindex, "0");
  assert.equal(arrived, 1); // a link to a place, which came late
  root.listeners.wheel[0]();
  changed();
  t.mock.timers.tick(200);
  assert.equal(arrived, 1); // the reader went on
});

test("a link whose end is spoilt names no place, and keeps no figure from being drawn", () => {
  assert.equal(placeIn("#laplace%20noise"), "laplace noise");
  assert.equal(placeIn(""), "");
  for (const spoilt of ["#%zz", "#%E0%A4%A", "#%"]) assert.equal(placeIn(spoilt), "");
});
