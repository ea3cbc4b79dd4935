// Tabs, turned by keys.

import assert from "node:assert/strict";
import test from "node:test";
import { turned } from "../../../assets/live/frame/tabs.js";

test("two arrow keys turn tabs, around the ends", () => {
  assert.deepEqual([turned("ArrowRight", 2, 3), turned("ArrowLeft", 0, 3), turned("ArrowUp", 0, 3)], [0, 2, null]);
  assert.equal(turned("Tab", 0, 3), null);
});
