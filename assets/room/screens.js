// The screens of a phone: the question, what was sent, the result.

import { BETS } from "./bets.js";
import { answer, tossed } from "./coin.js";
import { button, make, people } from "./dom.js";
import { EXERCISE } from "./exercise.js";
import { PREDICT } from "./predict.js";

/** @import { News, PollBrief, PollResult, Screen } from "./news.d.ts" */

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)} %`;

/** @param {0 | 1} bit */
const word = (bit) => (bit ? "yes" : "no");

/** @param {News} news */
const runs = (news) => /** @type {PollBrief} */ (news.runs);

/**
 * Show what an attacker who sees the bit knows, as people: the server has the words.
 * @param {News} news
 * @param {0 | 1} bit
 */
function knows(news, bit) {
  const { marked, heard, told } = runs(news).known[bit];
  return [
    make("h2", "", "What does the server know about you?"),
    make("p", "", `One word: ${word(bit)}. It may be the coin's.`),
    people(marked, heard),
    make("p", "faint", told),
  ];
}

/**
 * @param {number} place
 * @param {boolean} device
 * @param {string} words
 */
function coin(place, device, words) {
  const face = make("span", device ? "coin device" : "coin mine", String(place));
  face.setAttribute("aria-hidden", "true");
  return make("li", "", face, make("span", "", words));
}

/** @type {Screen} */
const poll = {
  ask(news, _mine, give) {
    const { question, own, coin: how, price } = runs(news);
    const pressed = (/** @type {boolean} */ truth) => {
      const { device, bit } = answer(truth, own, tossed(crypto));
      give(bit, { device });
    };
    return [
      make("h1", "", question),
      make(
        "div",
        "row",
        button("Yes", () => pressed(true)),
        button("No", () => pressed(false)),
      ),
      make("p", "", how),
      make("p", "faint", price),
    ];
  },
  sent(news, answered, { device }) {
    const bit = answered ? 1 : 0;
    const fallen =
      device === undefined
        ? []
        : [
            make(
              "ul",
              "coins",
              coin(1, Boolean(device), device ? "First coin: the phone answers." : "First coin: you answer."),
              device ? coin(2, true, `Second coin: ${word(bit)}.`) : coin(2, false, "Second coin: not needed."),
            ),
          ];
    const sent = make("p", "sent", "Sent: ", make("strong", "", word(bit)));
    return [make("h1", "", runs(news).question), ...fallen, sent, ...knows(news, bit)];
  },
  shown(news, answered) {
    const result = /** @type {PollResult} */ (news.result);
    const head = make("h1", "", runs(news).question);
    if (result.few) return [head, make("p", "", `Fewer than ${result.least} answers came: nothing is shown.`)];
    const { n, yes, estimate, low, high } = result;
    const within = (/** @type {number} */ share) => percent(Math.min(Math.max(share, 0), 1));
    return [
      head,
      make("p", "", `${yes} of ${n} phones said yes, coins and all.`),
      make("p", "big", percent(estimate)),
      make("p", "", `is the estimate of those who mean yes; between ${within(low)} and ${within(high)} (95 %).`),
      ...(answered === null ? [] : knows(news, answered ? 1 : 0)),
    ];
  },
};

/** @type {Record<string, Screen>} */
export const SCREENS = { poll, predict: PREDICT, bets: BETS, exercise: EXERCISE };
