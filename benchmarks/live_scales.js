// Compare scales, ticks and numbers of the live figure with d3's (docs/decisions/007):
//   npm install --prefix build/d3 d3-scale@4.0.2 d3-format@3.1.3 d3-array@3.2.5 && node benchmarks/live_scales.js build/d3

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "../assets/live/data/numbers.js";
import { scalesOf } from "../assets/live/draw/scales.js";
import { linearPlaces, logPlaces } from "../assets/live/draw/ticks.js";

const installed = createRequire(resolve(process.argv[2] ?? "build/d3", "package.json"));
const d3 = (name) => import(pathToFileURL(installed.resolve(name)).href);
const [{ scaleLinear, scaleLog }, { formatLocale }, { ticks }] = await Promise.all(
  ["d3-scale", "d3-format", "d3-array"].map(d3),
);

/** The least time of a call in nanoseconds, of 15 rounds of 200,000 calls. */
function nanoseconds(call) {
  const rounds = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (let k = 0; k < 200_000; k++) call(k % 1000);
    return (performance.now() - start) / 0.2;
  });
  return Math.min(...rounds);
}

/** A linear congruential generator: the same spans in every run. */
let state = 1;
function uniform() {
  state = (1664525 * state + 1013904223) % 2 ** 32;
  return state / 2 ** 32;
}

const same = (a, b) => a.length === b.length && a.every((value, k) => Math.abs(value - b[k]) <= 1e-9 * Math.abs(value));

const area = { left: 50, top: 8, width: 500, height: 300 };
const linear = { range: [0, 1], log: false };
const log = { range: [0.01, 1000], log: true };
const ours = scalesOf({ x: linear, y: log }, { x: [0, 1], y: [-2, 3] }, area);
const theirs = {
  x: scaleLinear([0, 1], [50, 550]),
  y: scaleLog([0.01, 1000], [308, 8]),
};
let sink = 0;
const times = {};
for (const axis of ["x", "y"]) {
  const own = nanoseconds((k) => {
    sink += ours[axis]((k + 1) / 1000);
  });
  const other = nanoseconds((k) => {
    sink += theirs[axis]((k + 1) / 1000);
  });
  times[axis === "x" ? "linear" : "logarithmic"] = { ours: own, d3: other, ratio: other / own };
}

const spans = Array.from({ length: 10_000 }, () => {
  const low = (uniform() - 0.5) * 10 ** (8 * uniform() - 4);
  return [low, low + 10 ** (8 * uniform() - 4)];
});
const parts = 6;
const linearTicks = spans.map((span) => [linearPlaces(span, parts).places, ticks(...span, parts)]);
const decades = spans.map(() => {
  const low = 10 ** (8 * uniform() - 6);
  return [low, low * 10 ** (1 + 7 * uniform())];
});
const logTicks = decades.flatMap((span) => {
  const found = logPlaces(span, parts);
  return found ? [[found, scaleLog(span, [0, 1]).ticks(parts)]] : [];
});
const agreement = (pairs) => ({
  same: pairs.filter(([a, b]) => same(a, b)).length / pairs.length,
  longest: [0, 1].map((who) => Math.max(...pairs.map((pair) => pair[who].length))), // the room is for `parts + 1`
});

const { cases } = JSON.parse(readFileSync(new URL("../tests/js/numbers.json", import.meta.url), "utf-8"));
const locale = formatLocale({
  decimal: ".",
  thousands: "\u202f",
  grouping: [3],
  currency: ["", ""],
  percent: " %",
  minus: "−",
  nan: "–",
});
/** d3's text of a number in the nearest specifier that it has; null where it has none. */
function their(value, code) {
  const specifier =
    { d: ",.0f" }[code] ??
    code.replace(
      /^(\+?)(\.\d+)?([gf%])$/,
      (_, plus, digits = "", kind) => `${plus},${digits}${kind === "g" ? "~r" : kind}`,
    );
  return /^[+,.\d~rf%]+$/.test(specifier) ? locale.format(specifier)(value) : null;
}
const NAMED = { inf: Infinity, "-inf": -Infinity };
const known = cases.map(([value, code, text]) => [NAMED[value] ?? Number(value), code, text]);
const wrong = known.filter(([value, code, text]) => their(value, code) !== text);
const unknown = known.filter(([value, code]) => their(value, code) === null);
const formatted = {
  cases: cases.length,
  ours: known.filter(([value, code, text]) => format(value, code) === text).length,
  d3: cases.length - wrong.length,
  withoutSpecifier: unknown.length,
  wrong: wrong
    .filter(([value, code]) => their(value, code) !== null)
    .slice(0, 8)
    .map(([value, code, text]) => [value, code, text, their(value, code)]),
};
console.log(
  JSON.stringify(
    {
      nanoseconds: times,
      linearTicks: agreement(linearTicks),
      logTicks: agreement(logTicks),
      formatted,
      finite: Number.isFinite(sink),
    },
    null,
    1,
  ),
);
