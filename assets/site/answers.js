// Answers to the exercises of the static site, compared with digests of those that count as right.

import { compute } from "./arithmetic.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {object} Question
 * @property {string} name
 * @property {"number" | "interval" | "choice" | "steps"} kind
 * @property {string[][]} right digests of the right answers, for each field
 * @property {{ digests: string[][], says: string }[]} wrong the known mistakes
 */

/** @typedef {{ salt: string, parts: Question[], right: string, wrong: string, empty: string, unread: string,
 *   upside_down: string }} Checks */

/**
 * Return the spelling of a number to three digits; halves are rounded away from 0.
 * @param {number} value
 */
export const spelled = (value) => (value === 0 ? "0" : value.toExponential(2));

/**
 * Return the digest of an answer to a question.
 * @param {string} salt
 * @param {string} question
 * @param {string} answer
 */
export const digest = (salt, question, answer) => sha256(`${salt}\n${question}\n${answer}`).slice(0, 16);

/**
 * Return the reply to the answer to one question, and whether the answer is right (null if it cannot be read).
 * @param {Checks} checks
 * @param {Question} question
 * @param {string[]} fields
 * @returns {{ right: boolean | null, says: string }}
 */
export function reply(checks, { name, kind, right, wrong }, fields) {
  if (!fields.length || fields.some((field) => !field.trim())) return { right: null, says: checks.empty };
  let answers = fields;
  if (kind === "number" || kind === "interval") {
    const values = fields.map((field) => compute(field.trim()));
    if (values.some((value) => value === null)) return { right: null, says: checks.unread };
    const numbers = /** @type {number[]} */ (values);
    if (kind === "interval" && numbers[0] > numbers[1]) return { right: null, says: checks.upside_down };
    answers = numbers.map(spelled);
  } else if (kind === "steps") answers = [fields[0].toUpperCase().replace(/[^A-Z]/g, "")];
  const hidden = answers.map((answer, place) => digest(checks.salt, `${name}.${place}`, answer));
  const fits = (/** @type {string[][]} */ digests) => digests.every((known, place) => known.includes(hidden[place]));
  if (fits(right)) return { right: true, says: checks.right };
  const mistake = wrong.find(({ digests }) => fits(digests));
  return { right: false, says: mistake ? `${checks.wrong} ${mistake.says}` : checks.wrong };
}

/** Check an exercise when its form is sent. */
export function answering(/** @type {HTMLFormElement} */ form) {
  /** @type {Checks} */
  const checks = JSON.parse(document.getElementById(form.dataset.checks ?? "")?.textContent ?? "");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    for (const question of checks.parts) {
      const { right, says } = reply(checks, question, given.getAll(question.name).map(String));
      const place = form.querySelector(`[data-part="${question.name}"] [role="status"]`);
      if (!(place instanceof HTMLElement)) continue;
      place.textContent = says;
      place.dataset.right = String(right);
    }
  });
}
