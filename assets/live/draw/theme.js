// Colours by role, from Streamlit's own theme.

/** @import { Colours } from "../types.d.ts" */

// Okabe and Ito's colours, and three more, told apart by colour-blind readers on light and dark.
const CLASSES = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#8c6bb1",
  "#b8a800",
  "#7f7f7f",
  "#8b5a2b",
];

/**
 * Return red, green and blue of a colour, 0 to 255; null when it is not written as `#rrggbb` or `rgb(…)`.
 * @param {string} colour
 */
function parts(colour) {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(colour);
  if (hex) return hex.slice(1, 4).map((part) => parseInt(part, 16));
  const found = /(\d+(?:\.\d+)?)\D+(\d+(?:\.\d+)?)\D+(\d+(?:\.\d+)?)/.exec(colour);
  return found ? found.slice(1, 4).map(Number) : null;
}

/** @param {number[]} rgb */
function brightness(rgb) {
  const [r, g, b] = rgb.map((v) => (v <= 10.31 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Return the contrast of two colours by WCAG 2, from 1 to 21.
 * @param {number[]} a
 * @param {number[]} b
 */
function ratio(a, b) {
  const [low, high] = [brightness(a), brightness(b)].sort((u, v) => u - v);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Return the contrast of two colours by WCAG 2, from 1 to 21; 1 when one cannot be read.
 * @param {string} a
 * @param {string} b
 */
export function contrast(a, b) {
  const [one, other] = [parts(a), parts(b)];
  return one && other ? ratio(one, other) : 1;
}

/** @type {Map<string, string>} */
const READ = new Map();

/**
 * Return a colour made darker or lighter until text in it has a contrast of at least 4.5 on a ground.
 * @param {string} colour
 * @param {string} ground
 * @param {number} least where the ground is tinted, more
 */
export function legible(colour, ground, least = 4.6) {
  const key = `${colour} ${ground} ${least}`;
  const known = READ.get(key);
  if (known) return known;
  const [own, under] = [parts(colour), parts(ground)];
  if (!own || !under) return colour;
  const end = brightness(under) > 0.18 ? 0 : 255;
  let [mixed, share] = [own, 0];
  while (ratio(mixed, under) < least && share < 1) {
    share = Math.min(1, share + 0.05);
    mixed = own.map((v) => Math.round(v + (end - v) * share));
  }
  const found = share ? `#${mixed.map((v) => v.toString(16).padStart(2, "0")).join("")}` : colour;
  READ.set(key, found);
  return found;
}

/**
 * Return the colours of the theme around an element.
 * @param {HTMLElement} element
 * @returns {Colours}
 */
export function theme(element) {
  let ground = "rgb(255, 255, 255)";
  for (let at = /** @type {HTMLElement | null} */ (element); at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && !/rgba\(.*, 0\)|transparent/.test(colour)) {
      ground = colour;
      break;
    }
  }
  const dark = brightness(parts(ground) ?? [255, 255, 255]) < 0.18;
  const accent = getComputedStyle(element).getPropertyValue("--st-primary-color").trim();
  return {
    dark,
    ground,
    text: dark ? "#e8eaf2" : "#1c2333",
    faint: dark ? "#9aa3b8" : "#5b6478",
    grid: dark ? "rgba(255,255,255,.09)" : "rgba(20,30,60,.09)",
    private: accent || (dark ? "#9d8cff" : "#4f46e5"),
    nonprivate: dark ? "#a3a9b8" : "#6b7280",
    danger: dark ? "#ff7a6b" : "#c2321f",
    good: dark ? "#4ade80" : "#1a7f4b",
    muted: dark ? "#6d768c" : "#9aa3b5",
    other: dark ? "#ffb454" : "#b45309",
    pinned: dark ? "#5eead4" : "#0f766e",
    classes: dark ? CLASSES.map((colour) => legible(colour, ground, 5.5)) : CLASSES,
    key: `${ground}|${accent}`,
  };
}

/**
 * Return a colour of the theme by role; any other text is a colour itself.
 * @param {Colours} colours
 * @param {string} role
 */
export const roleColour = (colours, role) =>
  String(/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (colours))[role] ?? role);

/**
 * Return a colour of the theme by role, or of a class by number, with opacity.
 * @param {Colours} colours
 * @param {number | string} role
 */
export function shade(colours, role, alpha = 1) {
  const colour = typeof role === "number" ? colours.classes[role % 10] : roleColour(colours, role);
  if (alpha >= 1 || !colour.startsWith("#")) return colour;
  const n = parseInt(colour.slice(1), 16);
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},${alpha})`;
}
