// What Streamlit's own elements lack for somebody who hears a page or walks it by keys. Its menu on phones is a list of
// groups of entries, which is no list; the names of its parts are its test ids. A long formula scrolls on a phone: keys
// reach it there.

/** @type {[selector: string, attribute: string, value: string][]} */
const LACKS = [
  ['[data-testid="stSidebarNavItems"]', "role", "group"],
  ['[data-testid="stSidebarNavItems"] li', "role", "none"],
];
const FORMULAS = ".katex-display";
/** @type {[name: string, value: string][]} */
const REACHED = [
  ["tabindex", "0"],
  ["role", "group"],
  ["aria-label", "Formula"],
];
const PAUSE = 200; // ms: not at every number that changes

/** Add what is missing now. */
export function mend() {
  for (const [selector, attribute, value] of LACKS) {
    for (const found of document.querySelectorAll(`${selector}:not([${attribute}])`)) {
      found.setAttribute(attribute, value);
    }
  }
  for (const found of document.querySelectorAll(FORMULAS)) reach(found);
}

/**
 * Let keys reach what is wider than its place, and nothing else: every stop costs a reader a key.
 * @param {Element} formula
 */
function reach(formula) {
  const scrolls = formula.scrollWidth > formula.clientWidth;
  if (scrolls === formula.hasAttribute("tabindex")) return;
  if (scrolls) {
    for (const [name, value] of REACHED) formula.setAttribute(name, value);
  } else for (const [name] of REACHED) formula.removeAttribute(name);
}

let watching = false;

/** Mend what is there and what comes. Once is enough. */
export function watch() {
  if (watching) return;
  watching = true;
  mend();
  let waits = false;
  const later = () => {
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      mend();
    }, PAUSE);
  };
  new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", later);
}
