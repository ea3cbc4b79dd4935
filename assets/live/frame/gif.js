// A GIF of pictures of one size: one palette for all, and of each picture what differs from the one before. No DOM.

/**
 * Pixels of a picture, as a canvas gives them.
 * @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Pixels
 */

const BITS = 5; // of each channel, for the search of the palette
const COLOURS = 256;
const CODES = 4096; // LZW codes have at most twelve bits

/**
 * @param {Uint8ClampedArray} data
 * @param {number} at
 */
const binOf = (data, at) =>
  ((data[at] >> (8 - BITS)) << (2 * BITS)) | ((data[at + 1] >> (8 - BITS)) << BITS) | (data[at + 2] >> (8 - BITS));

/**
 * Return at most 256 colours, as red, green, blue: boxes of the colours that occur are halved, those first that hold most
 * pixels and are widest (median cut), and each gives its mean.
 * @param {Pixels[]} pictures
 */
export function paletteOf(pictures) {
  const sums = new Float64Array(4 << (3 * BITS));
  for (const { data } of pictures) {
    for (let at = 0; at < data.length; at += 4) {
      const bin = 4 * binOf(data, at);
      for (let k = 0; k < 3; k++) sums[bin + k] += data[at + k];
      sums[bin + 3] += 1;
    }
  }
  const bins = Array.from({ length: sums.length / 4 }, (_, bin) => 4 * bin).filter((bin) => sums[bin + 3] > 0);
  const boxes = [boxOf(bins, sums)];
  while (boxes.length < COLOURS) {
    const worst = boxes.reduce((a, b) => (b.worth > a.worth ? b : a));
    if (!worst.worth) break;
    boxes.splice(boxes.indexOf(worst), 1, ...halved(worst, sums));
  }
  const palette = new Uint8Array(3 * COLOURS);
  boxes.forEach((box, place) => {
    for (let k = 0; k < 3; k++) {
      palette[3 * place + k] = Math.round(box.bins.reduce((sum, bin) => sum + sums[bin + k], 0) / box.n);
    }
  });
  return { palette, size: boxes.length };
}

/**
 * Return a box of colours: how many pixels it holds, its widest channel, and how much it is worth to halve it.
 * @param {number[]} bins
 * @param {Float64Array} sums
 */
function boxOf(bins, sums) {
  const n = bins.reduce((sum, bin) => sum + sums[bin + 3], 0);
  let [channel, widest] = [0, 0];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [255, 0];
    for (const bin of bins) {
      const mean = sums[bin + k] / sums[bin + 3];
      [low, high] = [Math.min(low, mean), Math.max(high, mean)];
    }
    if (high - low > widest) [channel, widest] = [k, high - low];
  }
  return { bins, n, channel, worth: bins.length > 1 ? Math.sqrt(n) * widest ** 2 : 0 };
}

/**
 * Return the two halves of a box, of about as many pixels.
 * @param {ReturnType<typeof boxOf>} box
 * @param {Float64Array} sums
 */
function halved({ bins, n, channel }, sums) {
  const mean = (/** @type {number} */ bin) => sums[bin + channel] / sums[bin + 3];
  const sorted = [...bins].sort((a, b) => mean(a) - mean(b));
  let count = 0;
  const middle = sorted.findIndex((bin) => {
    count += sums[bin + 3];
    return count >= n / 2;
  });
  const cut = Math.min(Math.max(middle, 1), sorted.length - 1);
  return [boxOf(sorted.slice(0, cut), sums), boxOf(sorted.slice(cut), sums)];
}

/**
 * Return a function from a picture to the places of its colours in a palette: of each the nearest.
 * @param {ReturnType<typeof paletteOf>} found
 */
export function indexer({ palette, size }) {
  const known = new Int16Array(1 << (3 * BITS)).fill(-1);
  const nearest = (/** @type {Uint8ClampedArray} */ data, /** @type {number} */ at) => {
    let best = 0;
    let least = Infinity;
    for (let place = 0; place < size; place++) {
      const [r, g, b] = [0, 1, 2].map((k) => data[at + k] - palette[3 * place + k]);
      const far = r * r + g * g + b * b;
      if (far < least) [best, least] = [place, far];
    }
    return best;
  };
  return (/** @type {Pixels} */ { data }) => {
    const places = new Uint8Array(data.length / 4);
    for (let at = 0; at < data.length; at += 4) {
      const bin = binOf(data, at);
      if (known[bin] < 0) known[bin] = nearest(data, at);
      places[at / 4] = known[bin];
    }
    return places;
  };
}

/**
 * Return the LZW codes of bytes, in the order of bits and the blocks of at most 255 bytes of GIF.
 * @param {Uint8Array} places
 */
export function compressed(places) {
  const [clear, end] = [COLOURS, COLOURS + 1];
  /** @type {number[]} */
  const bytes = [];
  let [bits, held, wide] = [0, 0, 9];
  const write = (/** @type {number} */ code) => {
    bits |= code << held;
    held += wide;
    for (; held >= 8; held -= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
    }
  };
  /** @type {Map<number, number>} code of a prefix and a byte */
  const codes = new Map();
  let next = end + 1;
  write(clear);
  let prefix = places[0];
  for (let at = 1; at < places.length; at++) {
    const key = prefix * COLOURS + places[at];
    const longer = codes.get(key);
    if (longer !== undefined) {
      prefix = longer;
      continue;
    }
    write(prefix);
    if (next < CODES) {
      if (next === 1 << wide) wide += 1;
      codes.set(key, next++);
    } else {
      write(clear);
      codes.clear();
      [next, wide] = [end + 1, 9];
    }
    prefix = places[at];
  }
  write(prefix);
  if (next === 1 << wide && wide < 12) wide += 1; // the reader has one more code by now
  write(end);
  if (held > 0) bytes.push(bits & 255);
  const blocks = [8];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

/**
 * Return the smallest rectangle in which two pictures differ: at least one pixel.
 * @param {Uint8Array} now
 * @param {Uint8Array | null} before null: all of the picture
 * @param {number} width
 */
function changed(now, before, width) {
  const height = now.length / width;
  if (!before) return { left: 0, top: 0, w: width, h: height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), y];
  }
  return right < 0 ? { left: 0, top: 0, w: 1, h: 1 } : { left, top, w: right - left + 1, h: bottom - top + 1 };
}

/** Writes a GIF that repeats for ever, picture by picture. */
export class Gif {
  /**
   * @param {number} width
   * @param {number} height
   * @param {ReturnType<typeof paletteOf>} found
   */
  constructor(width, height, found) {
    this.width = width;
    this.indexed = indexer(found);
    /** @type {Uint8Array | null} */
    this.before = null;
    const head = [...word(width), ...word(height), 0xf7, 0, 0]; // a palette of 256 colours
    const repeats = [0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    this.parts = [Uint8Array.from([...letters("GIF89a"), ...head, ...found.palette, ...repeats])];
  }

  /**
   * @param {Pixels} picture
   * @param {number} delay milliseconds that the picture is shown
   */
  add(picture, delay) {
    const now = this.indexed(picture);
    const { left, top, w, h } = changed(now, this.before, this.width);
    const part = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) {
      const start = (top + y) * this.width + left;
      part.set(now.subarray(start, start + w), y * w);
    }
    const shown = [0x21, 0xf9, 4, 4, ...word(Math.round(delay / 10)), 0, 0]; // stays under the next one
    const place = [0x2c, ...word(left), ...word(top), ...word(w), ...word(h), 0];
    this.parts.push(Uint8Array.from([...shown, ...place]), Uint8Array.from(compressed(part)));
    this.before = now;
  }

  /** Return the whole file. */
  end() {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}

/** @param {number} value of 16 bits */
const word = (value) => [value & 255, value >> 8];

/** @param {string} text */
const letters = (text) => Array.from(text, (sign) => sign.charCodeAt(0));
