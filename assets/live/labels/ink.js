// Occupied cells of a panel, which labels avoid: what is drawn, and which labelled curve runs where. No DOM.

/** @import { Area } from "../types.d.ts" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const CELL = 6; // pixels of a cell of ink
const CROWD = 2.4; // cost of a place where another labelled curve runs: the label could be that curve's

/** A panel in cells. */
class Cells {
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    this.columns = Math.ceil(area.width / CELL) + 1;
    this.rows = Math.ceil(area.height / CELL) + 1;
  }

  /**
   * Return the cells that a box touches, within the panel: columns from `left` to before `right`, rows likewise.
   * @param {Box} box
   */
  touched({ x, y, width, height }) {
    const { area, columns, rows } = this;
    const left = Math.min(Math.max(Math.floor((x - area.left) / CELL), 0), columns);
    const right = Math.min(Math.max(Math.ceil((x + width - area.left) / CELL), left), columns);
    const top = Math.min(Math.max(Math.floor((y - area.top) / CELL), 0), rows);
    const bottom = Math.min(Math.max(Math.ceil((y + height - area.top) / CELL), top), rows);
    return { left, right, top, bottom };
  }
}

/** The cells that something is drawn in. */
export class Ink extends Cells {
  /** @param {Area} area */
  constructor(area) {
    super(area);
    this.cells = new Float32Array((this.columns + 1) * (this.rows + 1));
    this.summed = false;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} weight
   */
  dot(x, y, weight = 1) {
    const i = Math.floor((x - this.area.left) / CELL);
    const j = Math.floor((y - this.area.top) / CELL);
    if (i < 0 || j < 0 || i >= this.columns || j >= this.rows) return;
    const at = (j + 1) * (this.columns + 1) + i + 1;
    if (this.cells[at] < weight) this.cells[at] = weight;
  }

  sum() {
    const { cells, columns, rows } = this;
    for (let j = 1; j <= rows; j++) {
      let row = 0;
      for (let i = 1; i <= columns; i++) {
        const at = j * (columns + 1) + i;
        row += cells[at];
        cells[at] = row + cells[at - columns - 1];
      }
    }
    this.summed = true;
  }

  /**
   * Return the share of a box that is covered, 0 to 1.
   * @param {Box} box
   */
  under(box) {
    if (!this.summed) this.sum();
    const { columns, cells } = this;
    const { left, right, top, bottom } = this.touched(box);
    const n = (right - left) * (bottom - top);
    if (!n) return 0;
    const wide = columns + 1;
    const all = cells[bottom * wide + right] - cells[top * wide + right] - cells[bottom * wide + left];
    return (all + cells[top * wide + left]) / n;
  }
}

/** The cells of each labelled curve. */
export class CurveCells extends Cells {
  /** @param {Area} area */
  constructor(area) {
    super(area);
    this.cells = new Int8Array(this.columns * this.rows); // 0: none, k: the k-th alone, -1: several
    this.count = 0;
  }

  /**
   * Add a curve; return its number.
   * @param {number[]} trail
   */
  add(trail) {
    const own = Math.min(++this.count, 127);
    for (let i = 0; i < trail.length; i += 2) {
      const column = Math.floor((trail[i] - this.area.left) / CELL);
      const row = Math.floor((trail[i + 1] - this.area.top) / CELL);
      if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) continue;
      const at = row * this.columns + column;
      this.cells[at] = this.cells[at] === 0 || this.cells[at] === own ? own : -1;
    }
    return own;
  }

  /**
   * Return the share of a box in which other curves than `own` run, 0 to 1.
   * @param {Box} box
   * @param {number} own
   */
  others(box, own) {
    const { columns, cells } = this;
    const { left, right, top, bottom } = this.touched(box);
    let found = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const owner = cells[row * columns + column];
        if (owner && owner !== own) found++;
      }
    }
    return found / Math.max((right - left) * (bottom - top), 1);
  }

  /**
   * Return the cost of a place of the curve `own`: highest where other curves touch it, lower where they are near.
   * @param {{ x: number, y: number }} place
   * @param {number} own
   */
  crowd({ x, y }, own) {
    const around = (/** @type {number} */ far) => ({ x: x - far, y: y - far, width: 2 * far, height: 2 * far });
    if (!this.others(around(5 * CELL), own)) return 0;
    return this.others(around(CELL), own) ? CROWD : CROWD / 3;
  }
}
