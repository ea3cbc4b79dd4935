// Figures without a server: on a slide, on a course page, or in a file. Events for Python are answered here: nothing
// changes.

import { bodies, decode } from "./data/decode.js";
import { unzipped } from "./data/packed.js";
import { keep } from "./data/slices.js";
import { inLink } from "./data/values.js";
import { render } from "./main.js";

/** @import { FileSpec, Message, SentEvent, Value } from "./types.d.ts" */

/**
 * Return the address of a page with the values that a reader has set.
 * @param {string} href
 * @param {Record<string, Value>} values
 * @param {Record<string, Value>} before
 */
export function withValues(href, values, before) {
  const [path, query = ""] = href.split("?");
  const link = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) if (value !== before[name]) link.set(name, inLink(value));
  return link.size ? `${path}?${link}` : path;
}

/**
 * Unpack the arrays of a file that the page itself holds (gzip, base64).
 * @param {FileSpec & { packed: string }} file
 */
async function unpack({ packed, ids }) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const found = bodies(await unzipped(new Blob([bytes]).stream()).arrayBuffer());
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
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again); // its colours are drawn, not set by CSS
}

const PAPER = 680; // pixels across a sheet, A4 or letter

/** Prepare the page for paper, before its figures are drawn for it: light, and with the addresses of links. */
function toPaper() {
  const { classList, dataset } = document.documentElement;
  dataset.before = dataset.theme ?? "";
  dataset.theme = "light";
  for (const link of document.querySelectorAll("a")) link.dataset.address = link.href;
  classList.add("dp-sheets");
}

function fromPaper() {
  const { classList, dataset } = document.documentElement;
  classList.remove("dp-sheets");
  if (dataset.before) dataset.theme = dataset.before;
  else delete dataset.theme;
}

/** Return the iframe that shows this page on a page of ours; null on other sites, whose frames are out of reach. */
function ownFrame() {
  const frame = /** @type {HTMLIFrameElement | null} */ (window.frameElement);
  return frame && "fits" in frame.dataset ? frame : null;
}

/**
 * Give an iframe the height of its content, on the screen and on paper, and let the next one load.
 * @param {HTMLIFrameElement} frame
 */
function fit(frame) {
  const { body, documentElement } = document;
  const high = () => {
    frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`;
  };
  documentElement.classList.add("dp-fits");
  document.querySelector("main")?.setAttribute("aria-label", frame.title); // each figure of a page has its own name
  new ResizeObserver(high).observe(body);
  const shown = frame.ownerDocument.defaultView?.frameElement; // the page around it is in a frame itself, narrower
  addEventListener("beforeprint", () => {
    if (!shown) frame.style.width = `${PAPER}px`;
    high();
  });
  addEventListener("afterprint", () => {
    frame.style.width = "";
    high();
  });
  frame.ownerDocument.querySelector("iframe[loading=lazy]")?.setAttribute("loading", "eager");
}

/** Draw every figure of the page. */
export async function showAll() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-figure]"))) {
    const found = document.getElementById(place.dataset.figure ?? "");
    if (!found) continue;
    const data = JSON.parse(found.textContent ?? "");
    await Promise.all(data.files.filter((/** @type {object} */ file) => "packed" in file).map(unpack));
    show(place, data);
  }
  addEventListener("beforeprint", toPaper, true); // before the figures
  addEventListener("afterprint", fromPaper, true);
  const frame = ownFrame();
  if (frame) fit(frame);
}

if (globalThis.document?.querySelector("[data-figure]")) showAll();
