// SHA-256. A page that is not served by HTTPS has no crypto.subtle.

/** The first 32 bits of the fractional parts of the roots of the first primes, as the standard has them. */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const part = (/** @type {number} */ x) => ((x % 1) * 2 ** 32) | 0;
  return {
    start: primes.slice(0, 8).map((prime) => part(prime ** 0.5)),
    rounds: primes.map((p) => part(Math.cbrt(p))),
  };
}

const { start: START, rounds: ROUNDS } = constants();
const turned = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));

/**
 * Return the SHA-256 of a text as hexadecimal digits.
 * @param {string} text
 */
export function sha256(text) {
  const content = new TextEncoder().encode(text);
  const padded = new Uint8Array(((content.length + 72) >> 6) << 6);
  padded.set(content);
  padded[content.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, content.length * 8);
  const state = [...START];
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let t = 0; t < 16; t++) words[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const [x, y] = [words[t - 15], words[t - 2]];
      const first = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const second = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      words[t] = words[t - 16] + first + words[t - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const chosen = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[t] + words[t]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    for (const [k, value] of [a, b, c, d, e, f, g, h].entries()) state[k] = (state[k] + value) | 0;
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
