// Predict, then see: a curve is drawn with a finger or with keys; then the truth is drawn over it.

import { Curve, path } from "./curve.js";
import { button, drawn, make } from "./dom.js";

/** @import { PredictBrief, PredictResult, Screen } from "./news.d.ts" */

/**
 * Return the lines over the pad.
 * @param {Record<string, string>} lines points by class
 */
function picture(lines) {
  const parts = Object.entries(lines).map(([name, points]) => drawn("polyline", { class: name, points }));
  return drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}

/**
 * Return the pad between its ends, with its places under it.
 * @param {PredictBrief} asked
 * @param {Node} field
 */
function framed({ places, along, ends: [low, high] }, field) {
  const names = places.length > 1 ? [...places, along] : [];
  const row = make("div", "ends", ...names.map((name) => make("span", "", name)));
  return make("div", "", make("span", "ends", String(high)), field, make("span", "ends", String(low)), row);
}

/**
 * @param {PredictBrief} asked
 * @param {Curve} curve
 * @param {() => void} changed
 */
function pad(asked, curve, changed) {
  const [low, high] = asked.ends;
  const field = make("div", "pad");
  const sliders = asked.places.map((place, k) => {
    const slider = make("input");
    Object.assign(slider, { type: "range", min: "0", max: String(asked.levels - 1), step: "1" });
    slider.value = String(Math.floor(asked.levels / 2));
    slider.setAttribute("aria-label", `${asked.along} = ${place}`);
    slider.addEventListener("input", () => {
      curve.set(k, Number(slider.value));
      redraw();
    });
    return slider;
  });
  const redraw = () => {
    curve.at.forEach((level, k) => {
      const slider = /** @type {HTMLInputElement} */ (sliders[k]);
      if (level !== null) slider.value = String(level);
      const height = low + ((high - low) * Number(slider.value)) / (asked.levels - 1);
      slider.setAttribute("aria-valuetext", level === null ? "not drawn yet" : String(Math.round(height)));
    });
    field.querySelector("svg")?.replaceWith(picture({ mine: curve.points }));
    changed();
  };
  const touched = (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    const box = field.getBoundingClientRect();
    curve.touch((event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
    redraw();
  };
  field.addEventListener("pointerdown", (event) => {
    field.setPointerCapture(event.pointerId);
    touched(event);
  });
  field.addEventListener("pointermove", (event) => {
    if (event.buttons) touched(event);
  });
  field.addEventListener("pointerup", () => curve.lift());
  field.append(picture({ mine: "" }), ...sliders);
  redraw();
  return field;
}

/**
 * @param {PredictBrief} asked
 * @param {number} height
 */
const level = (asked, height) => ((height - asked.ends[0]) / (asked.ends[1] - asked.ends[0])) * (asked.levels - 1);

/** @type {Screen} */
export const PREDICT = {
  ask(news, _mine, give) {
    const asked = /** @type {PredictBrief} */ (news.runs);
    const curve = new Curve(asked.places.length, asked.levels);
    const send = button("Send my guess", () => give(curve.at, {}), "main");
    const words = asked.places.length > 1 ? "Draw with your finger, from left to right." : "Set your value.";
    const field = pad(asked, curve, () => {
      send.disabled = !curve.whole;
    });
    return [make("h1", "", asked.question), make("p", "faint", words), framed(asked, field), send];
  },
  sent(news, answer) {
    const asked = /** @type {PredictBrief} */ (news.runs);
    const field = make("div", "pad");
    field.append(picture({ mine: path(/** @type {number[]} */ (answer), asked.levels) }));
    return [make("h1", "", "Your guess is in"), make("p", "", "The truth appears here when all have drawn."), field];
  },
  shown(news, answer) {
    const asked = /** @type {PredictBrief} */ (news.runs);
    const { truth } = /** @type {PredictResult} */ (news.result);
    const right = truth.map((height) => level(asked, height));
    const mine = /** @type {number[] | null} */ (answer);
    const head = make("h1", "", asked.question);
    const step = (asked.ends[1] - asked.ends[0]) / (asked.levels - 1);
    const off = mine ? mine.reduce((sum, at, k) => sum + Math.abs(at - (right[k] ?? 0)) * step, 0) / mine.length : 0;
    const told = mine ? `You were off by ${off.toFixed(0)} on average.` : "You did not draw this time.";
    if (truth.length === 1) return [head, make("p", "big", (truth[0] ?? 0).toFixed(1)), make("p", "", told)];
    const field = make("div", "pad");
    field.append(picture({ mine: mine ? path(mine, asked.levels) : "", truth: path(right, asked.levels) }));
    return [head, framed(asked, field), make("p", "", `Dashed: the truth. ${told}`)];
  },
};
