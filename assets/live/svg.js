// A surface that records the canvas calls of layers as SVG elements.

/** @import { Area, Surface } from "./types.d.ts" */

/** @param {number} value */
const round = (value) => Math.round(100 * value) / 100;

/**
 * Records the canvas calls that layers make.
 * @implements {Surface}
 */
export class SvgSurface {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
    this.path = "";
    /** @type {number[]} */
    this.dash = [];
    this.globalAlpha = 1;
    this.lineWidth = 1;
    /** @type {Surface["fillStyle"]} */
    this.fillStyle = "#000";
    /** @type {Surface["fillStyle"]} */
    this.strokeStyle = "#000";
    this.imageSmoothingEnabled = true;
    this.font = "12px sans-serif";
    /** @type {CanvasLineJoin} */
    this.lineJoin = "miter";
  }
  beginPath() {
    this.path = "";
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.path += `M${x.toFixed(2)} ${y.toFixed(2)}`;
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
  }
  closePath() {
    this.path += "Z";
  }
  /**
   * A whole circle.
   * @param {number} x
   * @param {number} y
   * @param {number} r
   */
  arc(x, y, r) {
    const [v, s] = [y, r].map((n) => n.toFixed(2));
    this.path += `M${(x - r).toFixed(2)} ${v}a${s} ${s} 0 1 0 ${(2 * r).toFixed(2)} 0a${s} ${s} 0 1 0 ${(-2 * r).toFixed(2)} 0`;
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
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  fillRect(x, y, w, h) {
    this.parts.push(
      `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${w.toFixed(2)}" height="${Math.max(h, 0).toFixed(2)}" fill="${this.fillStyle}"/>`,
    );
  }
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) {
    this.parts.push(this.text(text, x, y, `fill="${this.fillStyle}"`));
  }
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  strokeText(text, x, y) {
    const line = `stroke-width="${this.lineWidth}" stroke-linejoin="${this.lineJoin}"`;
    this.parts.push(this.text(text, x, y, `fill="none" stroke="${this.strokeStyle}" ${line}`));
  }
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} look
   */
  text(text, x, y, look) {
    const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const [, weight = "", size, family] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [
      "",
      "",
      "12",
      "sans-serif",
    ];
    const bold = weight ? ` font-weight="${weight}"` : "";
    const face = family.replaceAll('"', "'");
    return `<text x="${round(x)}" y="${round(y)}" ${look} font-family="${face}" font-size="${size}"${bold}>${safe}</text>`;
  }
  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  drawImage(canvas, x, y, w, h) {
    this.parts.push(
      `<image x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`,
    );
  }
}

/**
 * A whole picture: what lies under the frame, the frame, what lies over it.
 * @param {{ width: number, height: number }} size
 * @param {Area} area where layers may draw
 * @param {string} ground
 * @param {{ under: string[], frame: string, over: string[] }} parts
 */
export function composed({ width, height }, area, ground, { under, frame, over }) {
  const clip = `<clipPath id="area"><rect x="${area.left}" y="${area.top}" width="${area.width}" height="${area.height}"/></clipPath>`;
  const group = (/** @type {string[]} */ parts) => `<g clip-path="url(#area)">${parts.join("")}</g>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs>${clip}</defs><rect width="100%" height="100%" fill="${ground}"/>${group(under)}${frame}${group(over)}</svg>`
  );
}
