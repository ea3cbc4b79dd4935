// What is said of a vote on a printed formula, and the score.

import assert from "node:assert/strict";
import test from "node:test";
import { score, told } from "../../../assets/site/votes.js";

const WORDS = {
  told: "It is {verdict}.",
  agreed: "Yes: {verdict}.",
  differed: "You said {vote}: {verdict}.",
  score: "{right} of {n}",
};

test("the verdict is told with the vote, or alone if somebody only looks", () => {
  assert.equal(told(WORDS, "right", "right"), "Yes: right.");
  assert.equal(told(WORDS, "right", "wrong"), "You said right: wrong.");
  assert.equal(told(WORDS, "show", "wrong"), "It is wrong.");
});

test("the score counts votes, and not what was only looked at", () => {
  const votes = ["right", "wrong", "show"].map((vote) => ({ vote, verdict: "wrong" }));
  assert.equal(score(WORDS, votes), "1 of 2");
  assert.equal(score(WORDS, votes.slice(2)), "");
});
