// A whole figure in a cell of a notebook that is made up: it opens, follows Python and its reader, and leaves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { array, axis } from "../given.js";
import { page } from "../page.js";

const html = page();
const { widget } = await import("../../../assets/notebook/widget.js");

const SLIDER = { kind: "slider", symbol: "", help: "", more: false, disabled: false, hidden: false, ends: ["", ""] };
const CONTROLS = [
  { ...SLIDER, name: "epsilon", label: "epsilon", grid: [1, 2, 3], mode: "local" },
  { ...SLIDER, name: "clip", label: "norm", grid: [1, 2, 3], mode: "server" },
];
const PANEL = { key: "curve", title: "Curve", kind: "plot", caption: "", alt: "error {error}", link: "", tab: "" };
const MESSAGE = {
  controls: CONTROLS,
  values: { epsilon: 1, clip: 1 },
  arrays: { error: array([0.5, 0.25, 0.125], [3], ["epsilon"]) },
  files: [],
  coords: {},
  panels: [{ ...PANEL, height: 100, fixed: false, layers: [], still: "", x: axis([0, 1]), y: axis([0, 1]) }],
  readouts: [{ value: "error", label: "error", format: ".2f", note: "", role: "", draw: "", alone: "" }],
  texts: [],
  terms: {},
  compact: false,
  main_tab: "",
  previews: {},
  busy: null,
  breathing: null,
  name: "page",
  seq: 0,
  session: "one",
  modules: "",
  news: "",
};

/** A model as a notebook has it: it hears, and keeps what is set. */
function model(values, { notes = [], asks = true } = {}) {
  const heard = {};
  const data = { values, _opening: { message: MESSAGE, notes, silent: "The kernel is silent.", theme: "auto", asks } };
  return {
    sent: [],
    heard,
    get: (name) => data[name],
    set: (name, value) => {
      data[name] = value;
    },
    save_changes() {},
    send(content) {
      this.sent.push(content);
    },
    on: (name, hear) => {
      heard[name] = hear;
    },
    off: (name) => delete heard[name],
  };
}

const settle = () => new Promise((done) => setTimeout(done, 20));

/** Show a model's figure in a cell that comes into the page. */
async function opened(made) {
  const el = document.createElement("div");
  document.body.append(el);
  const before = html.observers.length;
  const close = widget.render({ model: made, el });
  html.observers[before].seen(); // its place has a size
  await settle();
  html.frame();
  return { el, close };
}

test("a figure opens at the values that the kernel has now, with its notes", async () => {
  const made = model({ epsilon: 3, clip: 1 }, { notes: ["A note."] });
  const { el, close } = await opened(made);
  const live = window.__dpLive.page;
  assert.deepEqual(live.values, { epsilon: 3, clip: 1 });
  assert.match(el.textContent, /A note\./);
  assert.equal(el.children[0].dataset.theme, "light");
  assert.deepEqual(
    made.sent.map(({ event }) => [event.phase, event.values.epsilon]),
    [["commit", 3]],
  );
  close();
  assert.deepEqual(window.__dpLive, {});
  assert.deepEqual(made.heard, {});
});

test("values that Python sets move the handle, an answer draws, and a second figure has a name of its own", async () => {
  const [made, other] = [model({ epsilon: 1, clip: 1 }), model({ epsilon: 1, clip: 1 })];
  const [one, two] = [await opened(made), await opened(other)];
  assert.deepEqual(Object.keys(window.__dpLive), ["page", "page-2"]);
  made.set("values", { epsilon: 2, clip: 2 });
  made.heard["change:values"]();
  assert.deepEqual(window.__dpLive.page.values, { epsilon: 2, clip: 2 });
  const { view, event } = made.sent.at(-1);
  assert.deepEqual(event.values, { epsilon: 2, clip: 2 });
  assert.equal(window.__dpLive.page.settled, false);
  const message = { ...MESSAGE, values: event.values, seq: event.seq };
  made.heard["msg:custom"]({ view, notes: [], message }, []);
  await settle();
  html.frame();
  assert.equal(window.__dpLive.page.settled, true);
  assert.deepEqual(window.__dpLive.page.slice("error"), [0.25]);
  assert.deepEqual(window.__dpLive["page-2"].values, { epsilon: 1, clip: 1 });
  one.close();
  two.close();
});
