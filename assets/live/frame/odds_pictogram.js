// The odds as a hundred people: how many of them an attacker could name correctly, from a prior that the reader sets.

import { Fold } from "../controls/fold.js";
import { freshId } from "../controls/heading.js";
import { unparted } from "../data/numbers.js";
import { element } from "../draw/dom.js";
import { InFull } from "./in_full.js";
import { atLeast, posterior, reach, withOdds } from "./odds.js";
import { onPrior, prior, setPrior } from "./prior.js";
import { brief, found } from "./sentences.js";

/** @import { TextSpec } from "../types.d.ts" */
/** @import { Shown } from "./sentences.js" */

const COLUMNS = 20;
const WIDE = 14;
const HIGH = 24;
const SVG = "http://www.w3.org/2000/svg";
/** Return a hundred people as one path. */
function figures() {
  const person = (/** @type {number} */ x, /** @type {number} */ y) =>
    `M${x + 7} ${y + 1.5}a3.6 3.6 0 1 1-.01 0ZM${x + 1.6} ${y + 20.5}v-4.7a5.4 5.4 0 0 1 10.8 0v4.7Z`;
  return Array.from({ length: 100 }, (_, k) => person((k % COLUMNS) * WIDE, Math.floor(k / COLUMNS) * HIGH)).join("");
}

/**
 * Return the outline of the first so many people, the last one perhaps in part.
 * @param {number} n
 */
export function covered(n) {
  const rows = Math.floor(n / COLUMNS);
  const rest = (n - rows * COLUMNS) * WIDE;
  const full = `M0 0H${COLUMNS * WIDE}V${rows * HIGH}H0Z`;
  return `${full}M0 ${rows * HIGH}H${rest.toFixed(1)}V${(rows + 1) * HIGH}H0Z`;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
function drawn(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** The question, the picture, its key with the reader's prior, and the sentence, folded behind its limitations. */
export class OddsPictogram {
  /** @param {() => void} moved the prior has changed */
  constructor(moved) {
    this.root = element("div", "dp-people");
    this.root.hidden = true;
    this.said = "";
    this.picture = drawn("svg", { viewBox: `0 0 ${COLUMNS * WIDE} ${5 * HIGH}`, role: "img", class: "dp-crowd" });
    const all = figures();
    this.picture.append(drawn("path", { d: all, class: "dp-crowd-all" }));
    this.after = this.layer(all, "dp-crowd-after");
    this.reached = this.layer(all, "dp-crowd-reached");
    this.before = this.layer(all, "dp-crowd-before");
    this.key = element("p", "dp-people-key");
    this.asked = element("p", "dp-odds-asked");
    this.keyBefore = element("label", "dp-key-before");
    this.keyAfter = element("span", "dp-key-after");
    this.keyReached = element("span", "dp-key-reached");
    this.key.append(this.keyBefore, this.belief(), this.keyReached, this.keyAfter);
    this.limits = element("p", "dp-limits");
    this.full = new InFull();
    this.full.root.classList.add("dp-odds");
    const body = element("div", "dp-people-body");
    body.append(this.asked, this.picture, this.key, this.limits, this.full.root);
    this.fold = new Fold("A hundred people", body);
    this.root.append(this.fold.root, body);
    this.remove = onPrior(moved);
  }

  /**
   * Return the people inside an outline that is set later.
   * @param {string} all
   * @param {string} name
   */
  layer(all, name) {
    const id = freshId();
    const clip = drawn("clipPath", { id });
    const outline = drawn("path", { d: "" });
    clip.append(outline);
    this.picture.append(clip, drawn("path", { d: all, class: name, "clip-path": `url(#${id})` }));
    return outline;
  }

  belief() {
    const row = element("span", "dp-prior");
    this.input = element("input");
    Object.assign(this.input, { type: "range", min: "1", max: "99", step: "1", id: freshId() });
    this.keyBefore.htmlFor = this.input.id;
    this.input.addEventListener("input", () => setPrior(this.input?.value ?? "50"));
    row.append(this.input);
    return row;
  }

  /**
   * @param {TextSpec | undefined} text
   * @param {boolean} folds whether the people are folded behind their numbers
   */
  update(text, folds) {
    this.root.hidden = !text;
    this.fold.arrange({ folds, open: false });
  }

  /**
   * Draw what a known attack reaches, 0 without one; return its text for screen readers.
   * @param {number} share
   */
  attacked(share) {
    const count = Math.min(Math.floor(1000 * share + 1e-9), 999) / 10;
    this.reached.setAttribute("d", covered(count));
    this.keyReached.hidden = !share;
    this.keyReached.textContent = `best attack we know: ${count}\u00a0%`;
    return share ? `${count}\u00a0% after the best attack we know, ` : "";
  }

  /**
   * @param {Shown} shown
   * @param {TextSpec} text
   */
  draw(shown, text) {
    const { now, place } = found(shown, text);
    const refuted = Boolean(now.refuted?.[place]);
    const percent = refuted ? 50 : prior(); // what an attack has shown may speak for either answer
    const epsilon = now.bounds[place];
    const top = posterior(epsilon, percent / 100);
    const said = unparted(withOdds(now.strings[place], epsilon, percent / 100));
    const shortly = brief(shown, text) ?? "";
    if (this.said === said + shortly && Number(this.input?.value) === percent) return;
    this.said = said + shortly;
    this.full.write([said]);
    const [question, ...limits] = unparted(shortly).split("\n");
    this.asked.textContent = question;
    this.limits.replaceChildren(...limits.map((limit) => element("span", null, limit)));
    this.before.setAttribute("d", covered(percent));
    this.after.setAttribute("d", covered(100 * top));
    const least = refuted ? atLeast(top) : "";
    const most = least || reach(top);
    this.keyBefore.textContent = `sure before: ${percent} %`;
    this.keyAfter.textContent = unparted(`sure after: ${least || reach(top, " %")}`);
    this.fold.say(`${percent} before, ${most} after`);
    const attack = this.attacked(now.reached?.length ? posterior(now.reached[place], percent / 100) : 0);
    const heard = `Of a hundred people, ${percent} before the result, ${attack}${most} after it`;
    this.picture.setAttribute("aria-label", heard);
    if (!this.input) return;
    this.input.disabled = refuted;
    this.input.value = String(percent);
    this.input.style.setProperty("--share", `${percent}%`);
    this.input.setAttribute("aria-valuetext", `${percent} %`);
  }
}
