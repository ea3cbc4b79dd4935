// The placeholder of a figure that is loaded when a reader comes near it.

import { element } from "../draw/dom.js";

/** @import { Place } from "../types.d.ts" */

/**
 * The functions that end the waiting of a place.
 * @type {WeakMap<HTMLElement, () => void>}
 */
export const PLACES = new WeakMap();

const PATIENCE = 2000; // milliseconds until a place that nobody answered asks again, behind the others

/**
 * Places that a reader has come near, in the order in which they ask. One asks at a time: of two that ask at once
 * Streamlit runs one alone.
 * @type {(() => void)[]}
 */
const QUEUE = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;

/** Let the first in the queue ask, and again behind the others when nobody answers. */
function ask() {
  clearTimeout(patience);
  const first = QUEUE[0];
  if (!first) return;
  first();
  patience = setTimeout(() => {
    if (QUEUE[0] === first) QUEUE.push(.../** @type {[() => void]} */ (QUEUE.splice(0, 1)));
    ask();
  }, PATIENCE);
}

/** @param {() => void} report */
function leave(report) {
  const at = QUEUE.indexOf(report);
  if (at < 0) return;
  QUEUE.splice(at, 1);
  if (!at) ask();
}

/**
 * Fill a place with a placeholder; return the function that removes it.
 * @param {Place} place
 */
export function placeholder(place) {
  const { parentElement: parent, data } = place;
  PLACES.get(parent)?.();
  const root = element("div", "dp-later");
  root.style.setProperty("min-height", `${data.later}px`);
  let seq = 0;
  const report = () => {
    seq += 1; // Streamlit sends no event that equals the last one
    place.setStateValue("event", { seq, phase: "seen", action: null, values: {}, held: [], wanted: [] });
  };
  const sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      sight.disconnect();
      if (QUEUE.push(report) === 1) ask();
    },
    { rootMargin: "200px" },
  );
  const end = () => {
    sight.disconnect();
    root.remove();
    PLACES.delete(parent);
    leave(report);
  };
  PLACES.set(parent, end);
  parent.append(root);
  sight.observe(root);
  return end;
}
