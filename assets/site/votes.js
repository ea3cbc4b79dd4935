// Votes on the printed formulas of the static site: one formula at a time, its answer after the vote.

/** @typedef {Record<"told" | "agreed" | "differed" | "score", string>} Words */

const SHOWN = "show";

/**
 * Return a template with its names replaced.
 * @param {string} template
 * @param {Record<string, string | number>} about
 */
export const filled = (template, about) => template.replace(/\{(\w+)\}/g, (_, name) => String(about[name]));

/**
 * Return the sentence about a vote.
 * @param {Words} words
 * @param {string} vote
 * @param {string} verdict
 */
export function told(words, vote, verdict) {
  if (vote === SHOWN) return filled(words.told, { verdict });
  return filled(vote === verdict ? words.agreed : words.differed, { vote, verdict });
}

/**
 * Return the score of all votes, "" before the first one.
 * @param {Words} words
 * @param {{ vote: string, verdict: string }[]} votes
 */
export function score(words, votes) {
  const tried = votes.filter(({ vote }) => vote !== SHOWN);
  const right = tried.filter(({ vote, verdict }) => vote === verdict).length;
  return tried.length ? filled(words.score, { right, n: tried.length }) : "";
}

/** Let the reader vote on the formulas of a quiz, one after the other. */
export function voting(/** @type {HTMLElement} */ quiz) {
  /** @type {Words} */
  const words = JSON.parse(document.getElementById("votes")?.textContent ?? "");
  const sections = /** @type {HTMLElement[]} */ ([...quiz.querySelectorAll("[data-verdict]")]);
  /** @type {Map<HTMLElement, { vote: string, verdict: string }>} */
  const votes = new Map();

  const show = (/** @type {HTMLElement} */ section) => {
    for (const one of sections) one.hidden = one !== section;
  };
  const named = () => sections.find((one) => `#${one.id}` === location.hash);
  const part = (/** @type {HTMLElement} */ section, /** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (section.querySelector(selector));

  for (const section of sections) {
    const verdict = section.dataset.verdict ?? "";
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-vote]")))
      button.addEventListener("click", () => {
        const vote = button.dataset.vote ?? "";
        votes.set(section, { vote, verdict });
        part(section, ".dp-site-printed").hidden = part(section, "[data-before]").hidden = true;
        part(section, "[data-after]").hidden = false;
        part(section, '[role="status"]').textContent = told(words, vote, verdict);
        part(quiz, ".dp-site-score").textContent = score(words, [...votes.values()]);
        part(section, "[data-next]").focus();
      });
    part(section, "[data-next]").addEventListener("click", () => {
      const at = sections.indexOf(section);
      const next = [...sections.slice(at + 1), ...sections.slice(0, at)].find((one) => !votes.has(one)) ?? sections[0];
      history.replaceState(null, "", `#${next.id}`);
      show(next);
    });
  }
  addEventListener("hashchange", () => show(named() ?? sections[0]));
  show(named() ?? sections[0]);
}
