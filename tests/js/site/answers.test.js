// Answers on the static site: what is read, how it is spelled, and which reply it has.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { digest, reply, spelled } from "../../../assets/site/answers.js";
import { compute } from "../../../assets/site/arithmetic.js";
import { sha256 } from "../../../assets/site/sha256.js";

test("the digest is SHA-256 at every length around a block", () => {
  for (let n = 0; n < 140; n++) {
    const text = "aε".repeat(n);
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
  }
});

test("arithmetic is read as in the app", () => {
  const read = {
    "ln(3)/2": Math.log(3) / 2,
    "1.5·10⁻⁵": 1.5e-5,
    "(0,5 - 1/4)/0.5": 0.5,
    "√4": 2,
    "-2^2": -4,
    "2^-1": 0.5,
    "2^3^2": 512,
    "8/4/2": 1,
    "2x10^3": 2000,
    "½ + pi": 0.5 + Math.PI,
    "−1.3e-5": -1.3e-5,
    "abs(-3) - +1": 2,
  };
  for (const [text, value] of Object.entries(read)) {
    const found = compute(text);
    assert.ok(found !== null && Math.abs(found - value) <= 1e-12 * Math.abs(value), text);
  }
});

test("what has two readings, or no finite value, is not read", () => {
  const odd = [
    "1,000",
    "1.300",
    "1.000,5",
    "2 3",
    "sqrt 4",
    "1.3*10-5",
    "1/0",
    "ln(-1)",
    "alert(1)",
    "x",
    "(1",
    "5 %",
    "",
  ];
  for (const text of [...odd, "1".repeat(61)]) assert.equal(compute(text), null, text);
});

test("numbers are spelled to three digits, halves away from 0", () => {
  const spellings = { "3.73e+0": 3.7306, "-1.23e-4": -0.00012345, "1.00e+3": 999.6, "1.13e+0": 1.125, 0: 0 };
  for (const [text, value] of Object.entries(spellings)) assert.equal(spelled(value), text);
});

const WORDS = { right: "Right.", wrong: "No.", empty: "Empty.", unread: "Unread.", upside_down: "Exchange." };
const of = (...answers) => answers.map((answer, k) => [digest("s", `q.${k}`, answer)]);

test("a number is right, a known mistake, wrong or unread", () => {
  const question = {
    name: "q",
    kind: "number",
    right: of("3.73e+0"),
    wrong: [{ digests: of("4.84e+0"), says: "Hint." }],
  };
  const checks = { salt: "s", parts: [question], ...WORDS };
  assert.deepEqual(reply(checks, question, ["3.7306"]), { right: true, says: "Right." });
  assert.deepEqual(reply(checks, question, ["4.8448"]), { right: false, says: "No. Hint." });
  assert.deepEqual(reply(checks, question, ["5"]), { right: false, says: "No." });
  assert.deepEqual(reply(checks, question, ["five"]), { right: null, says: "Unread." });
  assert.deepEqual(reply(checks, question, [" "]), { right: null, says: "Empty." });
  assert.deepEqual(reply(checks, question, []), { right: null, says: "Empty." });
});

test("both ends of an interval have to fit, the letters of steps may be written with blanks", () => {
  const interval = { name: "q", kind: "interval", right: of("1.00e+0", "2.00e+0"), wrong: [] };
  const checks = { salt: "s", parts: [interval], ...WORDS };
  assert.equal(reply(checks, interval, ["1", "2"]).right, true);
  assert.equal(reply(checks, interval, ["1", "3"]).right, false);
  assert.deepEqual(reply(checks, interval, ["2", "1"]), { right: null, says: "Exchange." });
  const steps = { name: "q", kind: "steps", right: of("BAC"), wrong: [] };
  assert.equal(reply(checks, steps, ["b, a c"]).right, true);
  assert.equal(reply(checks, steps, ["abc"]).right, false);
});
