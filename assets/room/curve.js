// A curve that is drawn with a finger: one level at each place. No DOM.

/** Levels at places; null where nothing has been drawn. */
export class Curve {
  /**
   * @param {number} places
   * @param {number} levels
   */
  constructor(places, levels) {
    this.places = places;
    this.levels = levels;
    /** @type {(number | null)[]} */
    this.at = Array(places).fill(null);
    /** @type {[number, number] | null} */
    this.last = null;
  }

  /**
   * Set the level at a finger, given as shares of the width and of the height from below.
   * @param {number} across
   * @param {number} up
   */
  touch(across, up) {
    const place = within(Math.floor(across * this.places), this.places - 1);
    const level = within(Math.round(up * (this.levels - 1)), this.levels - 1);
    const [from, start] = this.last ?? [place, level];
    const step = place >= from ? 1 : -1;
    for (let k = from; k !== place + step; k += step) {
      const part = place === from ? 1 : (k - from) / (place - from);
      if (k !== from || place === from) this.at[k] = Math.round(start + (level - start) * part);
    }
    this.last = [place, level];
  }

  lift() {
    this.last = null;
  }

  /**
   * @param {number} place
   * @param {number} level
   */
  set(place, level) {
    this.at[place] = within(Math.round(level), this.levels - 1);
  }

  get whole() {
    return this.at.every((level) => level !== null);
  }

  /** The points in a square of 100 by 100, from above as in SVG; places not drawn are left out. */
  get points() {
    return path(this.at, this.levels);
  }
}

/**
 * @param {(number | null)[]} at
 * @param {number} levels
 */
export function path(at, levels) {
  const placed = at.map((level, k) => (level === null ? "" : point(k, at.length, level, levels)));
  return placed.filter(Boolean).join(" ");
}

/**
 * @param {number} place
 * @param {number} places
 * @param {number} level
 * @param {number} levels
 */
const point = (place, places, level, levels) =>
  `${((100 * (place + 0.5)) / places).toFixed(2)},${(100 - (100 * level) / (levels - 1)).toFixed(2)}`;

/**
 * @param {number} value
 * @param {number} most
 */
const within = (value, most) => Math.min(Math.max(value, 0), most);
