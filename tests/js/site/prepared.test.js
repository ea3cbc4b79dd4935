// Which prepared state answers an event, and what the address of a page says of its values.

import assert from "node:assert/strict";
import test from "node:test";
import { fromLink, keeping, notShown, redrawn, stateFor, toLink } from "../../../assets/site/prepared.js";

const SPEC = {
  prepared: [
    ["noise", ["laplace", "gaussian"]],
    ["clip_norm", [0.1, 0.5, 2]],
    ["seed", [0, 1]],
  ],
  states: Array.from({ length: 12 }, (_, k) => `state-${k}`),
  usual: { noise: "laplace", clip_norm: 0.5, seed: 0 },
};
const USUAL = { noise: "laplace", clip_norm: 0.5, project: true, epsilon: 1 };

test("every combination of prepared values is a state of its own, the last value changing fastest", () => {
  const [[, noises], [, norms], [, seeds]] = SPEC.prepared;
  const found = noises.flatMap((noise) =>
    norms.flatMap((clip_norm) => seeds.map((seed) => stateFor(SPEC, { noise, clip_norm, seed }))),
  );
  assert.deepEqual(found, SPEC.states);
});

test("between prepared numbers the nearest counts, and the first for what is not prepared", () => {
  assert.equal(stateFor(SPEC, { noise: "laplace", clip_norm: 0.4, seed: 0 }), "state-2");
  assert.equal(stateFor(SPEC, { noise: "staircase", clip_norm: 99, seed: 7 }), "state-5");
  assert.equal(stateFor({ prepared: [], states: ["only"], usual: {} }, { clip_norm: 3 }), "only");
});

test("what a link does not name has the value with which the page opens, not the first of the prepared ones", () => {
  assert.equal(stateFor(SPEC, {}), "state-2");
  assert.equal(stateFor(SPEC, { noise: "gaussian" }), "state-8");
});

test("redraw goes through the prepared seeds and begins again", () => {
  const once = redrawn(SPEC, { seed: 0, epsilon: 2 });
  assert.deepEqual(once, { seed: 1, epsilon: 2 });
  assert.deepEqual(redrawn(SPEC, once), { seed: 0, epsilon: 2 });
  assert.deepEqual(redrawn({ prepared: [] }, { seed: 3 }), { seed: 3 });
});

test("a state keeps the reader's values of what the browser follows, if it allows them", () => {
  const controls = [
    { name: "epsilon", kind: "slider", mode: "local", grid: [0.1, 1, 10] },
    { name: "clip_norm", kind: "slider", mode: "server", grid: [0.1, 0.5] },
    {
      name: "view",
      kind: "choice",
      mode: "local",
      options: [
        ["a", "A"],
        ["b", "B"],
      ],
    },
    { name: "ada", kind: "toggle", mode: "local" },
  ];
  const values = { epsilon: 1, clip_norm: 0.5, view: "a", ada: true };
  const kept = keeping({ controls, values }, { epsilon: 9, clip_norm: 0.1, view: "gone", ada: false });
  assert.deepEqual(kept, { epsilon: 10, clip_norm: 0.5, view: "a", ada: false });
});

test("an address holds the values that differ, and gives them back", () => {
  assert.equal(toLink(USUAL, USUAL), "");
  const values = { noise: "gaussian", clip_norm: 2, project: false, epsilon: 1 };
  const query = toLink({ ...values, raised: 7 }, USUAL);
  assert.equal(query, "?noise=gaussian&clip_norm=2&project=no");
  assert.deepEqual({ ...USUAL, ...fromLink(query, USUAL) }, values);
});

test("what an address says of other names, or in other words, counts for nothing", () => {
  assert.deepEqual(fromLink("?constructor=1&epsilon=x&clip_norm=2&depth=check", USUAL), { clip_norm: 2 });
});

test("a reader hears of what a link asks for and the figure does not show", () => {
  assert.deepEqual(notShown({ clip_norm: 0.7, noise: "gaussian", own: 1 }, { clip_norm: 0.5, noise: "gaussian" }), [
    "clip_norm",
  ]);
});
