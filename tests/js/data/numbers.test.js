// Numbers as a reader meets them; tests/ui/words/test_numbers.py holds Python to the same table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { format, unparted } from "../../../assets/live/data/numbers.js";

const { cases } = JSON.parse(readFileSync(new URL("../numbers.json", import.meta.url), "utf8"));
const NAMED = { inf: Infinity, "-inf": -Infinity, nan: NaN };

test("numbers are written as in Python", () => {
  assert.ok(cases.length > 100);
  for (const [value, code, expected] of cases) {
    assert.equal(format(NAMED[value] ?? value, code), expected, `${value} as ${code}`);
  }
});

test("three digits when nothing is asked for, and a code that is not known reads like none", () => {
  assert.equal(format(0.12345), "0.123");
  assert.equal(format(0.12345, "nonsense"), "0.123");
});

test("a line does not end between a number and its sign of per cent", () => {
  assert.equal(
    unparted("at most 73.2 % sure, 5 % and some % more"),
    "at most 73.2\u00a0% sure, 5\u00a0% and some % more",
  );
});
