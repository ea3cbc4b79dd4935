// What is fetched ahead of a reader, and what is left alone.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { Intent, sense, sparing } from "../../assets/live/intent.js";
import { Element } from "./page.js";

function supplied() {
  const asked = [];
  const supply = {
    bring: (purpose, priority) => asked.push([purpose, priority]),
    rest: () => asked.push(["rest", "low"]),
  };
  const told = [];
  const intent = new Intent(supply, () => told.push(intent.near));
  return { asked, told, intent };
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
  intent.control("clip", false);
  intent.tab("Two");
  assert.deepEqual(asked, [
    ["preview clip", "high"],
    ["tab Two", "high"],
  ]);
});

test("Python hears of a control with which a pointer stays, and of each once", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { told, intent } = supplied();
  for (const name of ["rate", "clip"]) intent.control(name, true);
  mock.timers.tick(200);
  assert.deepEqual(told, [["clip"]], "the other one was only passed");
  intent.control("clip", true);
  intent.control("epsilon", false);
  mock.timers.tick(200);
  assert.equal(told.length, 1, "known, or drawn here");
  intent.control("batch", true);
  mock.timers.tick(200);
  assert.deepEqual(told.at(-1), ["batch", "clip"]);
  intent.control("rate", true);
  intent.stop();
  mock.timers.tick(200);
  assert.equal(told.length, 2);
  mock.timers.reset();
});

test("after an answer the last control's arrays are fetched anew, then the rest", () => {
  const { asked, intent } = supplied();
  intent.drawn();
  assert.deepEqual(asked.splice(0), [["rest", "low"]]);
  for (const name of ["clip", "rate", "clip"]) intent.control(name, false);
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
