// A panel as PNG or SVG: the same drawing code on another surface.

import { LAYERS } from "./draw.js";

/** Records the canvas calls that draw.js makes as SVG elements. */
export class SvgSurface {
  constructor() {
    this.parts = [];
    this.path = "";
    this.dash = [];
    this.globalAlpha = 1;
    this.lineWidth = 1;
    this.fillStyle = "#000";
    this.strokeStyle = "#000";
    this.font = "12px sans-serif";
  }
  beginPath() {
    this.path = "";
  }
  moveTo(x, y) {
    this.path += `M${x.toFixed(2)} ${y.toFixed(2)}`;
  }
  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
  }
  closePath() {
    this.path += "Z";
  }
  arc(x, y, r) {
    const [u, v, s] = [x, y, r].map((n) => n.toFixed(2));
    this.path += `M${(x - r).toFixed(2)} ${v}a${s} ${s} 0 1 0 ${(2 * r).toFixed(2)} 0a${s} ${s} 0 1 0 ${(-2 * r).toFixed(2)} 0`;
    void u;
  }
  fill() {
    this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}" opacity="${this.globalAlpha}"/>`);
  }
  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.parts.push(
      `<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" opacity="${this.globalAlpha}"${dash}/>`,
    );
  }
  fillRect(x, y, w, h) {
    this.parts.push(
      `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${w.toFixed(2)}" height="${Math.max(h, 0).toFixed(2)}" fill="${this.fillStyle}"/>`,
    );
  }
  fillText(text, x, y) {
    const safe = text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    this.parts.push(
      `<text x="${x}" y="${y}" fill="${this.fillStyle}" font-family="sans-serif" font-size="12">${safe}</text>`,
    );
  }
  setLineDash(dash) {
    this.dash = dash;
  }
  drawImage(canvas, x, y, w, h) {
    this.parts.push(
      `<image x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`,
    );
  }
}

function frameOf(svg) {
  return svg.replace(/^[\s\S]*?<svg/, "<svg").replace(/<rect[^>]*class="bg"[^>]*\/>/, "");
}

/** The SVG text of a plot panel. */
export async function plotSvg(panel, env, plotly) {
  const { width, height } = panel.wrap.getBoundingClientRect();
  const url = await plotly.toImage(panel.plot, { format: "svg", width, height });
  const frame = frameOf(decodeURIComponent(url.replace(/^data:image\/svg\+xml,/, "")));
  const clip = `<clipPath id="area"><rect x="${env.area.left}" y="${env.area.top}" width="${env.area.width}" height="${env.area.height}"/></clipPath>`;
  const group = (under) => {
    const surface = new SvgSurface();
    for (const layer of panel.shown()) {
      if ((layer.kind === "regions") === under && env.ready(layer)) LAYERS[layer.kind](surface, layer, env);
    }
    return `<g clip-path="url(#area)">${surface.parts.join("")}</g>`;
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs>${clip}</defs><rect width="100%" height="100%" fill="${env.colours.ground}"/>${group(true)}${frame}${group(false)}</svg>`
  );
}

/** Turn SVG text into a PNG blob at twice the size. */
export async function toPng(svg, width, height) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Offer a blob as a download. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
