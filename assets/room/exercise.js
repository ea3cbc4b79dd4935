// An exercise that a class does together: numbers and choices; the server grades.

import { make } from "./dom.js";

/** @import { ExerciseBrief, ExerciseResult, Screen } from "./news.d.ts" */

/**
 * Return the paragraphs of the exercise, with its bold words.
 * @param {string} text
 */
function paragraphs(text) {
  return text.split(/\n\s*\n/).map((part) => {
    const pieces = part.replaceAll("\n", " ").split("**");
    return make("p", "", ...pieces.map((piece, k) => (k % 2 ? make("strong", "", piece) : piece)));
  });
}

/** @param {ExerciseBrief["parts"][number]} part */
function asked(part) {
  const { name, kind, label, unit = "", options = {} } = part;
  const field = kind === "choice" ? make("select", "field") : make("input", "field");
  field.id = field.name = name;
  field.required = true;
  if (field instanceof HTMLInputElement) {
    Object.assign(field, { inputMode: "decimal", maxLength: 40, autocomplete: "off" });
  } else {
    const choices = Object.entries(options).map(([letter, words]) => new Option(`${letter}. ${words}`, letter));
    field.append(new Option("Choose …", ""), ...choices);
  }
  const words = make("label", "", unit ? `${label} (${unit})` : label);
  words.htmlFor = name;
  return make("div", "part", words, field);
}

/** @type {Screen} */
export const EXERCISE = {
  ask(news, _mine, give) {
    const exercise = /** @type {ExerciseBrief} */ (news.runs);
    const form = make("form", "", ...exercise.parts.map(asked), make("button", "main", "Send my answer"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
      give(Object.fromEntries(fields.map(([name, value]) => [name, value.trim()])), {});
    });
    return [make("h1", "", exercise.title), ...paragraphs(exercise.text), form];
  },
  sent(news, _answer, { right, title = "", feedback = "" }) {
    const exercise = /** @type {ExerciseBrief} */ (news.runs);
    const head = make("h1", "", exercise.title);
    if (right === undefined) return [head, make("p", "", "Your answer is in.")];
    if (right) return [head, make("p", "big", "Right")];
    const named = title ? [make("p", "sent", make("strong", "", title))] : [];
    return [head, make("p", "", "Not right."), ...named, ...paragraphs(feedback)];
  },
  shown(news) {
    const exercise = /** @type {ExerciseBrief} */ (news.runs);
    const { answered, right } = /** @type {ExerciseResult} */ (news.result);
    const told = `of ${answered} answers were right. See the projector for what the others have in common.`;
    return [make("h1", "", exercise.title), make("p", "big", String(right)), make("p", "", told)];
  },
};
