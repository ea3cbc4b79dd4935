// A panel as PNG or SVG: the same drawing code on another surface.

import { context, element } from "./dom.js";
import { draw } from "./draw.js";
import { surfaceOf } from "./layers.js";
import { frameOf, SvgSurface } from "./svg.js";

/** @import { Env, Plotly } from "./types.d.ts" */
/** @import { Panel } from "./panels.js" */

/**
 * The SVG text of a plot panel.
 * @param {Panel} panel
 * @param {Env} env
 * @param {Plotly} plotly
 */
export async function plotSvg(panel, env, plotly) {
  const { width, height } = panel.wrap.getBoundingClientRect();
  const url = await plotly.toImage(panel.plot, { format: "svg", width, height });
  const frame = frameOf(decodeURIComponent(url.replace(/^data:image\/svg\+xml,/, "")));
  const clip = `<clipPath id="area"><rect x="${env.area.left}" y="${env.area.top}" width="${env.area.width}" height="${env.area.height}"/></clipPath>`;
  const group = (/** @type {boolean} */ under) => {
    const surface = new SvgSurface();
    for (const layer of panel.shown()) {
      if ((surfaceOf(layer, panel.lab.slices) === "under") === under && env.ready(layer)) draw(surface, layer, env);
    }
    return `<g clip-path="url(#area)">${surface.parts.join("")}</g>`;
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs>${clip}</defs><rect width="100%" height="100%" fill="${env.colours.ground}"/>${group(true)}${frame}${group(false)}</svg>`
  );
}

/**
 * Turn SVG text into a PNG blob at twice the size.
 * @param {string} svg
 * @param {number} width
 * @param {number} height
 */
export async function toPng(svg, width, height) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  context(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}

/**
 * The content of a canvas as PNG.
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export function pngOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
  });
}

/**
 * Offer a blob as a download.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
