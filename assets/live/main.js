// The entry of the Streamlit component. A figure is made once for its place in the page; every rerun draws it anew.

import { watch } from "./frame/accessibility.js";
import { begin, stays, taken } from "./frame/early.js";
import { LiveFigure } from "./frame/figure.js";
import { PLACES, placeholder } from "./frame/lazy_figure.js";
import { listen } from "./frame/terms.js";
import { surfaceOf } from "./frame/test_surface.js";

/** @import { Component, Place } from "./types.d.ts" */

/** @type {WeakMap<HTMLElement, LiveFigure>} */
const FIGURES = new WeakMap();

/** @type {Promise<unknown> | null} */
let styles = null;

/**
 * Load the styles, which lie beside this module; without them the figure is drawn all the same.
 * @param {string} url of this module
 */
export function styled(url) {
  styles ??= new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL("live.css", url).href;
    link.onload = link.onerror = done;
    document.head.append(link);
  });
  return styles;
}

/**
 * Draw a figure at a rerun, a theme change or a mount; return the function that ends it.
 * @param {Component | Place} component
 */
export function render(component) {
  if ("later" in component.data) return placeholder(/** @type {Place} */ (component));
  return draw(/** @type {Component} */ (component));
}

/** Repair the accessibility of a page that has no figure of its own. */
export function attend() {
  watch();
}

/**
 * Return the figure in a place of the page.
 * @param {HTMLElement} place
 */
export const figureIn = (place) => FIGURES.get(place);

/** @param {Component} component */
function draw(component) {
  const { parentElement: parent, data } = component;
  PLACES.get(parent)?.();
  listen();
  watch();
  const figure = FIGURES.get(parent) ?? taken(parent, data.name) ?? new LiveFigure(parent, data);
  if (!FIGURES.has(parent)) {
    FIGURES.set(parent, figure);
    window.__dpLive ??= {};
    figure.stats.mounts = (window.__dpLive[data.name]?.stats.mounts ?? 0) + 1;
    window.__dpLive[data.name] = surfaceOf(figure);
  }
  figure.render(component);
  return () => {
    FIGURES.delete(parent);
    if (!stays(parent)) figure.remove();
  };
}

if (globalThis.document?.getElementById?.("dp-early")) begin({ render, figureIn, styled });
