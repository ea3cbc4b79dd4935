// What is fetched ahead of a reader, and what is left alone.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { onApproach, Prefetch, savesData } from "../../../assets/live/data/prefetch.js";
import { Element } from "../page.js";

function supplied() {
  const asked = [];
  const loader = {
    bring: (purpose, priority) => asked.push([purpose, priority]),
    rest: () => asked.push(["rest", "low"]),
  };
  const told = [];
  const prefetch = new Prefetch(loader, () => told.push(prefetch.near));
  return { asked, told, prefetch };
}

test("a pointer or the focus is enough", () => {
  const target = new Element("div");
  let felt = 0;
  onApproach(target, () => (felt += 1));
  target.fire("pointerenter");
  target.fire("focusin");
  assert.equal(felt, 2);
});

test("what a control needs comes first, what a tab needs too", () => {
  const { asked, prefetch } = supplied();
  prefetch.control("clip", false);
  prefetch.tab("Two");
  assert.deepEqual(asked, [
    ["preview clip", "high"],
    ["tab Two", "high"],
  ]);
});

test("Python hears of a control with which a pointer stays, and of each once", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { told, prefetch } = supplied();
  for (const name of ["rate", "clip"]) prefetch.control(name, true);
  mock.timers.tick(200);
  assert.deepEqual(told, [["clip"]], "the other one was only passed");
  prefetch.control("clip", true);
  prefetch.control("epsilon", false);
  mock.timers.tick(200);
  assert.equal(told.length, 1, "known, or drawn here");
  prefetch.control("batch", true);
  mock.timers.tick(200);
  assert.deepEqual(told.at(-1), ["batch", "clip"]);
  prefetch.control("rate", true);
  prefetch.stop();
  mock.timers.tick(200);
  assert.equal(told.length, 2);
  mock.timers.reset();
});

test("after an answer the last control's arrays are fetched anew, then the rest", () => {
  const { asked, prefetch } = supplied();
  prefetch.drawn();
  assert.deepEqual(asked.splice(0), [["rest", "low"]]);
  for (const name of ["clip", "rate", "clip"]) prefetch.control(name, false);
  asked.length = 0;
  prefetch.drawn();
  assert.deepEqual(asked, [
    ["preview clip", undefined],
    ["rest", "low"],
  ]);
});

test("nothing is fetched in advance for who saves data", (context) => {
  const saved = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  context.after(() => Object.defineProperty(globalThis, "navigator", saved));
  Object.defineProperty(globalThis, "navigator", { value: { connection: { saveData: true } }, configurable: true });
  assert.equal(savesData(), true);
  const { asked, prefetch } = supplied();
  prefetch.drawn();
  assert.deepEqual(asked, []);
  prefetch.tab("Two");
  assert.deepEqual(asked, [["tab Two", "high"]], "what is wanted comes all the same");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  assert.equal(savesData(), false);
});
