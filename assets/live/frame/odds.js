// What a bound ε means for an attacker's belief. `ui/words/odds.py` says the same in Python: tests/js/odds.json holds
// both to it.

import { CERTAIN, most } from "../data/numbers.js";

/**
 * Return the largest posterior belief that a result can lead to, from the prior belief.
 * @param {number} epsilon
 * @param {number} prior in (0, 1)
 */
export const posterior = (epsilon, prior) => 1 / (1 + ((1 - prior) / prior) * Math.exp(-epsilon));

/** @param {number} share */
const percent = (share) => `${Number((100 * share).toFixed(1))} %`;

/**
 * Return a share that an attack reaches in per cent, rounded down, and never 100.
 * @param {number} share
 */
const reaches = (share) => percent(Math.min(Math.floor(share * 1000 + 1e-9), 999) / 1000);

/**
 * Say the upper bound of a share in per cent.
 * @param {number} share
 */
export const atMost = (share) => `${most(share)} %`;

/**
 * Say the upper bound of a belief.
 * @param {number} share
 * @param {string} [unit] what follows the number
 */
export const reach = (share, unit = "") => (share > CERTAIN ? "practically certain" : `at most ${most(share)}${unit}`);

/**
 * Say the lower bound of a belief, rounded down.
 * @param {number} share
 */
export const atLeast = (share) => `at least ${reaches(share)}`;

const SEEN = "After seeing this result they can be ";
const SHOWN = "This result may make them ";

/**
 * Return the odds sentence for a bound and a prior; the share is rounded up, so that it never promises too much.
 * @param {string} template with {before} and {after}; {sure:x} is the belief where a result is worth the odds
 *   e^x; what stands behind {also} is said whatever the bound
 * @param {number} epsilon
 * @param {number} prior
 */
export function withOdds(template, epsilon, prior) {
  const before = Math.abs(prior - 0.5) < 1e-9 ? "thinks it is 50 to 50" : `is ${percent(prior)} sure`;
  const told = template.replace(/\{sure:(-?[\d.]+)\}/g, (_, odds) => reaches(posterior(Number(odds), prior)));
  const [sentence, also = ""] = told.split("{also}");
  const [start, more] = sentence.replace("{before}", before).split("{after}");
  if (more === undefined) return start + also;
  const top = posterior(epsilon, prior);
  if (top > CERTAIN) return `${start.replace(SEEN, SHOWN)}${reach(top)}.${also}`;
  return `${start}${reach(top, " % sure")}.${more}${also}`;
}
