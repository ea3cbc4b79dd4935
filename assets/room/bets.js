// Twenty bets against privacy: one noisy count at a time.

import { button, make } from "./dom.js";

/** @import { BetsResult, Screen } from "./news.d.ts" */

/** @param {string[]} marks */
const strip = (marks) => make("div", "strip", ...marks.map((mark) => make("span", mark)));

/** @type {Screen} */
export const BETS = {
  personal: true,
  ask(news, mine, give) {
    /** @type {number[]} */
    const made = [];
    const { published } = /** @type {{ published: number[] }} */ (mine);
    const { without } = /** @type {{ kind: string, without: number }} */ (news.runs);
    const head = make("h1", "", "Was Ada counted?");
    const rest = make("div");
    const draw = () => {
      const place = made.length;
      const marks = published.map((_, k) => (k < place ? "done" : ""));
      rest.replaceChildren(
        make("p", "faint", `Answer ${place + 1} of ${published.length}`),
        make("p", "big", Number(published[place]).toFixed(1)),
        make(
          "p",
          "",
          `This count was published, with noise. Without Ada it is ${without}, with her ${without + 1}. A fair coin decided.`,
        ),
        make(
          "div",
          "row",
          button("With Ada", () => bet(1)),
          button("Without", () => bet(0)),
        ),
        strip(marks),
      );
    };
    const bet = (/** @type {0 | 1} */ guess) => {
      made.push(guess);
      if (made.length < published.length) draw();
      else give(made, {});
    };
    draw();
    return [head, rest];
  },
  sent(_news, answer, { hits, present = [] }) {
    const made = /** @type {number[]} */ (answer);
    const head = make("h1", "", "Your twenty bets are in");
    if (hits === undefined) return [head, make("p", "", "See the projector.")];
    const marks = made.map((bet, k) => (bet === present[k] ? "right" : "wrong"));
    return [
      head,
      make("p", "big", `${hits} of ${made.length}`),
      make("p", "", "of your bets were right. Pure guessing gets ten. Full dots: right."),
      strip(marks),
    ];
  },
  shown(news) {
    const { rate, reach } = /** @type {BetsResult} */ (news.result);
    return [make("h1", "", "Bets against privacy"), make("p", "", rate || "No bets came."), make("p", "", reach)];
  },
};
