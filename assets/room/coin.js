// Randomized response on the student's own device: only the randomized answer is sent. No DOM.

/**
 * @typedef {object} Answered
 * @property {boolean} device whether the device answers, and not the person
 * @property {0 | 1} bit what is sent
 */

/**
 * Return two integers below 2³² from the browser's secure random numbers.
 * @param {{ getRandomValues: (into: Uint32Array<ArrayBuffer>) => unknown }} source
 * @returns {[number, number]}
 */
export function tossed(source) {
  const fallen = new Uint32Array(2);
  source.getRandomValues(fallen);
  return [fallen[0] ?? 0, fallen[1] ?? 0];
}

/**
 * Randomize an answer: with `own` chances in 2³² the person answers, otherwise a fair coin does.
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
