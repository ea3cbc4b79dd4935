// Decode arrays from the bytes that ui/live/wire.py writes, which says how they are laid out.

/** @typedef {Float32Array | Int32Array | Uint8Array} Content */
/** @typedef {Uint8Array | Uint16Array | Uint32Array} Whole */

const HEAD = 12;
const FLOATS = 0;
const LOG = 4;
const WIDENING = 5;
const KINDS = [Float32Array, Int32Array, Uint8Array]; // the type of a body
const TYPES = { f4: Float32Array, i4: Int32Array, u1: Uint8Array };
const WHOLES = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/**
 * Return the integers of a body from its byte planes, the highest byte first.
 * @param {Uint8Array} planes
 * @param {1 | 2 | 4} width
 * @param {number} n
 * @returns {Whole}
 */
function joined(planes, width, n) {
  const out = new WHOLES[width](n);
  if (width === 1) out.set(planes.subarray(0, n));
  else if (width === 2) for (let i = 0; i < n; i++) out[i] = (planes[i] << 8) | planes[n + i];
  else
    for (let i = 0; i < n; i++)
      out[i] = (planes[i] << 24) | (planes[n + i] << 16) | (planes[2 * n + i] << 8) | planes[3 * n + i];
  return out;
}

/**
 * Undo the zigzag code of differences, in place; typed arrays overflow as numpy's do.
 * @param {Whole} whole
 */
function signed(whole) {
  for (let i = 0; i < whole.length; i++) whole[i] = (whole[i] >>> 1) ^ -(whole[i] & 1);
}

/**
 * Sum differences along one dimension, in place.
 * @param {Whole} whole
 * @param {number} apart distance of neighbours
 * @param {number} size number of values along the dimension
 */
function summed(whole, apart, size) {
  const block = apart * size;
  for (let first = 0; first < whole.length; first += block)
    for (let i = first + apart; i < first + block; i++) whole[i] += whole[i - apart];
}

/**
 * @param {Whole} whole
 * @param {DataView} columns value of 0 and step of each; where the scale widens, middle and reach of each too
 * @param {number} count
 * @param {number} kind
 */
function scaled(whole, columns, count, kind) {
  const out = new Float32Array(whole.length);
  const missing = whole instanceof Uint8Array ? 255 : 65535;
  const number = (/** @type {number} */ at) => columns.getFloat64(8 * at, true);
  for (let c = 0; c < count; c++) {
    const [low, step] = [number(2 * c), number(2 * c + 1)];
    const [middle, reach] = kind === WIDENING ? [number(2 * (count + c)), number(2 * (count + c) + 1)] : [0, 1];
    for (let i = c; i < whole.length; i += count) {
      const value = low + step * whole[i];
      if (whole[i] === missing) out[i] = Number.NaN;
      else if (kind === LOG) out[i] = 10 ** value;
      else out[i] = kind === WIDENING ? middle + reach * Math.sinh(value) : value;
    }
  }
  return out;
}

/**
 * Return the array of a body.
 * @param {Uint8Array} body
 * @returns {Content}
 */
export function decode(body) {
  const head = new DataView(body.buffer, body.byteOffset);
  const kind = head.getUint8(0);
  const width = /** @type {1 | 2 | 4} */ (head.getUint8(1));
  const columns = head.getUint16(2, true);
  const times = head.getUint32(4, true);
  const along = HEAD + 16 * columns;
  const whole = joined(body.subarray(along + 8 * times), width, head.getUint32(8, true));
  if (times) signed(whole);
  for (let at = along + 8 * (times - 1); at >= along; at -= 8)
    summed(whole, head.getUint32(at, true), head.getUint32(at + 4, true));
  const before = new DataView(body.buffer, body.byteOffset + HEAD);
  if (columns) return scaled(whole, before, kind === WIDENING ? columns / 2 : columns, kind);
  return kind === FLOATS ? new Float32Array(whole.buffer) : KINDS[kind].from(whole);
}

/**
 * Return the bodies of a file: each comes after its length.
 * @param {ArrayBuffer} file
 * @returns {Uint8Array[]}
 */
export function bodies(file) {
  const view = new DataView(file);
  const found = [];
  for (let at = 0; at < file.byteLength; ) {
    const length = view.getUint32(at, true);
    found.push(new Uint8Array(file, at + 4, length));
    at += 4 + length;
  }
  return found;
}

/**
 * Return the array of a base64 text, as it lies in memory.
 * @param {string} base64
 * @param {keyof typeof TYPES} dtype
 * @returns {Content}
 */
export function unpacked(base64, dtype) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new TYPES[dtype](bytes.buffer);
}
