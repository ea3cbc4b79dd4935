// Files that are compressed as such are unpacked by the browser; others are taken as they come.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { content, unpackedJson } from "../../../assets/live/data/packed.js";

test("the ending of a file says whether it is unpacked", async () => {
  const packed = gzipSync("one");
  assert.equal(await content(new Response(packed), "arrays/1.packed").text(), "one");
  assert.equal(await content(new Response("one"), "arrays/1").text(), "one");
});

test("a file of JSON that is not there is an error that names it", async (t) => {
  const answers = [new Response(gzipSync('{"a":1}')), new Response("", { status: 404 })];
  t.mock.method(globalThis, "fetch", async () => answers.shift());
  const url = new URL("http://site.test/states/1.packed");
  assert.deepEqual(await unpackedJson(url), { a: 1 });
  await assert.rejects(unpackedJson(url), /states\/1\.packed: 404/);
});
