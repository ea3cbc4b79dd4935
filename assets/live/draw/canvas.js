// Canvases for what moves, in the resolution of the screen.

import { context, element } from "./dom.js";

/** @param {string} className */
export function canvas(className) {
  const made = element("canvas", className);
  made.setAttribute("aria-hidden", "true");
  return made;
}

let least = 1;

/**
 * Give canvases at least so many pixels for each of the page: paper shows more of them than a screen.
 * @param {number} ratio
 */
export function sharpen(ratio) {
  least = ratio;
}

/**
 * Resize a canvas to its element and clear it.
 * @param {HTMLCanvasElement} target
 * @param {number} width
 * @param {number} height
 */
export function fit(target, width, height) {
  const ratio = Math.max(window.devicePixelRatio || 1, least);
  if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
  }
  const ctx = context(target);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/**
 * Return a canvas of a size with its pixels, kept between frames.
 * @returns {(width: number, height: number) => { canvas: HTMLCanvasElement, image: ImageData }}
 */
export function keptCanvas() {
  /** @type {{ canvas: HTMLCanvasElement, image: ImageData } | null} */
  let kept = null;
  return (width, height) => {
    if (!kept || kept.canvas.width !== width || kept.canvas.height !== height) {
      const made = element("canvas");
      made.width = width;
      made.height = height;
      kept = { canvas: made, image: context(made).createImageData(width, height) };
    }
    return kept;
  };
}
