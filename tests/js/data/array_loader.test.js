// Which files of arrays are fetched, when, and what follows when one cannot be had.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ArrayLoader, fetchArrays } from "../../../assets/live/data/array_loader.js";
import { isHere } from "../../../assets/live/data/slices.js";

let serial = 0;
let asked;
let broken;

/** A file of one array of one byte, with a name of its own. */
function file(purpose = "") {
  serial += 1;
  return { url: `/arrays/${serial}`, ids: [`file-${serial}`], purpose };
}

function content() {
  const found = new Uint8Array(17);
  const view = new DataView(found.buffer);
  view.setUint32(0, 13, true);
  view.setUint8(4, 2);
  view.setUint8(5, 1);
  view.setUint32(12, 1, true);
  return found.buffer;
}

beforeEach(() => {
  asked = [];
  broken = new Set();
  globalThis.document = { baseURI: "http://a.example/page" };
  globalThis.fetch = async (url, { priority }) => {
    asked.push([new URL(url).pathname, priority]);
    if (broken.has(new URL(url).pathname)) throw new TypeError("no line");
    return { ok: !url.pathname.endsWith("404"), arrayBuffer: async () => content() };
  };
});

function figure() {
  const told = { arrived: 0, arriving: 0, lost: [] };
  const connection = {
    wanted: [],
    arriving: () => (told.arriving += 1),
    lacks: (ids) => told.lost.push(...ids),
  };
  return { told, connection, arrived: () => (told.arrived += 1) };
}

const specs = (files) => Object.fromEntries(files.flatMap(({ ids }) => ids.map((id) => [id, { id }])));

test("what is under way or here is not fetched again", async () => {
  const one = file();
  await Promise.all([fetchArrays([one]), fetchArrays([one], { priority: "high" })]);
  assert.deepEqual(await fetchArrays([one]), []);
  assert.deepEqual(asked, [[one.url, "auto"]]);
  assert.ok(isHere(one.ids[0]));
});

test("a message waits for what is seen first alone", async () => {
  const files = [file(), file("tab Two"), file("preview clip")];
  const found = figure();
  const loader = new ArrayLoader(found);
  assert.equal(await loader.lacks({ arrays: specs(files), files }), false);
  assert.deepEqual(asked, [[files[0].url, "high"]]);
  assert.equal(found.told.arriving, 1);
  assert.equal(await loader.lacks({ arrays: specs(files), files }), false);
  assert.equal(found.told.arriving, 1, "nothing to wait for");
});

test("an array that is neither here nor in a file is missing", async () => {
  const loader = new ArrayLoader(figure());
  assert.equal(await loader.lacks({ arrays: { a: { id: "nowhere" } }, files: [] }), true);
});

test("what cannot be fetched is wanted of the page", async () => {
  const files = [file(), { ...file(), url: "/arrays/404" }, file()];
  broken.add(files[2].url);
  const found = figure();
  assert.equal(await new ArrayLoader(found).lacks({ arrays: specs(files), files }), true);
  assert.deepEqual(found.connection.wanted, [...files[1].ids, ...files[2].ids]);
});

test("a tab's arrays come when they are brought, and are drawn", async () => {
  const files = [file("tab Two"), file("preview clip")];
  const found = figure();
  const loader = new ArrayLoader(found);
  loader.take({ files });
  assert.ok(!loader.has("tab Two"));
  assert.ok(loader.has("tab Three"), "nothing to fetch");
  const coming = loader.bring("tab Two", "high");
  assert.equal(loader.pending, 1);
  assert.equal(await coming, true);
  assert.deepEqual([loader.pending, found.told.arrived, asked.length], [0, 1, 1]);
  assert.ok(loader.has("tab Two"));
  assert.ok(!loader.has("preview clip"));
  await loader.bring("tab Two");
  assert.equal(asked.length, 1);
});

test("a tab's arrays that are lost are asked for; a preview's are not: the handle asks the server", async () => {
  const files = [file("tab Two"), file("preview clip")];
  for (const { url } of files) broken.add(url);
  const found = figure();
  const loader = new ArrayLoader(found);
  loader.take({ files });
  assert.equal(await loader.bring("tab Two"), false);
  assert.equal(await loader.bring("preview clip"), false);
  assert.deepEqual(found.told.lost, files[0].ids);
});

test("what arrives for a message that is gone draws nothing", async () => {
  const found = figure();
  const loader = new ArrayLoader(found);
  loader.take({ files: [file("tab Two")] });
  const coming = loader.bring("tab Two");
  loader.take({ files: [] });
  await coming;
  assert.equal(found.told.arrived, 0);
});

test("the rest comes when the browser has time, with low priority", async () => {
  const files = [file("tab Two"), file("preview clip")];
  const loader = new ArrayLoader(figure());
  loader.take({ files });
  const coming = loader.rest();
  assert.ok(loader.pending);
  assert.deepEqual(asked, []);
  await coming;
  assert.deepEqual(
    asked,
    files.map(({ url }) => [url, "low"]),
  );
  assert.equal(loader.pending, 0);
  await loader.rest();
  assert.equal(asked.length, 2);
});
