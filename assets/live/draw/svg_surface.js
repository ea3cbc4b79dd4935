// A drawing surface that records the canvas calls of layers as SVG elements.

/** @import { Area, Colours, Surface } from "../types.d.ts" */

/** @param {number} value */
const round = (value) => Math.round(100 * value) / 100;

/**
 * The record of canvas calls.
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
    /** @type {CanvasTextAlign} */
    this.textAlign = "left";
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
   * Record a whole circle.
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
   * @param {number} [width] how wide it is, whatever the typeface
   */
  fillText(text, x, y, width) {
    this.parts.push(this.text(text, x, y, `fill="${this.fillStyle}"`, width));
  }
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {number} [width]
   */
  strokeText(text, x, y, width) {
    const line = `stroke-width="${this.lineWidth}" stroke-linejoin="${this.lineJoin}"`;
    this.parts.push(this.text(text, x, y, `fill="none" stroke="${this.strokeStyle}" ${line}`, width));
  }
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} look
   * @param {number} [width]
   */
  text(text, x, y, look, width) {
    const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const [, weight = "", size, family] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [
      "",
      "",
      "12",
      "sans-serif",
    ];
    const bold = weight ? ` font-weight="${weight}"` : "";
    const anchor = this.textAlign === "center" ? ' text-anchor="middle"' : "";
    const face = family.replaceAll('"', "'");
    const held = width ? ` textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"` : "";
    return `<text x="${round(x)}" y="${round(y)}" ${look} font-family="${face}" font-size="${size}"${bold}${anchor}${held}>${safe}</text>`;
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
 * Return a picture as SVG: what lies under the frame, the frame, what lies over it.
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

const LINE = 17; // pixels of a line of words

/**
 * Break the words over and under a saved picture into lines of its width.
 * @param {string} title
 * @param {string} setting
 * @param {string} source
 * @param {number} width
 */
export function lines(title, setting, source, width) {
  const broken = (/** @type {string} */ text, /** @type {number} */ letter) => {
    const found = [""];
    for (const word of text.split(" ")) {
      const longer = `${found.at(-1)} ${word}`.trim();
      if (longer.length * letter > width - 16 && found.at(-1)) found.push(word);
      else found[found.length - 1] = longer;
    }
    return found;
  };
  const over = [
    ...broken(title, 8).map((text) => ({ text, size: 15, weight: 600, role: /** @type {const} */ ("text") })),
    ...broken(setting, 6.4).map((text) => ({ text, size: 12, weight: 400, role: /** @type {const} */ ("faint") })),
  ];
  const under = broken(source, 6).map((text) => ({
    text,
    size: 11,
    weight: 400,
    role: /** @type {const} */ ("faint"),
  }));
  const head = over.length * LINE + 12;
  return {
    head,
    foot: under.length * LINE + 6,
    /** @param {number} height of the picture between them */
    written: (height) => [
      ...over.map((line, k) => ({ ...line, y: 18 + k * LINE })),
      ...under.map((line, k) => ({ ...line, y: head + height + 14 + k * LINE })),
    ],
  };
}

/**
 * Return a picture as SVG with words over and under it.
 * @param {string} svg
 * @param {{ width: number, height: number }} size of the picture
 * @param {ReturnType<typeof lines>} words
 * @param {Colours} colours
 * @param {string} family
 */
export function captioned(svg, { width, height }, words, colours, family) {
  const all = height + words.head + words.foot;
  const surface = new SvgSurface();
  for (const { text, y, size, weight, role } of words.written(height)) {
    surface.font = `${weight} ${size}px ${family}`;
    surface.fillStyle = colours[role];
    surface.fillText(text, 8, y);
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 0 ${width} ${all}">` +
    `<rect width="100%" height="100%" fill="${colours.ground}"/>${surface.parts.join("")}` +
    `<svg y="${words.head}" width="${width}" height="${height}">${svg}</svg></svg>`
  );
}
