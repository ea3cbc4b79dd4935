// What is fetched ahead of a reader, and what is left alone.

import assert from "node:assert/strict";
import test from "node:test";
import { Intent, sense, sparing } from "../../assets/live/intent.js";
import { Element } from "./page.js";

function supplied() {
  const asked = [];
  const supply = {
    bring: (purpose, priority) => asked.push([purpose, priority]),
    rest: () => asked.push(["rest", "low"]),
  };
  return { asked, intent: new Intent(supply) };
}

test("a pointer or the focus is enough", () => {
  const target = new Element("div");
  let felt = 0;
  sense(target, () => (felt += 1));
  target.fire("pointerenter");
  target.fire("focusin");
  assert.equal(felt, 2);
});

test("what a control needs comes first, what a tab needs too", () => {
  const { asked, intent } = supplied();
  intent.control("clip");
  intent.tab("Two");
  assert.deepEqual(asked, [
    ["preview clip", "high"],
    ["tab Two", "high"],
  ]);
  assert.deepEqual([...intent.near], ["clip"]);
});

test("after an answer the last control's arrays are fetched anew, then the rest", () => {
  const { asked, intent } = supplied();
  intent.drawn();
  assert.deepEqual(asked.splice(0), [["rest", "low"]]);
  for (const name of ["clip", "rate", "clip"]) intent.control(name);
  assert.deepEqual([...intent.near], ["rate", "clip"]);
  asked.length = 0;
  intent.drawn();
  assert.deepEqual(asked, [
    ["preview clip", undefined],
    ["rest", "low"],
  ]);
});

test("nothing is fetched in advance for who saves data", (context) => {
  const saved = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  context.after(() => Object.defineProperty(globalThis, "navigator", saved));
  Object.defineProperty(globalThis, "navigator", { value: { connection: { saveData: true } }, configurable: true });
  assert.equal(sparing(), true);
  const { asked, intent } = supplied();
  intent.drawn();
  assert.deepEqual(asked, []);
  intent.tab("Two");
  assert.deepEqual(asked, [["tab Two", "high"]], "what is wanted comes all the same");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  assert.equal(sparing(), false);
});
