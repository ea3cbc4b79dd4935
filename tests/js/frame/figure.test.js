// A whole figure in a page that is made up: what it draws, tells and says.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { array, axis } from "../given.js";
import { page } from "../page.js";

let html = page();
const { render } = await import("../../../assets/live/main.js");

const SLIDER = { kind: "slider", symbol: "", help: "", mode: "local", more: false, disabled: false, hidden: false };
const CONTROLS = [
  { ...SLIDER, name: "epsilon", label: "privacy parameter", grid: [1, 2, 3], ends: ["more", "less"], unit: "" },
  { ...SLIDER, name: "clip", label: "norm", grid: [1, 2, 3], mode: "server", ends: ["", ""], unit: "" },
  { ...SLIDER, name: "dx", label: "dx", grid: [-1, 0, 1], hidden: true, more: true },
  { ...SLIDER, name: "dy", label: "dy", grid: [-1, 0, 1], hidden: true, more: true },
  {
    ...SLIDER,
    kind: "buttons",
    name: "actions",
    label: "",
    actions: [
      ["pin", "Pin", ""],
      ["reset", "Reset", ""],
    ],
  },
];
const PANEL = {
  caption: "",
  alt: "error {error}",
  link: "",
  tab: "",
  height: 100,
  fixed: false,
  layers: [],
  still: "",
};
const MAP = {
  ...PANEL,
  key: "map",
  title: "Map",
  kind: "map",
  link: "both",
  x: axis([0, 1]),
  y: axis([0, 1]),
  layers: [
    { kind: "regions", centres: "means", labels: [0, 1] },
    { kind: "points", xy: [0.1, 0.1, 0.2, 0.2], labels: [0, 1] },
    { kind: "handle", x: "dx", y: "dy", origin: [1, 1], label: "Ada" },
  ],
};
const CURVE = { ...MAP, key: "curve", title: "Curve", kind: "plot", layers: [{ kind: "line", x: [0, 1], y: "curve" }] };
const TILES = {
  ...PANEL,
  key: "tiles",
  title: "Pictures",
  kind: "mosaic",
  tab: "One",
  tiles: "tiles",
  shape: [1, 2],
  columns: 2,
  captions: [],
  rows: [],
  range: [0, 1],
};
const LATER = { ...CURVE, key: "later", title: "Later", tab: "Two", link: "" };

const ARRAYS = {
  error: array([0.5, 0.25, 0.125], [3], ["epsilon"]),
  means: array([0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0], [3, 2, 2], ["epsilon", null, null]),
  curve: array([0, 1, 0, 2, 0, 3], [3, 2], ["clip", null]),
  curve_by_clip: array([0, 4, 0, 5, 0, 6], [3, 2], ["clip", null]),
  tiles: array([0, 1, 1, 0], [2, 1, 2], [null, null, null]),
};
const VALUES = { epsilon: 1, clip: 1, dx: 0, dy: 0 };

let serial = 0;
function opened(change = {}) {
  const parent = html.body.children[0] ?? document.createElement("main");
  html.body.append(parent);
  const told = [];
  const data = {
    name: `page${++serial}`,
    seq: 0,
    session: "one",
    controls: CONTROLS,
    values: VALUES,
    arrays: ARRAYS,
    files: [],
    coords: {},
    panels: [MAP, CURVE, TILES, LATER],
    readouts: [{ label: "error", value: "error", format: ".0%", note: "of all", help: "", role: "private" }],
    texts: [{ strings: ["a", "b", "c"], dims: ["epsilon"], sizes: [3], along: {} }],
    compact: false,
    previews: {},
    busy: null,
    ...change,
  };
  const found = {
    told,
    data,
    async answer(more = {}) {
      Object.assign(data, more);
      found.end = render({ data: { ...data }, parentElement: parent, setStateValue: (_, event) => told.push(event) });
      for (let turn = 0; turn < 30; turn++) await null;
      html.frame();
    },
    get seen() {
      return window.__dpLive[data.name];
    },
    get root() {
      return parent.children[0];
    },
    one: (name) => parent.all(name)[0],
    slider: (label) => parent.all().find((node) => node.tag === "input" && node.attributes["aria-label"] === label),
    pull(label, place) {
      const input = found.slider(label);
      input.fire("pointerdown");
      input.value = String(place);
      input.fire("input");
      html.frame();
    },
    drop(label) {
      found.slider(label).fire("change");
      html.frame();
    },
  };
  return found;
}

beforeEach(() => {
  html = page();
});

test("a message becomes controls, panels, numbers, sentences", async () => {
  const figure = opened();
  await figure.answer();
  assert.ok(figure.root.classList.contains("dp-ready"));
  assert.equal(figure.one("dp-tile").textContent, "error50 %of all");
  assert.equal(figure.one("dp-texts").textContent, "a");
  assert.deepEqual(
    figure.root.all("dp-panel").map((panel) => panel.dataset.panel),
    ["map", "curve", "tiles", "later"],
  );
  assert.deepEqual(figure.seen.stats.draws, 1);
  assert.deepEqual(
    figure.root.all("dp-slider").map((slider) => slider.classList.contains("dp-pin")),
    [true, false, false, false],
  );
  assert.equal(figure.seen.settled, true);
  assert.equal(figure.seen.ground, "rgb(255, 255, 255)");
  assert.deepEqual([figure.seen.shape("means"), figure.seen.shape("nowhere")], [[3, 2, 2], null]);
  await figure.answer({ busy: { progress: 0.5, text: "half" }, compact: true });
  assert.equal(figure.root.all("dp-panel").length, 4, "a rerun makes nothing twice");
  assert.equal(figure.one("dp-busy").textContent, "halfCancel");
  figure.end();
});

test("progress of other outcomes is hidden while all pictures are there, until the reader asks for something", async () => {
  const figure = opened();
  await figure.answer({ busy: { progress: 0.5, text: "an attack" } });
  const quiet = () => [figure.one("dp-busy").inert, figure.one("dp-busy").classList.contains("dp-quiet")];
  assert.deepEqual(
    quiet(),
    [false, false],
    "a figure without outcomes waits for something else, which can be cancelled",
  );
  await figure.answer({ breathing: { n_outcomes: 0, label: "", still: "", instead: {}, without: {}, at: {} } });
  assert.deepEqual(quiet(), [true, true]);
  await figure.answer({ main_tab: "More" });
  assert.deepEqual(quiet(), [false, false], "from Understand on it is said");
  await figure.answer({ main_tab: "" });
  assert.deepEqual(quiet(), [true, true]);
  figure.pull("norm", 2);
  figure.drop("norm");
  for (let turn = 0; turn < 30; turn++) await null;
  await figure.answer({ seq: 1 });
  assert.deepEqual(quiet(), [false, false]);
  figure.end();
});

test("the theme turns where the last message said that nothing is new", async () => {
  const figure = opened();
  await figure.answer({ seq: 1 });
  const before = globalThis.getComputedStyle;
  globalThis.getComputedStyle = () => ({ backgroundColor: "rgb(17, 20, 28)", getPropertyValue: () => " #9d8cff " });
  const draws = figure.seen.stats.draws;
  const { end } = figure;
  render({
    data: { same: 1, name: figure.data.name, seq: 1, session: "one", busy: null },
    parentElement: figure.root.parentElement,
    setStateValue: () => {},
  });
  for (let turn = 0; turn < 30; turn++) await null;
  html.frame();
  globalThis.getComputedStyle = before;
  assert.ok(figure.root.classList.contains("dp-dark"));
  assert.equal(figure.seen.stats.draws, draws + 1);
  end();
});

test("a local handle: drawn at once, told when it is let go, then heard", async () => {
  const figure = opened();
  await figure.answer();
  figure.pull("privacy parameter", 2);
  assert.equal(figure.one("dp-tile").children[1].textContent, "13 %");
  assert.equal(figure.one("dp-texts").textContent, "c");
  assert.deepEqual(figure.seen.slice("means"), [0, 0, 1, 0]);
  assert.deepEqual([figure.told.length, figure.one("dp-said").textContent], [0, ""]);
  figure.drop("privacy parameter");
  assert.deepEqual(
    figure.told.map(({ phase, values }) => [phase, values.epsilon]),
    [["commit", 3]],
  );
  assert.ok(figure.told[0].held.includes(ARRAYS.means.id), "what is here is told");
  assert.equal(figure.seen.settled, false);
  await figure.answer({ seq: 1, values: { ...VALUES, epsilon: 3 } });
  assert.equal(figure.seen.settled, true);
  assert.equal(figure.one("dp-said").textContent, "error: 13 % (of all). c");
  figure.end();
});

test("a server handle: Python draws it, and its answer moves no other handle back", async () => {
  const figure = opened();
  await figure.answer();
  figure.pull("norm", 1);
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["drag"],
  );
  figure.pull("norm", 2);
  await figure.answer({ seq: 1, values: { ...VALUES, clip: 2 } });
  assert.equal(figure.seen.values.clip, 3);
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["drag", "drag"],
  );
  figure.drop("norm");
  await figure.answer({ seq: 2, values: { ...VALUES, clip: 3 } });
  await figure.answer({ seq: 3, values: { ...VALUES, clip: 3 } });
  assert.equal(figure.seen.settled, true);
  figure.end();
});

test("a handle with stand-ins is drawn without Python until its answer is here", async () => {
  const figure = opened({ previews: { clip: { curve: "curve_by_clip" } } });
  await figure.answer();
  assert.deepEqual(figure.seen.slice("curve"), [0, 1]);
  const cleared = () => figure.one("dp-over").getContext().calls.clearRect.length;
  const before = cleared();
  figure.pull("norm", 2);
  assert.deepEqual([figure.told.length, figure.seen.slice("curve")], [0, [0, 6]]);
  assert.equal(cleared(), before + 1, "what stood still may move now");
  await figure.answer();
  assert.deepEqual(figure.seen.slice("curve"), [0, 6], "an answer to something else leaves them");
  figure.drop("norm");
  assert.deepEqual(figure.seen.slice("curve"), [0, 6]);
  await figure.answer({ seq: 1, values: { ...VALUES, clip: 3 } });
  assert.deepEqual(figure.seen.slice("curve"), [0, 3]);
  figure.end();
});

test("a handle over which the figure's own arrays lie is drawn without Python, and told when it is let go", async () => {
  const figure = opened({ previews: { clip: {} } });
  await figure.answer();
  figure.pull("norm", 2);
  assert.deepEqual([figure.told.length, figure.seen.slice("curve")], [0, [0, 3]]);
  figure.drop("norm");
  assert.deepEqual(
    figure.told.map(({ phase, values }) => [phase, values.clip]),
    [["commit", 3]],
  );
  figure.end();
});

test("keys are told when they have rested; a late answer is hinted at", async () => {
  let now = 1000;
  mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  const passed = (ms) => {
    now += ms;
    mock.timers.tick(ms);
  };
  const figure = opened();
  await figure.answer();
  const input = figure.slider("privacy parameter");
  input.value = "1";
  input.fire("input");
  input.fire("change");
  passed(249);
  assert.equal(figure.told.length, 0);
  passed(1);
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["commit"],
  );
  passed(400);
  assert.ok(figure.root.classList.contains("dp-late"));
  await figure.answer({ seq: 1, values: { ...VALUES, epsilon: 2 } });
  assert.ok(!figure.root.classList.contains("dp-late"));
  figure.pull("norm", 1);
  figure.root.remove();
  passed(60_000);
  assert.equal(figure.told.length, 2, "what is out of the page is told nothing again");
  mock.timers.reset();
  mock.restoreAll();
});

test("a reader is told when parts do not arrive, and when they do it is forgotten", async () => {
  const figure = opened();
  await figure.answer();
  const whole = figure.data.arrays;
  const arrays = { ...whole, error: { ...whole.error, id: "nowhere", data: undefined } };
  for (let again = 0; again < 2; again++) await figure.answer({ arrays });
  assert.equal(figure.one("dp-failure"), undefined);
  const { error } = console;
  console.error = () => {};
  await figure.answer({ arrays });
  console.error = error;
  assert.match(figure.one("dp-failure").textContent, /could not be drawn \(parts of it did not arrive\)/);
  await figure.answer({ arrays: whole });
  assert.equal(figure.one("dp-failure"), undefined);
  figure.end();
});

test("an answer that cannot be drawn says why, and what waits goes all the same", async () => {
  const figure = opened();
  await figure.answer();
  figure.pull("norm", 1);
  figure.drop("norm");
  const { error } = console;
  console.error = () => {};
  await figure.answer({ seq: 1, panels: [{ ...MAP, x: null }] });
  console.error = error;
  assert.match(figure.one("dp-failure").textContent, /could not be drawn/);
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["drag", "commit"],
  );
  figure.end();
});

test("pinned: B stays beside the next, asks nobody, and goes with Unpin", async () => {
  const figure = opened();
  await figure.answer();
  figure.root.button("Pin").click();
  html.frame();
  const b = figure.one("dp-tile").children[2];
  assert.equal(b.textContent, "50 %");
  assert.deepEqual(
    [figure.seen.pinned("curve"), figure.seen.layers("curve"), figure.seen.pinned("nowhere")],
    [1, 2, 0],
  );
  assert.match(figure.one("dp-pinned").textContent, /privacy parameter: 1/);
  assert.equal(figure.root.all("dp-copy").length, 1);
  assert.equal(figure.told.length, 0);
  figure.pull("privacy parameter", 1);
  assert.equal(b.textContent, "50 %");
  figure.root.button("Unpin").click();
  html.frame();
  assert.equal(b.textContent, "");
  assert.equal(figure.root.all("dp-copy").length, 0);
  figure.root.button("Reset").click();
  assert.deepEqual(
    figure.told.map(({ phase, action }) => [phase, action]),
    [["action", "reset"]],
  );
  figure.end();
});

test("only the open tab is drawn; arrows turn to the next", async () => {
  const figure = opened();
  await figure.answer();
  await figure.answer({ panels: [MAP, CURVE, TILES, { ...LATER, title: "Newer" }] });
  assert.equal(figure.root.all("dp-frame").at(-1).attributes["aria-label"], "Newer. error 50 %");
  const drawn = () => figure.root.all("dp-frame").at(-1).children[0].innerHTML;
  assert.equal(drawn(), undefined);
  const [one, two] = figure.one("dp-tabs").children;
  assert.deepEqual([one.attributes["aria-selected"], two.tabIndex], ["true", -1]);
  one.fire("keydown", { key: "a" });
  assert.equal(one.attributes["aria-selected"], "true");
  one.fire("keydown", { key: "ArrowRight" });
  for (let turn = 0; turn < 9; turn++) await null;
  assert.match(drawn(), /^<svg/, "its frame is made when it is opened");
  assert.deepEqual([one.attributes["aria-selected"], two.tabIndex], ["false", 0]);
  assert.equal(document.activeElement, two);
  assert.deepEqual(
    figure.told.map(({ phase, tab }) => [phase, tab]),
    [["look", "Two"]],
  );
  await figure.answer({ panels: [MAP, CURVE, TILES, LATER] });
  assert.equal(figure.told.length, 1, "an answer opens no tab");
  one.click();
  assert.equal(one.attributes["aria-selected"], "true");
  figure.end();
});

/** A box drawn over a frame, from one place to another, in pixels of the panel. */
function boxDrawn(frame, from, to) {
  const at = ([x, y]) => ({ pointerId: 1, button: 0, clientX: 10 + x, clientY: 20 + y });
  frame.fire("pointerdown", at(from));
  frame.fire("pointermove", at(to));
  frame.fire("pointerup", at(to));
}

test("panels of one link zoom together; the zoom is reset by its button, and void for other data", async () => {
  const figure = opened();
  await figure.answer();
  const [map, curve] = figure.root.all("dp-frame");
  const views = () => ["map", "curve"].map((key) => figure.seen.view(key));
  const whole = { x: [0, 1], y: [0, 1] };
  boxDrawn(map, [52, 298], [200, 150]);
  assert.deepEqual(views(), [
    { x: [0, 0.5], y: [0, 0.5] },
    { x: [0, 0.5], y: [0, 0.5] },
  ]);
  await figure.answer({ seq: 0 });
  assert.deepEqual(views()[0], { x: [0, 0.5], y: [0, 0.5] }, "an answer leaves it");
  figure.root.button("1 : 1. Reset the zoom: Map").click();
  assert.deepEqual(views(), [whole, whole]);
  boxDrawn(curve, [60, 20], [160, 22]);
  assert.deepEqual(views()[0].y, [0, 1], "along one axis alone");
  assert.notDeepEqual(views()[0].x, [0, 1]);
  curve.fire("dblclick");
  assert.deepEqual(views(), [whole, whole]);
  boxDrawn(map, [60, 20], [62, 22]);
  assert.deepEqual(views(), [whole, whole], "a click is no zoom");
  boxDrawn(map, [52, 298], [200, 150]);
  await figure.answer({ panels: [{ ...MAP, y: axis([0, 2]) }, CURVE] });
  assert.deepEqual(views()[0], { x: [0, 1], y: [0, 2] });
  figure.end();
});

test("panels stand in their order, also when a depth brings one between two, and while one is enlarged", async () => {
  const figure = opened();
  const between = { ...CURVE, key: "between", title: "Between", link: "" };
  const titles = () =>
    figure.root
      .all("dp-row")[0]
      .all("dp-panel-title")
      .map((title) => title.textContent);
  await figure.answer({ panels: [MAP, CURVE] });
  const [map] = figure.root.all("dp-panel");
  await figure.answer({ panels: [MAP, between, CURVE] });
  assert.deepEqual(titles(), ["Map", "Between", "Curve"]);
  assert.equal(figure.root.all("dp-panel")[0], map);
  const enlarge = figure.root.button("Enlarge or put back: Map");
  enlarge.click();
  await figure.answer({ panels: [between, MAP, CURVE] });
  assert.deepEqual(titles(), ["Between", "Curve"]);
  enlarge.click();
  assert.deepEqual(titles(), ["Between", "Map", "Curve"]);
  figure.end();
});

test("a panel is enlarged with the handle that moves it, and goes back to its place", async () => {
  const figure = opened();
  await figure.answer();
  const [window] = figure.root.all("dp-large");
  const titles = () =>
    figure.root
      .all("dp-row")[0]
      .all("dp-panel-title")
      .map((title) => title.textContent);
  const before = titles();
  const enlarge = figure.root.button("Enlarge or put back: Map");
  enlarge.click();
  assert.equal(window.open, true);
  assert.deepEqual(titles(), before.slice(1));
  assert.ok(window.all("dp-panel").length === 1 && window.all("dp-pin").length === 1);
  await figure.answer();
  assert.equal(window.all("dp-panel").length, 1, "an answer leaves it");
  enlarge.click();
  assert.equal(window.open, false);
  assert.deepEqual(titles(), before);
  enlarge.click();
  await figure.answer({ panels: [CURVE] });
  assert.equal(window.open, false, "a panel that goes away closes it");
  figure.end();
});

test("a curve is guessed by keys and pointer before it is seen, and bets are counted", async () => {
  const guess = { question: "How does it go?", x: "places", y: "seen" };
  const told = {
    ...{ start: "Can you tell?", hint: "Twenty answers", with: "with", without: "without", next: "Next answer" },
    ...{ again: "Again", done: "Done", round: "Answer {next} of {rounds}." },
    ...{ right: "Right: “{truth}”.", wrong: "Wrong: “{truth}”.", score: "So far {right} of {done} right." },
    last: "In all {right} of {rounds} right. At most {most}.",
  };
  const draws = { inside: "draws", outside: "draws", hides: [] };
  const bets = { question: "With or without?", ...draws, best: "error", rounds: 20, words: told };
  const figure = opened();
  const arrays = {
    ...ARRAYS,
    places: array([0, 1], [2], [null]),
    seen: array([0.5, 0.5], [2], [null]),
    draws: array([0.5, 0, 0.6, 0], [2, 2], [null, null]),
  };
  const line = { kind: "line", x: "places", y: "seen" };
  await figure.answer({
    arrays,
    panels: [
      { ...CURVE, layers: [line, { kind: "annotation", x: 0, y: "error", words: "the end" }], guess },
      { ...MAP, layers: [line], bets },
    ],
  });
  figure.root.button("Predict").click();
  const [pad] = figure.root.all("dp-pad");
  const [words] = figure.root.all("dp-predict-words");
  assert.equal(figure.seen.layers("curve"), 1, "the guess alone: the curve and the words at its end are hidden");
  figure.root.button("Show the truth").click();
  assert.match(words.textContent, /from the left end to the right end/);
  for (let k = 0; k < 13; k++) pad.fire("keydown", { key: "ArrowRight" });
  pad.fire("keydown", { key: "Enter" });
  assert.match(words.textContent, /off by 0\.0/);
  assert.equal(figure.seen.layers("curve"), 3, "the truth beside the guess");
  figure.root.button("Try again").click();
  pad.fire("pointerdown", { pointerId: 1, clientX: 0, clientY: 40 });
  pad.fire("pointermove", { clientX: 900, clientY: 40 });
  pad.fire("pointerup");
  figure.root.button("Show the truth").click();
  assert.match(words.textContent, /off by 0\.[1-9]/);
  figure.root.button("Done").click();
  assert.equal(figure.seen.layers("curve"), 2);
  figure.root.button("Twenty answers").click();
  assert.equal(figure.seen.layers("map"), 2, "the answer that is bet on");
  const [, said] = figure.root.all("dp-predict-words");
  assert.equal(said.textContent, "Answer 1 of 20. With or without?");
  figure.root.button("with").click();
  assert.match(said.textContent, /^(Right: “with”|Wrong: “without”)\. So far [01] of 1 right\.$/);
  assert.equal(figure.seen.layers("map"), 2, "the answer that the verdict is about is still in view");
  for (let k = 1; k < 20; k++) {
    figure.root.button("Next answer").click();
    figure.root.button("with").click();
  }
  assert.match(said.textContent, /In all \d+ of 20 right\. At most 50 %\./);
  figure.end();
});

test("the reader guesses whose picture it is, then the attacker's guess is shown, and the score runs", async () => {
  const words = ["right", "wrong", "found", "missed", "waits", "you", "attacker", "candidate", "on", "again"];
  const game = {
    ...Object.fromEntries(words.map((word) => [word, word])),
    question: "Which?",
    score: "{you} of {done}, {attacker} of {tried}",
    published: "published",
    candidates: "six",
    truth: "truth",
    votes: "votes",
  };
  const arrays = {
    ...ARRAYS,
    published: array([0, 1], [2, 1], [null, null]),
    six: array([0, 1, 1, 0], [2, 2, 1], [null, null, null]),
    truth: array([1, 0], [2], [null]),
    votes: array([0, 1, 0, NaN, NaN, NaN], [2, 3], [null, null]),
  };
  const face = { ...MAP, key: "face", kind: "mosaic", layers: [], tiles: "published", shape: [1, 1], range: [0, 1] };
  const figure = opened();
  await figure.answer({ arrays, panels: [{ ...face, face_off: game }] });
  const [said] = figure.root.all("dp-face-off");
  const text = () => said.all("dp-predict-words")[0].textContent;
  const [first, second] = figure.root.all("dp-face");
  assert.deepEqual(
    [text(), first.attributes["aria-label"] ?? first.getAttribute("aria-label")],
    ["Which?", "candidate 1"],
  );
  first.click();
  assert.equal(text(), "wrong found 0 of 1, 1 of 1");
  assert.equal(first.disabled, true);
  second.click();
  assert.equal(text(), "wrong found 0 of 1, 1 of 1", "a guess is made once");
  figure.root.button("on").click();
  assert.equal(text(), "Which? 0 of 1, 1 of 1");
  first.click();
  assert.equal(text(), "right waits 1 of 2, 1 of 1");
  for (let k = 2; k < 5; k++) {
    figure.root.button("on").click();
    first.click();
  }
  figure.root.button("again").click();
  assert.equal(text(), "Which?", "a new game begins");
  await figure.answer({ arrays, panels: [{ ...face, face_off: null }] });
  assert.equal(said.hidden, true);
  figure.end();
});

test("what has to be guessed first is asked once, level by level, and can be passed over", async () => {
  const guess = { question: "Which?", x: "places", y: "seen", each: true, first: true };
  const spec = { ...CURVE, layers: [{ kind: "line", x: "places", y: "seen" }], guess };
  spec.y = { ...spec.y, ticks: [0, 0.5, 1] };
  const known = (values) => ({ ...ARRAYS, places: array([0, 1], [2], [null]), seen: array(values, [2], [null]) });
  const figure = opened();
  await figure.answer({ arrays: known([NaN, NaN]), panels: [spec] });
  const [words] = figure.root.all("dp-predict-words");
  assert.match(words.textContent, /^Which\? Draw across the figure/);
  assert.equal(figure.seen.layers("curve"), 1, "the guess alone, while the truth is computed");
  const [pad] = figure.root.all("dp-pad");
  pad.fire("keydown", { key: "ArrowUp" });
  pad.fire("keydown", { key: "ArrowRight" });
  pad.fire("keydown", { key: "Enter" });
  assert.match(words.textContent, /right about 0 of 0\. The other 2 are not known yet/);
  figure.root.button("Try again").click();
  for (const key of ["ArrowUp", "ArrowRight", "ArrowDown", "Enter"]) pad.fire("keydown", { key });
  await figure.answer({ arrays: known([1, 1]), panels: [spec] });
  figure.root.button("Try again").click();
  for (const key of ["ArrowUp", "ArrowRight", "ArrowDown", "Enter"]) pad.fire("keydown", { key });
  assert.match(words.textContent, /^You are right about 1 of 2\.$/);
  figure.root.button("Try again").click();
  figure.root.button("Show it without a guess").click();
  assert.equal(figure.seen.layers("curve"), 1);
  await figure.answer({ arrays: known([1, 1]), panels: [spec] });
  assert.equal(pad.hidden, true, "it is asked once");
  figure.end();
});

test("a panel that is fixed does not zoom", async () => {
  const figure = opened();
  await figure.answer({ panels: [{ ...MAP, fixed: true }] });
  const [map] = figure.root.all("dp-frame");
  boxDrawn(map, [52, 298], [200, 150]);
  map.fire("dblclick");
  assert.deepEqual(figure.seen.view("map"), { x: [0, 1], y: [0, 1] });
  figure.end();
});

test("a point in a picture is dragged, let go, and moved by keys", async () => {
  const figure = opened();
  await figure.answer();
  const knob = figure.one("dp-knob");
  const wide = { x: axis([0, 2.96]), y: axis([0, 2.96]) }; // 100 pixels a unit
  await figure.answer({ panels: [{ ...MAP, ...wide }] });
  assert.deepEqual([knob.style.left, knob.style.top], ["152px", "198px"]);
  knob.fire("pointerdown", { pointerId: 1 });
  knob.onpointermove({ clientX: 10 + 152, clientY: 20 + 198 });
  assert.deepEqual([figure.seen.values.dx, figure.seen.values.dy], [0, 0]);
  knob.onpointermove({ clientX: 10 + 152 + 90, clientY: 20 + 198 - 90 });
  html.frame();
  assert.deepEqual([figure.seen.values.dx, figure.seen.values.dy], [1, 1]);
  assert.deepEqual([knob.style.left, knob.style.top], ["252px", "98px"]);
  await figure.answer({ panels: [{ ...MAP, x: axis([0, 1]), y: axis([0, 1]) }] });
  knob.onpointermove({ clientX: 9000, clientY: -9000 });
  assert.deepEqual([figure.seen.values.dx, figure.seen.values.dy], [0, 0], "it does not leave the picture");
  await figure.answer({ panels: [{ ...MAP, ...wide }] });
  knob.onpointermove({ clientX: 10 + 152 + 90, clientY: 20 + 198 - 90 });
  knob.fire("lostpointercapture");
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["commit"],
  );
  knob.fire("keydown", { key: "ArrowLeft" });
  knob.fire("keydown", { key: "Enter" });
  assert.equal(figure.seen.values.dx, 0);
  await figure.answer({ seq: 1, panels: [{ ...MAP, layers: [] }] });
  assert.equal(figure.one("dp-knob"), undefined, "and goes with its layer");
  figure.end();
});

test("pictures are told in words, and saved under the name of what they show", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const figure = opened();
  await figure.answer();
  const [map] = figure.root.all("dp-frame");
  assert.equal(map.attributes["aria-label"], "Map. error 50 %");
  const words = figure.root.all("dp-words").find((node) => node.tag === "p");
  figure.root.button("Text. Describe in words: Map").click();
  assert.deepEqual([words.hidden, words.textContent], [false, "Map. error 50 % error: 50 % (of all). a"]);
  for (const name of ["Save as SVG: Map", "Save as PNG: Map", "Save as PNG: Pictures"])
    figure.root.button(name).click();
  for (let turn = 0; turn < 30; turn++) await null;
  const name = `${figure.data.name}_KEY_epsilon-1_clip-1`;
  assert.deepEqual(
    document.downloads.sort(),
    [
      `${name}.png`.replace("KEY", "map"),
      `${name}.svg`.replace("KEY", "map"),
      `${name}.png`.replace("KEY", "tiles"),
    ].sort(),
  );
  const svg = html.saved.find(({ type }) => type === "image/svg+xml");
  assert.match(await svg.text(), /^<svg .*fill="rgb\(255, 255, 255\)".*<svg .*<\/svg>.*<\/svg>$/);
  mock.timers.reset();
  figure.end();
});

test("a film goes along the handle that moved last, and leaves it where it was", async () => {
  const figure = opened();
  await figure.answer();
  figure.pull("privacy parameter", 1);
  figure.drop("privacy parameter");
  const before = { ...figure.seen.values };
  const said = figure.told.length;
  figure.root.button("Save a film as GIF: Map").click();
  for (let turn = 0; turn < 40 && !document.downloads.length; turn++) await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(document.downloads, [`${figure.data.name}_map_epsilon-2_clip-1.gif`]);
  const [film] = html.saved.filter(({ type }) => type === "image/gif");
  const bytes = new Uint8Array(await film.arrayBuffer());
  const shown = bytes.filter((_, at) => bytes[at] === 0x21 && bytes[at + 1] === 0xf9 && bytes[at + 2] === 4).length;
  assert.equal(shown, 3, "one picture for each value");
  assert.deepEqual({ ...figure.seen.values }, before);
  assert.equal(figure.told.length, said, "Python is told nothing");
  assert.equal(figure.one("dp-recording"), undefined);
  figure.end();
});

test("a film that cannot be made is a sentence", async () => {
  const figure = opened();
  await figure.answer();
  const told = async (name) => {
    figure.root.button(name).click();
    for (let turn = 0; turn < 40; turn++) await null;
    return figure.root.all("dp-recording").at(-1).textContent;
  };
  assert.match(await told("Save a film as WebM: Map"), /^This browser cannot record WebM/);
  assert.match(await told("Save a film as GIF: Curve"), /^Nothing in this picture moves without the server/);
  assert.deepEqual(document.downloads, []);
  figure.end();
});

test("what is out of sight is not drawn; what changes its size is drawn anew", async () => {
  const figure = opened();
  await figure.answer();
  const [resized, sight] = html.observers;
  const canvas = figure.one("dp-under");
  const drawn = () => canvas.getContext().calls.clearRect.length;
  const before = drawn();
  figure.one("dp-plot").clientWidth = 300;
  resized.seen();
  resized.seen();
  html.frame();
  assert.equal(drawn(), before + 1);
  assert.match(figure.one("dp-frame").children[0].innerHTML, /^<svg [^>]*width="300" height="300"/);
  sight.seen([{ isIntersecting: false }]);
  figure.pull("privacy parameter", 1);
  assert.equal(drawn(), before + 1);
  sight.seen([{ isIntersecting: true }]);
  html.frame();
  assert.equal(drawn(), before + 2);
  figure.end();
  assert.equal(html.observers.length, 0);
});

test("a figure that is gone tells nothing, and comes back as another", async () => {
  const figure = opened();
  await figure.answer();
  figure.pull("norm", 1);
  await figure.answer({ seq: 1 });
  const input = figure.slider("norm");
  figure.end();
  input.fire("input");
  assert.equal(figure.told.length, 1);
  assert.equal(html.body.children[0].children.length, 0);
  await figure.answer({ seq: 1 });
  assert.equal(figure.seen.stats.mounts, 2);
  figure.end();
});

test("panels and controls come and go with the message", async () => {
  const figure = opened();
  await figure.answer();
  figure.seen.listen((what, { phase }) => figure.told.push(`${what} ${phase}`));
  figure.seen.intercept((event) => ({ ...event, held: [] }));
  await figure.answer({ panels: [{ ...MAP, kind: "plot" }], controls: CONTROLS.slice(0, 1), texts: [] });
  assert.equal(figure.root.all("dp-panel").length, 1);
  assert.equal(figure.one("dp-texts").textContent, "");
  assert.equal(figure.root.all("dp-slider").length, 1);
  figure.pull("privacy parameter", 1);
  figure.drop("privacy parameter");
  assert.deepEqual(
    figure.told.map((told) => told.held ?? told),
    ["drawn null", "drawn null", [], "sent commit"],
  );
  figure.end();
});

test("a slider that goes away while it plays is let go: Python leads again", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const figure = opened({
    controls: [...CONTROLS, { ...CONTROLS[0], name: "progress", label: "training", play: true }],
  });
  await figure.answer({ values: { ...VALUES, progress: 1 } });
  figure.root.button("Play").click();
  mock.timers.tick(600);
  assert.equal(figure.seen.settled, false);
  await figure.answer({ controls: CONTROLS });
  mock.timers.tick(600);
  assert.deepEqual(
    figure.told.map(({ phase }) => phase),
    ["commit"],
  );
  await figure.answer({ seq: 1, values: { ...VALUES, clip: 2 } });
  assert.equal(figure.seen.values.clip, 2);
  mock.timers.reset();
  figure.end();
});

test("from Understand on the main panels are a tab among the others, above the figure", async () => {
  const figure = opened({ main_tab: "Main figure" });
  await figure.answer();
  const [row] = figure.root.all("dp-row");
  const [tabs] = figure.root.all("dp-tabs");
  const [main, one] = tabs.children;
  assert.equal(figure.one("dp-main").children[0], tabs);
  assert.deepEqual([main.textContent, main.attributes["aria-selected"], row.hidden], ["Main figure", "true", false]);
  one.click();
  assert.deepEqual(
    [row.hidden, figure.root.all("dp-section")[0].hidden, row.attributes.role],
    [true, false, "tabpanel"],
  );
  assert.deepEqual(
    figure.told.map(({ phase, tab }) => [phase, tab]),
    [["look", "One"]],
  );
  await figure.answer({ seq: figure.told[0].seq });
  main.click();
  for (let turn = 0; turn < 9; turn++) await null;
  assert.deepEqual([figure.told.at(-1).phase, figure.told.at(-1).tab, row.hidden], ["look", "", false]);
  await figure.answer({ main_tab: "" });
  assert.deepEqual([row.hidden, row.attributes.role, tabs.children.length], [false, undefined, 2]);
  assert.notEqual(figure.one("dp-main").children[0], tabs);
  figure.end();
});

test("from Understand on each question has its row of numbers, which keep their order", async () => {
  const one = { value: "error", format: ".0%", note: "", help: "", role: "" };
  const readouts = [
    { ...one, label: "spent", about: "private" },
    { ...one, label: "wrong", about: "good" },
    { ...one, label: "noise", about: "private" },
  ];
  const figure = opened({ readouts });
  const rows = () =>
    figure.root.all("dp-answers").map((row) => row.all("dp-tile").map((tile) => tile.children[0].textContent));
  await figure.answer();
  assert.deepEqual(rows(), [["spent", "wrong", "noise"]]);
  await figure.answer({ main_tab: "Main figure" });
  assert.deepEqual(rows(), [["wrong"], ["spent", "noise"]]);
  assert.deepEqual(
    figure.root.all("dp-asked").map((asked) => asked.textContent),
    ["How good", "How private"],
  );
  assert.equal(
    figure.root.all("dp-tile").every((tile) => tile.children[1].textContent === "50 %"),
    true,
  );
  await figure.answer({ readouts: readouts.slice(0, 1) });
  assert.deepEqual([rows(), figure.root.all("dp-asked").length], [[["spent"]], 0]);
  figure.end();
});

test("what a reader comes near is fetched before it is touched; the open tab before an answer is drawn", async () => {
  const asked = [];
  const { fetch, requestIdleCallback } = globalThis;
  globalThis.requestIdleCallback = () => {}; // never idle: what comes has been asked for
  globalThis.fetch = async (url) => {
    asked.push(new URL(url).pathname);
    return { ok: false };
  };
  document.baseURI = "http://a.example/page";
  const lacking = (purpose) => ({ url: `/arrays/${purpose.replace(" ", "-")}`, ids: [`no-${purpose}`], purpose });
  const figure = opened({ files: ["preview clip", "preview dx", "tab Two", "tab One"].map(lacking) });
  await figure.answer();
  asked.length = 0;
  figure.slider("norm").parentElement.fire("pointerenter");
  figure.one("dp-knob").fire("focusin");
  figure.one("dp-tabs").children[1].fire("pointerenter");
  assert.deepEqual(asked, ["/arrays/preview-clip", "/arrays/preview-dx", "/arrays/tab-Two"]);
  figure.one("dp-tabs").children[1].click();
  for (let turn = 0; turn < 9; turn++) await null;
  asked.length = 0;
  await figure.answer({ seq: 0 });
  assert.equal(asked[0], "/arrays/tab-Two");
  figure.end();
  Object.assign(globalThis, { fetch, requestIdleCallback });
});

test("Python hears of a server's handle with which a pointer stays, and in every event from then on", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const figure = opened();
  await figure.answer();
  figure.slider("privacy parameter").parentElement.fire("pointerenter");
  mock.timers.tick(200);
  assert.deepEqual(figure.told, [], "drawn here");
  figure.slider("norm").parentElement.fire("pointerenter");
  mock.timers.tick(200);
  await figure.answer({ seq: 1 });
  figure.root.button("Reset").click();
  assert.deepEqual(
    figure.told.map(({ phase, near }) => [phase, near]),
    [
      ["look", ["clip"]],
      ["action", ["clip"]],
    ],
  );
  mock.timers.reset();
  figure.end();
});

test("the numbers of a row have one size, by the longest that is no sentence", async () => {
  const label = (format) => ({ label: format, value: "error", format, note: "", help: "", role: "" });
  const figure = opened({ readouts: [label(".0%"), label("about such answer to 10000")] });
  await figure.answer();
  const [tiles] = figure.root.all("dp-readouts");
  const text = figure.root.all("dp-tile")[1].children[1].textContent;
  assert.equal(tiles.style["--longest"], String(Math.max(8, text.length)));
  assert.ok(text.length > 8, text);
  figure.end();
});
