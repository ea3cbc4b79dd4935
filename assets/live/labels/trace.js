// A drawing surface that records where layers draw: labels stand there, or avoid it. No DOM.

/** @import { Area, Surface } from "../types.d.ts" */
/** @import { Ink } from "./ink.js" */

const STEP = 5; // pixels between two points of a trail
const MARK = 26; // a closed path smaller than this is a mark
const MANY = 8; // number of strokes above which a layer is no single curve

/**
 * The record of what one layer draws.
 * @implements {Surface}
 */
export class Trace {
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    /** @type {number[]} points of curves: x, y, x, y ... */
    this.trail = [];
    /** @type {number[]} marks: x, y, r, x, y, r ... */
    this.marks = [];
    /** @type {number[]} bars: x, y, width, height */
    this.bars = [];
    /** @type {number[]} the path of the last area that was filled */
    this.filled = [];
    /** @type {number[]} of the path that is open: x, y and whether the pen was down */
    this.path = [];
    this.fillStyle = this.strokeStyle = this.font = "";
    this.globalAlpha = this.lineWidth = 1;
    this.imageSmoothingEnabled = false;
    /** @type {CanvasLineJoin} */
    this.lineJoin = "miter";
    /** @type {CanvasTextAlign} */
    this.textAlign = "left";
    this.stroked = false;
    this.strokes = 0; // number of strokes
  }
  beginPath() {
    this.path.length = 0;
    this.stroked = false;
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.path.push(x, y, 0);
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.path.push(x, y, this.path.length ? 1 : 0);
  }
  closePath() {}
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r
   */
  arc(x, y, r) {
    if (this.holds(x, y)) this.marks.push(x, y, r);
  }
  fill() {
    this.ends(true);
  }
  stroke() {
    this.ends(false);
  }
  fillText() {}
  strokeText() {}
  setLineDash() {}
  drawImage() {}
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  fillRect(x, y, w, h) {
    this.bars.push(x, y, w, h);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  holds(x, y) {
    const { left, top, width, height } = this.area;
    return x >= left && x <= left + width && y >= top && y <= top + height;
  }

  /**
   * Record a path: a mark when it is small and filled, else a curve.
   * @param {boolean} filled
   */
  ends(filled) {
    const { path } = this;
    if (this.stroked || !path.length) return; // the path was filled before: this is its rim
    this.stroked = true;
    if (filled) this.filled = path.slice();
    if (filled) {
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let i = 0; i < path.length; i += 3) {
        x0 = Math.min(x0, path[i]);
        x1 = Math.max(x1, path[i]);
        y0 = Math.min(y0, path[i + 1]);
        y1 = Math.max(y1, path[i + 1]);
      }
      if (x1 - x0 < MARK && y1 - y0 < MARK) return this.arc((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2);
    }
    for (let i = 0; i < path.length; i += 3) {
      if (path[i + 2]) this.walk(path[i - 3], path[i - 2], path[i], path[i + 1]);
      else if (this.holds(path[i], path[i + 1])) {
        this.strokes++;
        this.trail.push(path[i], path[i + 1]);
      }
    }
  }

  /**
   * @param {number} x0
   * @param {number} y0
   * @param {number} x1
   * @param {number} y1
   */
  walk(x0, y0, x1, y1) {
    const { left, top, width, height } = this.area;
    if (Math.max(x0, x1) < left || Math.min(x0, x1) > left + width) return;
    if (Math.max(y0, y1) < top || Math.min(y0, y1) > top + height) return;
    const far = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    const n = Math.min(Math.ceil(far / STEP), 600);
    for (let k = 1; k <= n; k++) {
      const x = x0 + ((x1 - x0) * k) / n;
      const y = y0 + ((y1 - y0) * k) / n;
      if (this.holds(x, y)) this.trail.push(x, y);
    }
  }

  /**
   * Mark the cells of what was drawn.
   * @param {Ink} ink
   * @param {number} weight of its curves
   */
  markCells(ink, weight = 1) {
    const { trail, marks, bars } = this;
    for (let i = 0; i < trail.length; i += 2) ink.dot(trail[i], trail[i + 1], weight);
    for (let i = 0; i < marks.length; i += 3) ink.dot(marks[i], marks[i + 1], marks[i + 2] > 4 ? 1 : 0.35);
    for (let i = 0; i < bars.length; i += 4) {
      const [x, y, w, h] = [bars[i], bars[i + 1], bars[i + 2], bars[i + 3]];
      for (let u = x; u <= x + w; u += STEP) for (let v = y; v <= y + h; v += STEP) ink.dot(u, v, 0.8);
    }
  }

  /** Whether there are too many strokes to be taken for one curve. */
  get many() {
    return this.strokes > MANY;
  }
}
