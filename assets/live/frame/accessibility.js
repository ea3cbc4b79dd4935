// Repair the accessibility of Streamlit's own elements. Its menu on phones is a list of groups of entries, which is no
// list; its parts are named by test ids. Long formulas and wide tables scroll on a phone: keys reach them there. And a
// link to a place in a page scrolls to it, though the place is drawn late.

/** @type {[selector: string, attribute: string, value: string][]} */
const LACKS = [
  ['[data-testid="stSidebarNavItems"]', "role", "group"],
  ['[data-testid="stSidebarNavItems"] li', "role", "none"],
  ['[data-testid="stFileUploaderDropzone"]', "role", "group"], // it has a name and the role "none"
];
/** @type {[selector: string, name: string][]} without a name it keeps what it is: a table of rows and columns */
const WIDE = [
  [".katex-display", "Formula"],
  [".stMarkdown table", ""],
  [".dp-others", "Table"],
  ["pre", "Program"],
];
const PAUSE = 200; // ms: not at every number that changes

/** Add what is missing now. */
function repair() {
  for (const [selector, attribute, value] of LACKS) {
    for (const found of document.querySelectorAll(`${selector}:not([${attribute}="${value}"])`)) {
      found.setAttribute(attribute, value);
    }
  }
  for (const [selector, name] of WIDE) {
    for (const found of document.querySelectorAll(selector)) reach(found, name);
  }
}

/**
 * Let keys reach what is wider than its place, and nothing else: every stop costs a reader a key.
 * @param {Element} part
 * @param {string} name
 */
function reach(part, name) {
  const scrolls = part.scrollWidth > part.clientWidth;
  if (scrolls === part.hasAttribute("tabindex")) return;
  const says = { tabindex: "0", ...(name && { role: "group", "aria-label": name }) };
  for (const [attribute, value] of Object.entries(says)) {
    if (scrolls) part.setAttribute(attribute, value);
    else part.removeAttribute(attribute);
  }
}

/**
 * Return the place in a page that the end of a link names; "" where it is no such name, as in "#%zz".
 * @param {string} hash
 */
export function placeIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

const HANDS = ["pointerdown", "keydown", "wheel", "touchmove"];

/**
 * Scroll to the place that a link names, and stay there while what lies above is drawn, until the reader does
 * something.
 * @returns {() => void}
 */
function arriving() {
  let wanted = placeIn(location.hash ?? "");
  const leave = () => {
    wanted = "";
  };
  for (const kind of HANDS) addEventListener(kind, leave, { once: true, passive: true });
  return () => {
    if (wanted) document.getElementById(wanted)?.scrollIntoView();
  };
}

let watching = false;

/** Repair the page now and whenever it changes. One call is enough. */
export function watch() {
  if (watching) return;
  watching = true;
  const arrive = arriving();
  repair();
  let waits = false;
  const later = () => {
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      repair();
      arrive();
    }, PAUSE);
  };
  new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", later);
}
