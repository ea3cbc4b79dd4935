// The elements of controls: what a hand does, and what the figure hears.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { page } from "../page.js";

let html = page();
const { control } = await import("../../../assets/live/controls/controls.js");

const PLAIN = { symbol: "", label: "thing", help: "", more: false, disabled: false, hidden: false, mode: "server" };
let heard = [];

function made(spec, value) {
  const values = { [spec.name]: value };
  const host = {
    set: (name, now) => {
      values[name] = now;
      heard.push(now);
      view.show(now);
    },
    moved: (_name, how) => heard.push(how),
    value: (name) => values[name],
    act: (name) => heard.push(`act ${name}`),
  };
  const view = control(host, spec);
  html.body.append(view.root);
  view.update(spec, value);
  return view;
}
const tagged = (view, tag) => view.root.all().find((node) => node.tag === tag);

beforeEach(() => {
  html = page();
  heard = [];
});

test("a choice tells what was chosen, and shows what is", () => {
  const spec = {
    ...PLAIN,
    kind: "choice",
    name: "d",
    options: [
      ["a", "First"],
      ["b", "Second"],
    ],
  };
  const view = made(spec, "b");
  const input = tagged(view, "select");
  assert.deepEqual([input.selectedIndex, input.textContent], [1, "FirstSecond"]);
  input.selectedIndex = 0;
  input.fire("change");
  assert.deepEqual(heard, ["a", "commit"]);
  view.update({ ...spec, options: [["c", "Third"]], disabled: true }, "c");
  assert.deepEqual([input.selectedIndex, input.textContent, input.disabled], [0, "Third", true]);
});

test("a switch is on or off", () => {
  const view = made({ ...PLAIN, kind: "toggle", name: "t", help: "why" }, true);
  const input = tagged(view, "input");
  assert.equal(input.checked, true);
  input.checked = false;
  input.fire("change");
  assert.deepEqual(heard, [false, "commit"]);
  const asks = view.root.button("What is thing?");
  const [text] = view.root.all("dp-help-text");
  asks.click();
  assert.deepEqual([text.hidden, text.textContent, asks.attributes["aria-expanded"]], [false, "why", "true"]);
});

test("a number that is not allowed goes back to what it was", () => {
  const view = made({ ...PLAIN, kind: "number", name: "n", low: 0, high: null, help: "why" }, 7);
  const input = tagged(view, "input");
  assert.deepEqual([input.value, input.min, input.max], ["7", "0", ""]);
  input.value = "12";
  input.fire("change");
  assert.deepEqual(heard, [12, "commit"]);
  input.value = "-1";
  input.fire("change");
  assert.equal(input.value, "12");
  input.valid = false; // the browser says it itself
  input.value = "x";
  input.fire("change");
  assert.equal(input.value, "x");
  assert.deepEqual(heard, [12, "commit"]);
});

test("buttons tell their action", () => {
  const actions = [
    ["redraw", "Redraw", "again"],
    ["pin", "Pin", undefined],
  ];
  const view = made({ ...PLAIN, kind: "buttons", name: "b", actions }, undefined);
  view.root.button("Redraw").click();
  view.show();
  assert.deepEqual([heard, view.root.button("Pin").title], [["act redraw"], "Pin"]);
  const pin = view.root.button("Pin");
  view.update({ ...PLAIN, kind: "buttons", name: "b", actions });
  assert.equal(view.root.button("Pin"), pin);
  view.update({ ...PLAIN, kind: "buttons", name: "b", actions: [["pin", "Pin", undefined]] });
  assert.deepEqual([view.root.children.length, view.root.button("Pin").title], [1, "Pin"]);
});

const SLIDER = {
  ...PLAIN,
  kind: "slider",
  name: "s",
  symbol: "ε",
  grid: [1, 2, 4, 8],
  ends: ["low", "high"],
  unit: " m",
};

test("a slider says its value, and is let go when the pointer is up", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const view = made({ ...SLIDER, help: "why" }, 8);
  const input = tagged(view, "input");
  assert.deepEqual(
    [input.value, input.attributes["aria-valuetext"], input.style["--share"], tagged(view, "output").value],
    ["3", "8 m, high", "100%", "8 m"],
  );
  input.fire("pointerdown");
  input.value = "1";
  input.fire("input");
  html.root.fire("pointerup");
  mock.timers.tick(50);
  input.fire("change");
  assert.deepEqual(heard, [2, "drag", "commit"]);
  assert.deepEqual(html.root.listeners.pointerup, []);
  input.value = "2";
  input.fire("input");
  input.fire("change");
  assert.deepEqual(heard.slice(3), [4, "drag", "key"]);
  input.fire("pointerdown");
  input.fire("input");
  input.fire("change");
  assert.deepEqual([heard.slice(6), html.root.listeners.pointerup], [[4, "drag", "commit"], []]);
  mock.timers.reset();
});

test("a button moves a slider one place on, up to its end", () => {
  const view = made({ ...SLIDER, press: "Ask again" }, 2);
  const press = view.root.button("Ask again");
  press.click();
  assert.deepEqual([heard, press.disabled], [[4, "key"], false]);
  press.click();
  assert.deepEqual([heard.slice(2), press.disabled], [[8, "key"], true]);
  view.update({ ...SLIDER, press: "Ask again" }, 1);
  assert.equal(press.disabled, false);
});

test("the button begins again at the first place from a place on", () => {
  const view = made({ ...SLIDER, press: "Ask again", press_anew: 4 }, 4);
  const press = view.root.button("Ask again");
  press.click();
  press.click();
  press.click();
  press.click();
  assert.deepEqual(heard, [1, "key", 2, "key", 4, "key", 1, "key"]);
});

test("a slider plays to its end, steps, and is stopped by a hand", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const view = made({ ...SLIDER, play: true }, 1);
  view.root.button("Play").click();
  assert.ok(view.root.button("Pause"));
  mock.timers.tick(600 * 10);
  assert.deepEqual(heard, [2, "drag", 4, "drag", 8, "drag", "commit"]);
  assert.ok(view.root.button("Play"));
  heard = [];
  for (const name of ["Back to the start", "One step on", "One step back", "To the end"])
    view.root.button(name).click();
  assert.deepEqual(heard, [1, "key", 2, "key", 1, "key", 8, "key"]);
  heard = [];
  view.root.button("Play").click();
  const input = tagged(view, "input");
  input.value = "2";
  input.fire("input");
  mock.timers.tick(1000);
  assert.deepEqual(heard, [1, "key", 4, "drag"]);
  view.root.button("Play").click();
  view.root.remove();
  mock.timers.tick(1000);
  assert.equal(heard.at(-1), "commit", "what is gone plays no more");
  mock.timers.reset();
});

test("a control that does nothing now is disabled and says why, until it does something again", () => {
  const spec = {
    ...PLAIN,
    kind: "slider",
    name: "delta",
    grid: [1, 2],
    ends: ["", ""],
    why: "Laplace noise has no δ.",
  };
  const view = made(spec, 1);
  view.update({ ...spec, disabled: true }, 1);
  const [why] = view.root.all("dp-why");
  assert.deepEqual([view.input.disabled, why.hidden, why.textContent], [true, false, "Laplace noise has no δ."]);
  assert.equal(view.input.getAttribute("aria-describedby"), why.id);
  view.update({ ...spec, why: "" }, 1);
  assert.deepEqual([why.hidden, view.input.getAttribute("aria-describedby")], [true, null]);
});
