// Figures with nobody behind them: the link that follows the handles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withValues } from "../../assets/live/embed.js";

test("a link follows what a reader has set, and nothing else", () => {
  const before = { epsilon: 1, group: 1, real: false, dataset: "moons" };
  const href = "/mechanisms?depth=understand";
  assert.equal(withValues(href, before, before), href);
  assert.equal(withValues(href, { ...before, epsilon: 0.5 }, before), `${href}&epsilon=0.5`);
  assert.equal(withValues("/a", { ...before, real: true }, before), "/a?real=yes");
  assert.equal(withValues("/a", before, before), "/a");
  assert.equal(withValues("/a?epsilon=2", { epsilon: 3 }, { epsilon: 2 }), "/a?epsilon=3");
});
