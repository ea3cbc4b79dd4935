// The figure that is there before its page: drawn, moved, and taken over with what a reader has done.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { begin, stays, taken } from "../../../assets/live/frame/early.js";
import { page } from "../page.js";

const DATA = {
  name: "budget",
  values: { epsilon: 1, clip: 1 },
  controls: [
    { name: "epsilon", mode: "local" },
    { name: "clip", mode: "server" },
  ],
};
let html = page();
let told = [];

/** A page with an early figure, and a figure that only knows where it stands. */
function opened({ ok = true, values = "{}", app } = {}) {
  html = page();
  told = [];
  const [box, place, root, parent, main] = ["box", "place", "app", "parent", "main"].map(() =>
    document.createElement("div"),
  );
  box.append(place);
  html.body.append(box, root);
  root.append(main);
  main.append(parent);
  main.scrollTop = 0;
  parent.closest = () => main;
  Object.assign(box, {
    querySelector: () => place,
    dataset: { message: "./early/budget/1", modules: "./m.js", values },
  });
  box.dispatchEvent = ({ type }) => told.push(type);
  root.inert = true;
  Object.assign(document, {
    baseURI: "http://dp.example/budget",
    getElementById: (id) => ({ "dp-early": box.parentElement && box, root })[id],
    querySelector: () => app?.(),
  });
  globalThis.fetch = async () => ({ ok, status: 404, json: async () => structuredClone(DATA) });
  const figure = {
    layout: { root: document.createElement("div") },
    connection: { protocol: { hand: "free" } },
    rendering: Promise.resolve(),
    ready: true,
    turned: 0,
    turn: () => (figure.turned += 1),
    remove: () => figure.layout.root.remove(),
  };
  const { root: drawn } = figure.layout;
  drawn.offsetHeight = 700;
  drawn.contains = (node) => node === drawn.handle;
  drawn.handle = { focus: () => told.push("focus") };
  const found = { box, place, root, parent, main, figure, drawn };
  found.shown = begin({
    render: (component) => {
      found.component = component;
      place.append(drawn);
    },
    figureIn: () => figure,
    styled: async () => {},
  });
  return found;
}

const frames = (count) => {
  for (let k = 0; k < count; k++) html.frame();
};

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
test.afterEach(() => mock.timers.reset());

test("it is drawn with the values of the link, says so, and says when only Python can answer", async () => {
  const found = opened({ values: '{"epsilon":0.5}' });
  const { box } = found;
  await found.shown;
  frames(2);
  assert.deepEqual(told, ["fetched", "drawn"]);
  const { data, setStateValue } = found.component;
  assert.equal(data.values.epsilon, 0.5);
  const asks = () => box.classList.contains("dp-early-asks");
  setStateValue("event", { phase: "commit", values: { epsilon: 2, clip: 1 } });
  assert.equal(asks(), false);
  setStateValue("event", { phase: "commit", values: { epsilon: 2, clip: 3 } });
  assert.equal(asks(), true);
  setStateValue("event", { phase: "action", values: { epsilon: 2, clip: 1 } });
  assert.equal(asks(), true);
});

test("the page takes it over in one frame once its place lies still and no hand is on it", async () => {
  const { shown, box, root, parent, main, figure, drawn } = opened();
  await shown;
  assert.equal(taken(parent, "another"), null);
  assert.equal(taken(parent, "budget"), figure);
  assert.equal(taken(parent, "budget"), null, "once");
  assert.equal(parent.style["min-height"], "700px");
  let top = 300;
  parent.getBoundingClientRect = () => ({ top });
  drawn.getBoundingClientRect = () => ({ top: drawn.parentElement === parent ? 320 : 300 });
  frames(5);
  top = 310; // something came above it
  frames(8);
  assert.equal(box.isConnected, true);
  figure.connection.protocol.hand = "held";
  frames(40);
  assert.equal(box.isConnected, true, "somebody drags");
  document.activeElement = drawn.handle;
  figure.connection.protocol.hand = "free";
  frames(1);
  assert.equal(box.isConnected, false);
  assert.equal(drawn.parentElement, parent);
  assert.equal(root.inert, false);
  assert.equal(parent.style["min-height"], "");
  assert.equal(main.scrollTop, 20, "what is seen of it stays where it is");
  assert.deepEqual([told.at(-1), figure.turned], ["focus", 1]);
  assert.equal(stays(parent), false, "it is a figure like any other");
});

test("a place that is given up before does not take the figure with it", async () => {
  const { shown, box, parent, figure } = opened();
  await shown;
  taken(parent, "budget");
  frames(3);
  assert.equal(stays(parent), true);
  frames(40);
  assert.equal(box.isConnected, true);
  assert.equal(taken(parent, "budget"), figure);
});

test("it leaves when the page has ended without a figure, and not while it only waits", async () => {
  let state = { testScriptState: "running", testConnectionState: "CONNECTED" };
  const { shown, box, root, drawn } = opened({ app: () => ({ dataset: state }) });
  await shown;
  mock.timers.tick(5000);
  state = { ...state, testScriptState: "notRunning" };
  mock.timers.tick(2500);
  assert.equal(box.isConnected, true);
  mock.timers.tick(1000);
  assert.equal(box.isConnected, false);
  assert.deepEqual([root.inert, drawn.parentElement], [false, null]);
});

test("without its message, or after its page, there is none", async () => {
  const warned = mock.method(console, "warn", () => {});
  const lost = opened({ ok: false });
  await lost.shown;
  assert.deepEqual(told, ["failed"]);
  assert.equal(warned.mock.callCount(), 1);
  const late = opened();
  window.__dpLive = { budget: {} };
  await late.shown;
  assert.equal(late.box.isConnected, false);
  const unseen = opened();
  unseen.box.hidden = true;
  assert.equal(await begin({}), undefined);
});
