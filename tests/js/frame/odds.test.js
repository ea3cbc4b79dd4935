// What a bound means for a belief, drawn as a hundred people; tests/ui/words/test_odds.py holds Python to the same table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { atMost, posterior, withOdds } from "../../../assets/live/frame/odds.js";
import { covered, OddsPictogram } from "../../../assets/live/frame/odds_pictogram.js";
import { onPrior, prior, setPrior } from "../../../assets/live/frame/prior.js";
import { page } from "../page.js";

const { cases } = JSON.parse(readFileSync(new URL("../odds.json", import.meta.url), "utf8"));

test("the odds sentence is the same as in Python", () => {
  assert.ok(cases.length > 50);
  for (const [epsilon, percent, template, expected] of cases) {
    assert.equal(withOdds(template, epsilon, percent / 100), expected);
  }
});

test("a share that nobody gets past is rounded up, a whole one stays", () => {
  assert.deepEqual([0.65123, 0.6967, 0.5, 1].map(atMost), ["65.2 %", "69.7 %", "50 %", "100 %"]);
});

test("a belief only grows with the bound, and without one stays where it was", () => {
  for (const start of [0.01, 0.5, 0.99]) {
    assert.ok(Math.abs(posterior(0, start) - start) < 1e-12);
    assert.equal(posterior(1e3, start), 1);
    assert.ok(posterior(2, start) > posterior(1, start));
  }
});

test("so many people are covered, the last one in part", () => {
  assert.equal(covered(0), "M0 0H280V0H0ZM0 0H0.0V24H0Z");
  assert.equal(covered(50), "M0 0H280V48H0ZM0 48H140.0V72H0Z");
  assert.match(covered(73.1), /H183\.4V96H0Z$/);
});

test("the reader's prior moves the people of every figure, and is kept", () => {
  page();
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
  let moved = 0;
  const end = onPrior(() => (moved += 1));
  const people = new OddsPictogram(() => people.draw(shown, text));
  const shown = { ahead: null, indexOf: () => 1 };
  const text = {
    strings: ["", "Suppose somebody {before}. They can be {after} (More.)"],
    brief: ["Is Ada in the data?\ncan fail"],
    bounds: [0, 1], dims: ["epsilon"], sizes: [2], along: {},
  }; // biome-ignore format: short
  people.update(text);
  people.draw(shown, text);
  assert.equal(
    people.full.body.textContent,
    "Suppose somebody thinks it is 50 to 50. They can be at most 73.2\u00a0% sure. (More.)",
  );
  assert.equal(people.keyAfter.textContent, "sure after: at most 73.2\u00a0%");
  assert.equal(people.asked.textContent, "Is Ada in the data?");
  assert.deepEqual(
    people.limits.children.map((limit) => limit.textContent),
    ["can fail"],
  );
  assert.match(
    people.picture.attributes["aria-label"],
    /^Of a hundred people, 50 before the result, at most 73.2 after/,
  );
  assert.equal(people.keyReached.hidden, true);
  people.draw(shown, { ...text, strings: ["", "{before}{after}"], reached: [0, 0.5] });
  assert.equal(people.keyReached.textContent, "best attack we know: 62.2\u00a0%");
  assert.match(people.picture.attributes["aria-label"], /62.2\s% after the best attack we know, at most 73.2/);
  people.draw(shown, text);
  people.input.value = "20";
  people.input.fire("input");
  assert.equal(prior(), 20);
  assert.equal(moved, 1);
  assert.match(people.full.body.textContent, /is 20\u00a0% sure.*at most 40\.5\u00a0% sure/);
  people.draw(shown, { ...text, bounds: [0, 20] });
  assert.equal(people.keyAfter.textContent, "sure after: practically certain");
  end();
  people.remove();
  setPrior("7");
  assert.equal(moved, 1);
  assert.match(people.full.body.textContent, /20\u00a0%/);
  kept.set("dp.prior", "nonsense");
  assert.equal(prior(), 50);
  people.update(undefined);
  assert.equal(people.root.hidden, true);
  delete globalThis.sessionStorage;
});
