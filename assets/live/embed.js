// Figures by themselves, with nobody behind them: on a slide, a course page, or in a file. What asks for Python is
// answered here: it stays as it is.

import { bodies, decode } from "./decode.js";
import { render } from "./main.js";
import { keep } from "./slices.js";

/** @import { FileSpec, Message, SentEvent, Value } from "./types.d.ts" */

/** @param {Value} value */
const shown = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));

/**
 * The address of a page with the values that a reader has set.
 * @param {string} href
 * @param {Record<string, Value>} values
 * @param {Record<string, Value>} before
 */
export function withValues(href, values, before) {
  const [path, query = ""] = href.split("?");
  const link = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) if (value !== before[name]) link.set(name, shown(value));
  return link.size ? `${path}?${link}` : path;
}

/**
 * The arrays of a file that lie in the page itself, packed by gzip in base64.
 * @param {FileSpec & { packed: string }} file
 */
export async function unpack({ packed, ids }) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const found = bodies(await new Response(stream).arrayBuffer());
  found.forEach((body, i) => {
    keep(ids[i], decode(body));
  });
}

/**
 * Draw a figure into its place.
 * @param {HTMLElement} place
 * @param {Message} data
 */
export function show(place, data) {
  const { seq, name, session, modules } = data;
  const before = { ...data.values };
  const link = place.parentElement?.querySelector("a");
  const href = link?.getAttribute("href") ?? "";
  let last = seq;
  const again = () => {
    const same = { same: seq, busy: null, name, seq: last, session, modules, news: "" };
    render({ parentElement: place, data: same, setStateValue });
  };
  /** @param {string} _ @param {SentEvent} event */
  const setStateValue = (_, event) => {
    link?.setAttribute("href", withValues(href, event.values, before));
    last = event.seq;
    setTimeout(again);
  };
  render({ parentElement: place, data, setStateValue });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again); // its colours are drawn, not styled
}

/** Draw every figure of the page. */
export async function showAll() {
  for (const place of document.querySelectorAll("[data-figure]")) {
    const found = document.getElementById(/** @type {HTMLElement} */ (place).dataset.figure ?? "");
    if (!found) continue;
    const data = JSON.parse(found.textContent ?? "");
    await Promise.all(data.files.filter((/** @type {object} */ file) => "packed" in file).map(unpack));
    show(/** @type {HTMLElement} */ (place), data);
  }
}

if (globalThis.document?.querySelector("[data-figure]")) showAll();
