// The place of a figure that nobody has come near yet: it asks for the figure when somebody does.

import { element } from "./dom.js";

/** @import { Place } from "./types.d.ts" */

/**
 * What ends the waiting in a place.
 * @type {WeakMap<HTMLElement, () => void>}
 */
export const PLACES = new WeakMap();

/**
 * Hold a place; returns what gives it up.
 * @param {Place} place
 */
export function hold(place) {
  const { parentElement: parent, data } = place;
  PLACES.get(parent)?.();
  const root = element("div", "dp-later");
  root.style.setProperty("min-height", `${data.later}px`);
  const sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      sight.disconnect();
      place.setStateValue("event", { seq: 1, phase: "seen", action: null, values: {}, held: [], wanted: [] });
    },
    { rootMargin: "200px" },
  );
  const end = () => {
    sight.disconnect();
    root.remove();
    PLACES.delete(parent);
  };
  PLACES.set(parent, end);
  parent.append(root);
  sight.observe(root);
  return end;
}
