// Words that explain themselves.

import assert from "node:assert/strict";
import test from "node:test";
import { listen, plain, write } from "../../../assets/live/frame/terms.js";
import { page } from "../page.js";

test("a text without its marks reads as it was meant", () => {
  assert.equal(plain("an [[adversary]] or two [[adversary|attackers]]"), "an adversary or two attackers");
  assert.equal(plain("no mark [here]"), "no mark [here]");
});

test("a marked word becomes a button with its explanation; one that is not explained stays a word", () => {
  page();
  const target = document.createElement("p");
  write(target, "The [[adversary|attacker]] sees [[noise]].", { adversary: "Somebody." });
  const [box] = target.children;
  const [button, tip] = box.children;
  assert.equal(button.textContent, "attacker");
  const [told, more] = tip.children;
  assert.equal(told.textContent, "Somebody.");
  assert.equal(told.attributes.role, "tooltip");
  assert.equal(button.attributes["aria-describedby"], told.id);
  assert.equal(target.textContent, "The attackerSomebody. All words sees noise.");
  assert.equal(more.href, "./?words=open#adversary");
  assert.equal(more.target, "_blank"); // with data of one's own, leaving the page would lose them
  write(target, "[[Laplace noise]]", { "Laplace noise": "Random numbers." });
  assert.equal(target.children[0].children[1].children[1].href, "./?words=open#laplace-noise");
  write(target, "The [[adversary|attacker]] sees [[noise]].", { adversary: "Somebody." });
  const again = target.children[0];
  write(target, "The [[adversary|attacker]] sees [[noise]].", { adversary: "Another." });
  assert.equal(target.children[0], again); // what is the same already is left alone
  write(target, "Nothing.", {});
  assert.equal(target.textContent, "Nothing.");
});

/** A word on the page: what stands over it, and where its explanation lies. */
function word(left, right) {
  const names = new Set();
  const shift = {};
  const tip = {
    style: { setProperty: (_, value) => (shift.now = value) },
    getBoundingClientRect: () => ({ left, right }),
  };
  const box = {
    names,
    shift,
    classList: {
      add: (name) => names.add(name),
      remove: (...gone) => {
        for (const name of gone) names.delete(name);
      },
    },
    querySelector: () => tip,
    contains: () => false,
    matches: () => true,
    closest: () => box,
  };
  return box;
}

test("hover, tap and Escape; an explanation stays inside the window", () => {
  page();
  const heard = {};
  document.addEventListener = (kind, act) => (heard[kind] = act);
  document.documentElement = { clientWidth: 400 };
  const [near, far] = [word(-20, 100), word(300, 500)];
  document.querySelectorAll = (name) =>
    [near, far].filter((box) => !name.endsWith(".dp-open") || box.names.has("dp-open"));
  listen();
  listen(); // once is enough
  heard.pointerover({ target: near });
  assert.equal(near.shift.now, "28px");
  heard.focusin({ target: far });
  assert.equal(far.shift.now, "-108px");
  heard.click({ target: near });
  assert.ok(near.names.has("dp-open"));
  heard.click({ target: far });
  assert.ok(!near.names.has("dp-open") && far.names.has("dp-open"));
  heard.keydown({ key: "a" });
  assert.ok(far.names.has("dp-open"));
  heard.keydown({ key: "Escape" });
  assert.ok(!far.names.has("dp-open") && far.names.has("dp-shut"));
  heard.pointerout({ target: far, relatedTarget: null });
  assert.ok(!far.names.has("dp-shut"));
  heard.click({ target: { closest: () => null } });
});
