// The clock of outcomes: what it steps through, what holds it still, and what it never does.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { array, axis } from "../given.js";
import { page } from "../page.js";

let html = page();
const { render } = await import("../../../assets/live/main.js");
const { Steps } = await import("../../../assets/live/frame/steps.js");

const EPSILON = {
  kind: "slider",
  name: "epsilon",
  label: "privacy parameter",
  symbol: "",
  help: "",
  mode: "local",
  more: false,
  disabled: false,
  hidden: false,
  grid: [1, 2],
  ends: ["", ""],
  unit: "",
};
const LINE = { kind: "line", x: [0, 1], y: "line" };
const PANEL = {
  key: "fit",
  title: "Fit",
  kind: "plot",
  caption: "",
  alt: "",
  link: "",
  tab: "",
  height: 100,
  fixed: false,
  layers: [LINE],
  still: "",
  tiles: "",
  x: axis([0, 1]),
  y: axis([0, 9]),
};
const BREATHING = {
  n_outcomes: 3,
  label: "outcome {outcome} of {outcomes}: {off:.1f}",
  still: "this draw, {outcomes} others",
  elsewhere: "none drawn here",
  instead: { line: "lines" },
  without: { line: "others" },
  label_without: "outcome {outcome} without",
  take_out: "Take out",
  put_back: "Put back",
};
const ARRAYS = {
  line: array([5, 5], [2], [null]),
  lines: array([1, 1, 2, 2, 3, 3], [3, 2], ["outcome", null]),
  others: array([7, 7, 8, 8, 9, 9], [3, 2], ["outcome", null]),
  off: array([0.1, 0.2, 0.3], [3], ["outcome"]),
};
let serial = 0;

async function opened(change = {}) {
  const parent = document.createElement("main");
  html.body.append(parent);
  const data = {
    name: `breathing${++serial}`,
    seq: 0,
    session: "one",
    controls: [EPSILON],
    values: { epsilon: 1 },
    arrays: ARRAYS,
    files: [],
    coords: {},
    panels: [PANEL],
    readouts: [],
    texts: [],
    compact: false,
    previews: {},
    busy: null,
    breathing: BREATHING,
    ...change,
  };
  render({ data, parentElement: parent, setStateValue: () => {} });
  for (let turn = 0; turn < 30; turn++) await null;
  html.frame();
  const found = {
    root: parent.children[0],
    seen: window.__dpLive[data.name],
    get line() {
      return found.seen.slice("line")[0];
    },
    get words() {
      return parent.all("dp-outcome")[0].textContent;
    },
    button: (name) => parent.button(name),
  };
  return found;
}

beforeEach(() => {
  mock.timers.reset();
  html = page();
  document.visibilityState = "visible";
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("outcomes follow one another, back and forth, and are blended on the way", () => {
  const steps = new Steps();
  steps.resize(3);
  const seen = [];
  for (let k = 0; k < 6; k++) {
    steps.next();
    steps.ease(0.5);
    assert.equal(Math.abs(steps.place - steps.at), 0.5);
    steps.ease(1);
    seen.push(steps.place);
  }
  assert.deepEqual(seen, [1, 2, 1, 0, 1, 2]);
  steps.resize(2);
  assert.equal(steps.place, 1);
});

test("this draw is shown first, then outcome after outcome with its own number", async () => {
  const figure = await opened();
  assert.deepEqual([figure.line, figure.words], [5, "this draw, 3 others"]);
  const pictures = [];
  for (let k = 0; k < 3; k++) {
    mock.timers.tick(325);
    mock.timers.tick(75);
    pictures.push([figure.line, figure.words]);
  }
  assert.deepEqual(pictures, [
    [2, "outcome 2 of 3: 0.2"],
    [3, "outcome 3 of 3: 0.3"],
    [2, "outcome 2 of 3: 0.2"],
  ]);
});

test("no outcome is shown while a handle moves by itself", async () => {
  const rises = { ...EPSILON, grid: [1, 2, 3, 4], rises: true, seconds: 6 };
  const line = array(Array(8).fill(5), [4, 2], ["epsilon", null]);
  const figure = await opened({ controls: [rises], values: { epsilon: 4 }, arrays: { ...ARRAYS, line } });
  for (let k = 0; k < 3; k++) {
    mock.timers.tick(325);
    mock.timers.tick(75);
    assert.deepEqual([figure.line, figure.words], [5, "this draw, 3 others"]);
  }
});

test("a touch shows this draw again and holds it", async () => {
  const figure = await opened();
  mock.timers.tick(325);
  mock.timers.tick(75);
  assert.equal(figure.line, 2);
  figure.root.fire("pointerdown", { type: "pointerdown", target: figure.root });
  assert.deepEqual([figure.line, figure.seen.outcome.at], [5, null]);
  mock.timers.tick(1000);
  assert.equal(figure.line, 5);
});

test("nothing moves where little motion is asked for, and outcomes come by hand", async () => {
  matchMedia("(prefers-reduced-motion: reduce)").matches = true;
  const figure = await opened();
  mock.timers.tick(10_000);
  assert.deepEqual([figure.line, figure.seen.outcome], [5, { at: null, running: false, out: false }]);
  figure.button("Next").click();
  assert.equal(figure.line, 1);
  figure.button("Next").click();
  assert.deepEqual([figure.line, figure.words], [2, "outcome 2 of 3: 0.2"]);
});

test("a hidden page has no clock, and a paused figure keeps its outcome", async () => {
  const figure = await opened();
  document.visibilityState = "hidden";
  mock.timers.tick(1000);
  assert.deepEqual([figure.line, figure.seen.outcome.running], [5, false]);
  document.visibilityState = "visible";
  html.body.fire("visibilitychange");
  mock.timers.tick(325);
  mock.timers.tick(75);
  figure.button("Pause").click();
  mock.timers.tick(5000);
  assert.deepEqual([figure.line, figure.seen.outcome.running], [2, false]);
  assert.equal(figure.button("Play").attributes["aria-pressed"], "true");
});

test("the person is taken out of the outcome in view, and put back", async () => {
  const figure = await opened();
  figure.button("Next").click();
  figure.button("Next").click();
  figure.button("Take out").click();
  assert.deepEqual([figure.line, figure.words], [8, "outcome 2 without"]);
  figure.button("Put back").click();
  assert.deepEqual([figure.line, figure.words], [2, "outcome 2 of 3: 0.2"]);
});

test("a click on the dot of the person takes the person out, and the button stays there to put them back", async () => {
  const figure = await opened({
    panels: [{ ...PANEL, kind: "map", layers: [LINE, { kind: "markers", xy: "ada", labels: [0] }] }],
    arrays: { ...ARRAYS, ada: array([0.5, 4.5], [1, 2], [null, null]) },
    breathing: { ...BREATHING, person: "ada", without: { line: "others", ada: "" } },
  });
  const [spot] = figure.root.all("dp-spot");
  const before = { ...spot.style };
  assert.equal(spot.attributes["aria-label"], "Take out");
  spot.click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [7, true]);
  html.frame();
  assert.deepEqual([spot.attributes["aria-label"], { ...spot.style }], ["Put back", before]);
  spot.click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [1, false]);
});

test("a picture that shows the person and no outcome is drawn again with them", async () => {
  const people = { kind: "points", xy: "ada", labels: [0] };
  const figure = await opened({
    panels: [PANEL, { ...PANEL, key: "people", kind: "map", layers: [people] }],
    arrays: { ...ARRAYS, ada: array([0.5, 4.5], [1, 2], [null, null]) },
    breathing: { ...BREATHING, person: "ada" },
  });
  const before = figure.seen.stats.draws;
  figure.root.all("dp-spot")[0].click();
  html.frame();
  assert.equal(figure.seen.stats.draws, before + 1);
});

test("no button lies over a picture that does not draw the person", async () => {
  const ada = array([0.5, 4.5], [1, 2], [null, null]);
  const figure = await opened({ arrays: { ...ARRAYS, ada }, breathing: { ...BREATHING, person: "ada" } });
  assert.deepEqual(figure.root.all("dp-spot"), []);
});

test("the picture of a person among others is clicked where it lies", async () => {
  const tiles = array([5, 5, 5], [3, 1], [null, null]);
  const figure = await opened({
    panels: [{ ...PANEL, kind: "mosaic", layers: [], tiles: "line", shape: [1, 1], columns: 3, range: [0, 9] }],
    arrays: { ...ARRAYS, line: tiles, number: array([2], [1], [null]) },
    breathing: { ...BREATHING, person: "number" },
  });
  const [spot] = figure.root.all("dp-spot");
  assert.equal(spot.attributes["aria-label"], "Take out");
  assert.ok(parseFloat(spot.style.width) > 0);
  spot.click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [7, true]);
});

test("outcomes of one value of a slider pass there alone, and wait for those of another", async () => {
  const figure = await opened({ breathing: { ...BREATHING, at: { epsilon: 1 } } });
  figure.button("Take out").click();
  assert.equal(figure.line, 7);
  const input = figure.root.all().find((node) => node.tag === "input" && node.type === "range");
  input.value = "1";
  input.fire("input");
  html.frame();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [5, false]); // this draw, and the person is back
  assert.deepEqual(
    ["Next", "Take out"].map((name) => figure.button(name).disabled),
    [true, true],
  );
  const [words] = figure.root.all("dp-outcome");
  assert.deepEqual([figure.button("Next").title, words.textContent], ["none drawn here", "none drawn here"]);
  figure.button("Take out").click();
  assert.equal(figure.line, 5);
  input.value = "0";
  input.fire("input");
  html.frame();
  assert.deepEqual([figure.button("Next").title, words.textContent], ["", "this draw, 3 others"]);
});

const RECORD = { ...EPSILON, kind: "number", name: "record", mode: "server", hidden: true, low: 0, high: 9 };
const PEOPLE = {
  controls: [EPSILON, RECORD],
  values: { epsilon: 1, record: 0 },
  panels: [
    {
      ...PANEL,
      kind: "map",
      y: axis([0, 1]),
      layers: [LINE, { kind: "markers", xy: "ada", labels: [0] }, { kind: "points", xy: "dots", labels: [0, 0, 0] }],
    },
  ],
  arrays: {
    ...ARRAYS,
    ada: array([0.2, 0.5], [1, 2], [null, null]),
    dots: array([0.2, 0.5, 0.8, 0.5, 0.8, 0.9], [3, 2], [null, null]),
  },
  breathing: {
    ...BREATHING,
    ...{
      person: "ada",
      dots: "dots",
      record: "record",
      numbers: "",
      choose: "Arrows choose.",
      tap: "Tap.",
      waits: "waits",
    },
    without: { line: "others", ada: "" },
  },
};

/** A click on the map at a place, in parts of its width and height. */
function clicked(figure, [x, y]) {
  const [frame] = figure.root.all("dp-frame");
  const at = { button: 0, pointerId: 1, clientX: 10 + 400 * x, clientY: 20 + 300 * y };
  frame.fire("pointerdown", at);
  frame.fire("pointerup", at);
  html.frame();
}

const spotOf = (figure) => {
  const [{ style }] = figure.root.all("dp-spot");
  return [parseFloat(style.left), parseFloat(style.top)];
};

test("a click on a dot chooses that person: the picture stays until the answer", async () => {
  const figure = await opened(PEOPLE);
  const [left, top] = spotOf(figure);
  figure.button("Take out").click();
  assert.equal(figure.seen.outcome.out, true);
  const box = { x: 400, y: 300 };
  const [across] = [left + 0.6 * Math.min(box.x, box.y)];
  clicked(figure, [across / 400, top / 300]);
  assert.deepEqual([figure.seen.values.record, figure.seen.outcome.out, figure.line], [2, false, 5]);
  assert.equal(figure.words, "waits");
  const [spot] = figure.root.all("dp-spot");
  assert.equal(spot.attributes["aria-busy"], "true");
  assert.ok(spotOf(figure)[0] > left + 10, "the button is where the choice is");
  spot.click();
  assert.equal(figure.seen.outcome.out, false, "nobody is taken out before the answer");
});

test("a click beside the dots, and a figure that nobody answers, choose nobody", async () => {
  const figure = await opened(PEOPLE);
  clicked(figure, [0.02, 0.02]);
  assert.equal(figure.seen.values.record, 0);
  const alone = await opened({ ...PEOPLE, breathing: { ...PEOPLE.breathing, record: "" } });
  const [left, top] = spotOf(alone);
  clicked(alone, [(left + 180) / 400, top / 300]);
  assert.equal(alone.seen.values.record, 0);
});

test("the person has a place before the other dots are here", async () => {
  const { data: _, ...later } = PEOPLE.arrays.dots;
  const [map] = PEOPLE.panels;
  const panels = [{ ...map, layers: map.layers.filter(({ xy }) => xy !== "dots") }];
  const whole = await opened(PEOPLE);
  const files = [{ url: "later.bin", ids: ["later"], purpose: "outcomes" }];
  const arrays = { ...PEOPLE.arrays, dots: { ...later, id: "later" } };
  const figure = await opened({ ...PEOPLE, panels, arrays, files });
  assert.deepEqual(spotOf(figure), spotOf(whole));
});

test("arrow keys on the person's dot choose the next one that way", async () => {
  const figure = await opened(PEOPLE);
  const [spot] = figure.root.all("dp-spot");
  assert.equal(spot.attributes["aria-label"], "Take out. Arrows choose.");
  spot.fire("keydown", { key: "ArrowRight" });
  assert.equal(figure.seen.values.record, 2);
  html.frame();
  spot.fire("keydown", { key: "ArrowUp" });
  assert.equal(figure.seen.values.record, 3);
  html.frame();
  spot.fire("keydown", { key: "ArrowUp" });
  assert.equal(figure.seen.values.record, 3, "nobody is further up");
});

test("some dots of many have numbers of their own", async () => {
  const figure = await opened({
    ...PEOPLE,
    arrays: { ...PEOPLE.arrays, numbers: array([4, 7, 9], [3], [null], { dtype: "i4" }) },
    breathing: { ...PEOPLE.breathing, numbers: "numbers" },
  });
  figure.root.all("dp-spot")[0].fire("keydown", { key: "ArrowRight" });
  assert.equal(figure.seen.values.record, 7);
});

const TOLD = {
  ...{ start: "Can you tell?", hint: "Ten pictures", with: "with", without: "without", next: "Next picture" },
  ...{ again: "Again", done: "Done", right: "Right: {truth}.", wrong: "Wrong: {truth}.", round: "{next} of {rounds}." },
  ...{ score: "{right} of {done}, at most {most}.", last: "{right} of {rounds}; coins {luck}." },
};

test("a bet shows an outcome of either world, and tells its world only afterwards", async () => {
  const bets = { question: "With?", best: "bound", rounds: 2, inside: "", outside: "", hides: ["marks"], words: TOLD };
  const [panel] = PEOPLE.panels;
  const figure = await opened({
    ...PEOPLE,
    arrays: { ...PEOPLE.arrays, bound: array([0.75], [], []), marks: array([3, 3], [2], [null]) },
    panels: [{ ...panel, layers: [...panel.layers, { ...LINE, y: "marks" }], bets }],
  });
  mock.method(Math, "random", () => 0.9); // without her, the last outcome
  figure.button("Ten pictures").click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [9, false]);
  assert.equal(figure.root.all("dp-breathing")[0].hidden, true, "its buttons would tell");
  assert.equal(figure.seen.slice("ada").length, 2, "her ring tells nothing");
  const [said] = figure.root.all("dp-predict-words");
  assert.equal(said.textContent, "1 of 2. With?");
  figure.button("without").click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [9, true]);
  assert.equal(said.textContent, "Right: without. 1 of 1, at most 75 %.");
  figure.button("Next picture").click();
  figure.button("with").click();
  assert.equal(said.textContent, "Wrong: without. 1 of 2; coins about 75.");
  figure.button("Done").click();
  assert.deepEqual([figure.line, figure.seen.outcome.out], [5, false]);
  assert.equal(figure.root.all("dp-breathing")[0].hidden, false);
  mock.restoreAll();
});

test("a click on a picture, or below it in its column, chooses that picture; arrow keys do, too", async () => {
  const tiles = array([5, 5, 5], [3, 1], [null, null]);
  const figure = await opened({
    controls: [EPSILON, RECORD],
    values: { epsilon: 1, record: 0 },
    panels: [{ ...PANEL, kind: "mosaic", tiles: "line", shape: [1, 1], columns: 3, range: [0, 9], layers: [] }],
    arrays: { ...ARRAYS, line: tiles, number: array([1], [1], [null]), numbers: array([4, 5, 6], [3], [null]) },
    breathing: {
      ...BREATHING,
      ...{
        person: "number",
        dots: "line",
        record: "record",
        numbers: "numbers",
        tap: "Tap.",
        choose: "Arrows choose.",
        waits: "waits",
      },
    },
  });
  const [spot] = figure.root.all("dp-spot");
  const [plot] = figure.root.all("dp-plot");
  assert.deepEqual(
    figure.root.all("dp-tap").map((node) => node.textContent),
    ["Tap."],
  );
  spot.fire("keydown", { key: "ArrowRight" });
  assert.equal(figure.seen.values.record, 6);
  const size = parseFloat(spot.style.width);
  const box = plot.getBoundingClientRect();
  const at = { clientX: box.left + parseFloat(spot.style.left) - size - 4, clientY: box.top + 2.5 * size };
  plot.fire("click", { target: spot, ...at });
  assert.equal(figure.seen.values.record, 6, "a button over the picture does its own");
  plot.fire("click", { target: plot, ...at });
  assert.equal(figure.seen.values.record, 4);
});

test("while outcomes are on their way their buttons keep their room, and no progress greets the reader", async () => {
  const busy = { progress: 0.1, text: "Drawing other outcomes" };
  const waiting = await opened({ breathing: null, awaits_outcomes: true, busy });
  const [row] = waiting.root.all("dp-breathing");
  assert.deepEqual([row.hidden, row.inert, row.classList.contains("dp-awaited")], [false, true, true]);
  assert.equal(waiting.root.all("dp-tap")[0].hidden, false);
  assert.equal(waiting.root.all("dp-busy")[0].classList.contains("dp-quiet"), true);
  const here = await opened({ busy });
  const [shown] = here.root.all("dp-breathing");
  assert.deepEqual([shown.hidden, shown.inert, shown.classList.contains("dp-awaited")], [false, false, false]);
  const none = await opened({ breathing: null, busy });
  assert.equal(none.root.all("dp-breathing")[0].hidden, true);
  assert.equal(none.root.all("dp-busy")[0].classList.contains("dp-quiet"), false);
});
