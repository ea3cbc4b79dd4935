// The figure that the server puts into the page before Streamlit runs (ui/early): it is drawn with the page's first
// values, can be moved, and becomes the page's figure with its values, its focus and its unsent events.

/** @import { LiveFigure } from "./figure.js" */
/** @import { Component, Message, SentEvent, Value } from "../types.d.ts" */

/**
 * The early figure and its place.
 * @typedef {object} Early
 * @property {HTMLElement} box
 * @property {string} name
 * @property {LiveFigure} figure
 * @property {HTMLElement | null} parent its place in the page, once Streamlit has one
 */

/** @type {Early | null} */
let early = null;

const STILL = 10; // frames in which its place has not moved
const MOST = 240; // largest number of frames to wait
const LOOK = 500; // milliseconds between two checks whether a page comes without its figure
const ENDED = 6; // number of such checks after the page has ended

/**
 * Return whether a reader has moved what only Python can answer, so that the picture is out of date.
 * @param {Message} data
 * @param {SentEvent} event
 */
const asks = (data, { phase, values }) =>
  phase === "action" || data.controls.some(({ name, mode }) => mode === "server" && values[name] !== data.values[name]);

/** @param {HTMLElement} box */
function end(box) {
  early = null;
  box.remove();
  const root = document.getElementById("root");
  if (root) root.inert = false;
}

/**
 * Draw the early figure, where the page has one.
 * @param {object} how the functions that draw figures
 * @param {(component: Component) => unknown} how.render
 * @param {(place: HTMLElement) => LiveFigure | undefined} how.figureIn
 * @param {(url: string) => Promise<unknown>} how.styled
 */
export async function begin({ render, figureIn, styled }) {
  const box = document.getElementById("dp-early");
  const place = /** @type {HTMLElement | null | undefined} */ (box?.querySelector(".dp-early-place"));
  if (!box || !place || box.hidden) return;
  const { message = "", modules = "", values = "{}" } = box.dataset;
  try {
    const at = (/** @type {string} */ path) => new URL(path, document.baseURI).href;
    const [answer] = await Promise.all([fetch(at(message), { priority: "high" }), styled(at(modules))]);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const data = await answer.json();
    box.dispatchEvent(new Event("fetched"));
    if (window.__dpLive?.[data.name]) return end(box); // the page was faster
    Object.assign(data.values, JSON.parse(values));
    /** @param {string} _ @param {SentEvent} event */
    const setStateValue = (_, event) => {
      box.classList.toggle("dp-early-asks", asks(data, event));
    };
    render({ parentElement: place, data, setStateValue });
    const figure = /** @type {LiveFigure} */ (figureIn(place));
    early = { box, name: data.name, figure, parent: null };
    await figure.rendering;
    requestAnimationFrame(() => requestAnimationFrame(() => box.dispatchEvent(new Event("drawn"))));
    watch(box);
  } catch (error) {
    console.warn("early figure:", error);
    box.dispatchEvent(new Event("failed"));
  }
}

/**
 * Remove the early figure when a page has ended without its figure: the page says why.
 * @param {HTMLElement} box
 */
function watch(box) {
  let ended = 0;
  const timer = setInterval(() => {
    if (early?.parent || early?.box !== box) return clearInterval(timer);
    const app = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stApp"]'));
    const { testScriptState, testConnectionState } = app?.dataset ?? {};
    ended = testScriptState === "notRunning" && testConnectionState === "CONNECTED" ? ended + 1 : 0;
    if (ended < ENDED) return;
    clearInterval(timer);
    early.figure.remove();
    end(box);
  }, LOOK);
}

/**
 * Return the early figure for its place in the page; null where there is none.
 * @param {HTMLElement} parent
 * @param {string} name
 */
export function taken(parent, name) {
  if (!early || early.name !== name || early.parent) return null;
  early.parent = parent;
  parent.style.setProperty("min-height", `${early.figure.layout.root.offsetHeight}px`);
  settle(early);
  return early.figure;
}

/**
 * Return whether the figure stays although Streamlit removes its place: it has not been moved there yet.
 * @param {HTMLElement} parent
 */
export function stays(parent) {
  if (!early || early.parent !== parent) return false;
  early.parent = null;
  watch(early.box);
  return true;
}

/**
 * Move the figure to its place in the page as soon as the page lies still and no hand is on the figure.
 * @param {Early} found
 */
function settle(found) {
  const { figure, parent } = found;
  let [still, frames, top] = [0, 0, Number.NaN];
  const look = () => {
    if (early !== found || found.parent !== parent || !parent) return;
    const now = parent.getBoundingClientRect().top;
    still = now === top ? still + 1 : 0;
    top = now;
    frames += 1;
    const rests = still >= STILL || frames >= MOST;
    if (rests && figure.connection.protocol.hand === "free" && figure.ready) return bring(found, parent);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Move the figure to its page in one frame: it stays where it was seen, and keeps the focus.
 * @param {Early} found
 * @param {HTMLElement} parent
 */
function bring({ box, figure }, parent) {
  const { root } = figure.layout;
  const top = root.getBoundingClientRect().top;
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const inside = focus && root.contains(focus);
  end(box);
  parent.append(root);
  parent.style.setProperty("min-height", "");
  const main = parent.closest('[data-testid="stMain"]');
  if (main) main.scrollTop += root.getBoundingClientRect().top - top;
  if (inside) focus.focus({ preventScroll: true });
  figure.turn();
}
