// The lock file serves every machine and every registry.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const { packages } = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf-8"));

test("no registry is named", () => {
  for (const [name, entry] of Object.entries(packages)) assert.equal(entry.resolved, undefined, name);
});

test("no platform's package is left out: npm ci would refuse the file", () => {
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const name of Object.keys(optionalDependencies)) assert.ok(packages[`node_modules/${name}`], name);
  }
});
