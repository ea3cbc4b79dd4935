// The coins fall here, on the student's own device; what they leave of an answer is all that is ever sent. No DOM.

/**
 * @typedef {object} Answered
 * @property {boolean} device whether the device answers, and not the person
 * @property {0 | 1} bit what is sent
 */

/**
 * Two whole numbers below 2³² from the browser's source of secrets.
 * @param {{ getRandomValues: (into: Uint32Array<ArrayBuffer>) => unknown }} source
 * @returns {[number, number]}
 */
export function tossed(source) {
  const fallen = new Uint32Array(2);
  source.getRandomValues(fallen);
  return [fallen[0] ?? 0, fallen[1] ?? 0];
}

/**
 * Randomized response: with `own` chances in 2³² the person answers, otherwise a fair coin does.
 * @param {boolean} truth
 * @param {number} own
 * @param {[number, number]} fallen
 * @returns {Answered}
 */
export function answer(truth, own, [first, second]) {
  const device = first >= own;
  const yes = device ? second >= 2 ** 31 : truth;
  return { device, bit: yes ? 1 : 0 };
}
