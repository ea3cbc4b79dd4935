// Groups of controls: a row where there is one, folded behind their headings where there are several.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { page } from "../page.js";

let html = page();
const { ControlSet } = await import("../../../assets/live/controls/control_set.js");
const { Layout } = await import("../../../assets/live/frame/layout.js");

const handle = (name, group = "", more = {}) => ({
  ...{ kind: "slider", name, label: name, symbol: name, help: "", why: "", grid: [1, 2, 3], ends: ["", ""], words: [] },
  ...{ mode: "local", more: false, disabled: false, hidden: false, play: false, unit: "", format: "", group, ...more },
});
const host = { set() {}, moved() {}, value: () => 1, act() {}, near() {} };
const found = (root, className) => root.all(className).filter((node) => !node.hidden);

const ones = (specs) => Object.fromEntries(specs.map(({ name }) => [name, 1]));

function shown(specs, layout = new Layout(() => {}), set = new ControlSet(host, layout), values = ones(specs)) {
  html.body.append(layout.root);
  set.update(new Map(specs.map((spec) => [spec.name, spec])), values);
  return { layout, set };
}

beforeEach(() => {
  html = page();
});

test("one group is an open row under its heading, where its first control stands", () => {
  const { layout } = shown([handle("e"), handle("c", "row"), handle("d"), handle("q", "row")]);
  const [first, group, last] = layout.first.children;
  assert.deepEqual([layout.first.children.length, group.getAttribute("aria-label")], [3, "row"]);
  assert.ok(group.classList.contains("dp-group-row") && first.textContent && last.textContent);
  assert.equal(found(group, "dp-control").length, 2);
  assert.deepEqual([found(group, "dp-fold").length, found(group, "dp-group-title")[0].textContent], [0, "row"]);
});

test("of several groups the first is open, and a choice is remembered by the next figure", () => {
  const specs = [handle("c", "one"), handle("s", "two"), handle("p", "three", { hidden: true })];
  const { layout } = shown(specs);
  const folds = found(layout.first, "dp-fold");
  const open = (buttons) => buttons.map((one) => one.getAttribute("aria-expanded"));
  assert.equal(layout.first.children[2].hidden, true);
  assert.deepEqual(open(folds).slice(0, 2), ["true", "false"]);
  folds[0].click();
  folds[1].click();
  assert.deepEqual(open(folds).slice(0, 2), ["false", "true"]);
  const later = found(shown(specs).layout.first, "dp-fold");
  assert.deepEqual(open(later).slice(0, 2), ["false", "true"]);
});

test("a group of a tab is a row behind the panels there, and no group beside the figure", () => {
  const { layout, set } = shown([handle("e", "one"), handle("c", "net", { tab: "DP-SGD" })]);
  const home = document.createElement("div");
  home.append(document.createElement("p"));
  set.settle(new Map([["DP-SGD", home]]));
  const group = home.children[1];
  assert.deepEqual([home.children.length, group.getAttribute("aria-label")], [2, "net"]);
  assert.ok(group.classList.contains("dp-group-row"));
  assert.equal(set.row.getAttribute("aria-label"), "one");
  set.settle(new Map([["DP-SGD", home]]));
  assert.deepEqual([home.children.length, layout.first.children.length], [2, 1]);
});

test("a folded group says its values in one line, which follows them", () => {
  const choice = {
    kind: "choice",
    options: [
      ["a", "Two moons"],
      ["b", "Iris"],
    ],
  };
  const specs = [
    handle("c", "one"),
    handle("s", "two", choice),
    handle("seed", "two", { symbol: "", label: "noise seed" }),
    handle("t", "two", { kind: "toggle", label: "inside" }),
    handle("u", "two", { hidden: true }),
  ];
  const { layout, set } = shown(specs, undefined, undefined, { c: 1, s: "b", seed: 2, t: true, u: 1 });
  const line = () => found(layout.first, "dp-fold")[1].textContent;
  assert.equal(line(), "twoIris, noise seed 2, inside: on");
  set.show("seed", 3);
  set.show("c", 2);
  assert.equal(line(), "twoIris, noise seed 3, inside: on", "a link, a lock or a classroom sets it all the same");
  shown(specs.slice(0, 3), layout, set, { c: 1, s: "a", seed: 1 });
  assert.equal(line(), "twoTwo moons, noise seed 1");
});

test("a group turns from a row into folds as more groups are seen", () => {
  const specs = [handle("c", "a row"), handle("s", "a fold", { hidden: true })];
  const { layout, set } = shown(specs);
  assert.ok(layout.first.children[0].classList.contains("dp-group-row"));
  shown([specs[0], handle("s", "a fold")], layout, set);
  assert.ok(!layout.first.children[0].classList.contains("dp-group-row"));
  assert.equal(found(layout.first, "dp-fold").length, 2);
});
