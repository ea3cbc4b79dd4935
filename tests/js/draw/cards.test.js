// People who raise their cards: who has, who does, who has not yet, and what a card says.

import assert from "node:assert/strict";
import test from "node:test";
import { LAYERS } from "../../../assets/live/draw/draw.js";
import { COLOURS } from "../given.js";

/** What is drawn of three people: the colour of each head, and colour and height of each card. */
function drawn({ xy = [0, 0, 1, 0, 2, 0], answers = [1, 0, 1], fallen, ...more } = {}) {
  const heads = [];
  const cards = [];
  const wheels = [];
  let path = [];
  const ctx = {
    beginPath: () => {
      path = [];
    },
    moveTo: (x, y) => path.push([x, y]),
    lineTo: (x, y) => path.push([x, y]),
    closePath() {},
    arc: (_x, _y, _r, begin, end) => {
      if (end - begin < 6.28) wheels.push(Number(((end - begin) / (2 * Math.PI)).toFixed(6)));
      path = ["head"];
    },
    fill: () => {
      if (path[0] === "head") heads.push(ctx.fillStyle);
      if (path.length === 4) cards.push([ctx.fillStyle, path[0][1]]);
    },
    stroke() {},
  };
  const given = { xy, answers };
  const env = {
    get: (name) => given[name],
    scalar: (value) => value,
    x: (x) => 10 * x,
    y: (y) => -10 * y,
    colours: COLOURS,
    fallen,
  };
  LAYERS.cards(ctx, { kind: "cards", xy: "xy", answers: "answers", ...more }, env);
  return { heads, cards, wheels };
}

test("a full card says yes, an empty one no, and the named person has a colour of their own", () => {
  const { heads, cards } = drawn({ person: 1 });
  assert.deepEqual(
    cards.map(([colour]) => colour),
    [COLOURS.other, COLOURS.ground, COLOURS.other],
  );
  assert.equal(heads.length, 3);
  assert.notEqual(heads[1], heads[0]);
  assert.equal(heads[2], heads[0]);
});

test("who has not raised a card yet is seen without one, and a card goes up on its way", () => {
  const at = (place) => drawn({ fallen: () => ({ place, flight: 1 }) });
  assert.equal(at(0).heads.length, 3);
  assert.equal(at(0).cards.length, 0);
  const [low, high] = [at(0.2).cards, at(0.9).cards];
  assert.equal(low.length, 1);
  assert.ok(high[0][1] < low[0][1], "higher on the screen");
  assert.equal(at(3).cards.length, 3);
});

test("who is next spins a wheel with the share of true answers, and nobody else does", () => {
  const at = (place, wheel) => drawn({ wheel, fallen: () => ({ place, flight: 1 }) }).wheels;
  assert.deepEqual(at(0, 0.75), [], "nothing has begun");
  assert.deepEqual(at(0.2, 0.75), [0.75]);
  assert.deepEqual(at(3, 0.75), []);
  assert.deepEqual(at(0.2, undefined), []);
});

test("who is not there is not drawn", () => {
  const { heads, cards } = drawn({ xy: [0, 0, Number.NaN, Number.NaN, 2, 0] });
  assert.equal(heads.length, 2);
  assert.equal(cards.length, 2);
});

test("the large wheel turns before the card of the named person, and has the words of its two fields", () => {
  const large = (place, more = {}) => {
    const said = [];
    const paths = [];
    let path = [];
    const ctx = {
      beginPath: () => {
        path = [];
      },
      moveTo: (x, y) => path.push([x, y]),
      lineTo: (x, y) => path.push([x, y]),
      closePath() {},
      arc() {},
      fill: () => paths.push(path),
      stroke() {},
      fillText: (text) => said.push(text),
    };
    const env = {
      get: (name) => ({ xy: [0, 0, 1, 0, 2, 0], answers: [1, 0, 1], ...more })[name],
      scalar: (value) => value,
      x: (x) => 10 * x,
      y: (y) => -10 * y,
      colours: COLOURS,
      fallen: () => ({ place, flight: 1 }),
    };
    const words = ["truth", "lie", "secret", "Ada"];
    LAYERS.cards(
      ctx,
      { kind: "cards", xy: "xy", answers: "answers", person: 1, wheel: 0.75, large: [5, 0, 2], words },
      env,
    );
    const [truth, lie] = paths.filter((one) => one.length > 4 && one[0][0] === 50 && one[0][1] === 0);
    const pointer = paths.find((one) => one.length === 3);
    return { said, pointer, begin: truth?.[1], steps: [truth?.length, lie?.length] };
  };
  assert.deepEqual(large(0).said, ["Ada", "truth", "lie", "?", "secret"]);
  assert.ok(large(0).steps[0] > 2 * large(0).steps[1], "three quarters, and one");
  assert.deepEqual(large(0).pointer?.[0], [50, -18], "its tip lies within the rim, which is at -20");
  assert.deepEqual(large(-1).pointer, large(0).pointer, "and it stands still");
  assert.notDeepEqual(large(0).begin, large(-1).begin, "it turns");
  assert.deepEqual(large(1).begin, large(3).begin, "it has stopped");
  assert.deepEqual(large(3, { xy: [0, 0, Number.NaN, Number.NaN, 2, 0] }).said, [], "without her there is no wheel");
});
