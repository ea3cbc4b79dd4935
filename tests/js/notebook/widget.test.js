// The figure in a notebook: what it tells the kernel and what it answers itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Slices } from "../../../assets/live/data/slices.js";
import { firstOpaque, isDark } from "../../../assets/notebook/ground.js";
import { alike, NotebookFigure, unpack } from "../../../assets/notebook/widget.js";

/** A file as ui/live/array_files.py writes it, of one exact float32 array. */
function packed(numbers) {
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  view.setUint8(0, 0);
  view.setUint8(1, 4);
  view.setUint32(8, numbers.length, true);
  const bits = new DataView(new Float32Array(numbers).buffer);
  const planes = [3, 2, 1, 0].flatMap((byte) => numbers.map((_, i) => bits.getUint8(4 * i + byte)));
  const body = Uint8Array.from([...head, ...planes]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, body.length, true);
  return gzipSync(Uint8Array.from([...length, ...body]));
}

const viewOf = (bytes, before = 0) => {
  const whole = new Uint8Array(bytes.length + before);
  whole.set(bytes, before);
  return new DataView(whole.buffer, before, bytes.length);
};

/** A model that remembers what is set, saved and sent. */
class Model {
  constructor(values, opening) {
    this.data = { values, _opening: opening };
    this.sent = [];
    this.saved = 0;
  }
  get(name) {
    return this.data[name];
  }
  set(name, value) {
    this.data[name] = value;
  }
  save_changes() {
    this.saved += 1;
  }
  send(content) {
    this.sent.push(content);
  }
}

const SPECS = new Map([
  ["epsilon", { name: "epsilon", kind: "slider", mode: "local", grid: [1, 2] }],
  ["clip", { name: "clip", kind: "slider", mode: "server", grid: [1, 2] }],
]);

/** A view whose figure only remembers what it is asked. */
function viewed({ asks = true, values = { epsilon: 1, clip: 1 }, now = { ...values }, hand = "free" } = {}) {
  const message = { name: "page", session: "s", modules: "", values, files: [], busy: null };
  const model = new Model({ ...values }, { message, notes: [], silent: "silent", theme: "auto", asks });
  const calls = [];
  const shown = Object.create(NotebookFigure.prototype);
  Object.assign(shown, { model, place: {}, view: "mine", name: "page", opening: model.get("_opening"), busy: null });
  shown.silence = { hidden: true };
  shown.gone = false;
  shown.say = (notes) => calls.push(["say", notes]);
  shown.figure = {
    ready: true,
    whole: 7,
    values: now,
    data: { values },
    specs: SPECS,
    connection: { protocol: { hand } },
    moves: {
      set: (name, value) => calls.push(["set", name, value]),
      moved: (name, how) => calls.push(["moved", name, how]),
    },
    render: ({ data }) => calls.push(["render", data]),
  };
  return { shown, model, calls };
}

const later = () => new Promise((done) => setTimeout(done, 5));
const event = (phase, values, more = {}) => ({ seq: 3, phase, action: null, values, held: [], wanted: [], ...more });

test("arrays come as bytes, in the first message and as buffers, at any place of their memory", async () => {
  await unpack([{ ids: ["one"], packed: viewOf(packed([1, 2.5, -3])) }]);
  await unpack([{ ids: ["two"], packed: 1 }], [viewOf(packed([0])), viewOf(packed([4, 5]), 3)]);
  const slices = new Slices();
  const spec = (id, n) => ({ id, dims: [null], shape: [n], dtype: "f4", scale: null });
  slices.set({ a: spec("one", 3), b: spec("two", 2) }, {}, () => 0);
  assert.deepEqual(Array.from(slices.get("a")), [1, 2.5, -3]);
  assert.deepEqual(Array.from(slices.get("b")), [4, 5]);
});

test("a handle of the browser is told, and answered here at once", async () => {
  const { shown, model, calls } = viewed();
  shown.hear(event("commit", { epsilon: 2, clip: 1 }));
  assert.deepEqual(model.get("values"), { epsilon: 2, clip: 1 });
  assert.equal(model.saved, 1);
  assert.deepEqual(
    model.sent.map(({ view, event: told }) => [view, told.phase]),
    [["mine", "commit"]],
  );
  await later();
  assert.deepEqual(calls, [
    ["render", { same: 7, busy: null, name: "page", seq: 3, session: "s", modules: "", news: "" }],
  ]);
  clearTimeout(shown.patience);
});

test("a handle that Python draws waits for the kernel, and a drag does not change the values", async () => {
  const { shown, model, calls } = viewed();
  shown.hear(event("drag", { epsilon: 1, clip: 2 }));
  assert.equal(model.saved, 0);
  shown.hear(event("commit", { epsilon: 1, clip: 2 }));
  await later();
  assert.deepEqual(calls, []);
  assert.equal(model.sent.length, 2);
  assert.equal(model.saved, 1);
  clearTimeout(shown.patience);
});

test("a figure without Python answers everything itself, also Reset", async () => {
  const { shown, model, calls } = viewed({ asks: false });
  shown.hear(event("commit", { epsilon: 2, clip: 2 }));
  shown.hear(event("action", { epsilon: 2, clip: 2 }, { action: "reset", seq: 4 }));
  await later();
  assert.deepEqual(model.sent, []);
  assert.deepEqual(
    calls.map(([, data]) => data.seq),
    [3, 4],
  );
  assert.deepEqual(calls[1][1].values, { epsilon: 1, clip: 1 });
  assert.deepEqual(model.get("values"), { epsilon: 1, clip: 1 });
});

test("an answer to another view is not drawn; one to this view ends the wait, its arrays first", async () => {
  const { shown, calls } = viewed();
  shown.silence.hidden = false;
  const message = { name: "page", seq: 5, files: [{ ids: ["three"], packed: 0 }], arrays: {}, busy: { progress: 1 } };
  await shown.answer({ view: "other", notes: [], message }, []);
  assert.deepEqual(calls, []);
  assert.equal(shown.silence.hidden, false);
  await shown.answer({ view: "mine", notes: ["a note"], message }, [viewOf(packed([9]))]);
  assert.equal(shown.silence.hidden, true);
  assert.deepEqual(calls[0], ["say", ["a note"]]);
  assert.deepEqual([calls[1][1].seq, calls[1][1].files], [5, []]);
  assert.deepEqual(shown.busy, { progress: 1 });
});

test("values set in Python move the handles that differ, and are told once", () => {
  const { shown, calls } = viewed();
  shown.adopt({ epsilon: 2, clip: 1, unknown: 5 });
  assert.deepEqual(calls, [
    ["set", "epsilon", 2],
    ["moved", "epsilon", "commit"],
  ]);
  const same = viewed();
  same.shown.adopt({ epsilon: 1, clip: 1 });
  assert.deepEqual(same.calls, []);
});

test("a hand on a handle goes before values set in Python", () => {
  const { shown, calls } = viewed({ hand: "held" });
  shown.adopt({ epsilon: 2, clip: 1 });
  assert.deepEqual(calls, []);
});

test("sets of values are alike when every value is", () => {
  assert.ok(alike({ a: 1, b: "x" }, { b: "x", a: 1 }));
  assert.ok(!alike({ a: 1 }, { a: 2 }));
  assert.ok(!alike({ a: 1 }, { a: 1, b: 2 }));
});

test("the ground is the first opaque colour outwards, and dark grounds are told from light ones", () => {
  assert.equal(firstOpaque(["rgba(0, 0, 0, 0)", "transparent", "rgba(9, 9, 9, 0.4)", "rgb(1, 2, 3)"]), "rgb(1, 2, 3)");
  assert.equal(firstOpaque(["oklch(0.2 0 0 / 0)", "oklch(0.2 0 0)"]), "oklch(0.2 0 0)");
  assert.equal(firstOpaque(["transparent"]), null);
  assert.ok(isDark("rgb(17, 17, 17)"));
  assert.ok(!isDark("rgb(255, 255, 255)"));
});
