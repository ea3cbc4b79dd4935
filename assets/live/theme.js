// Colours by role, resolved from Streamlit's own theme.

/** @import { Colours } from "./types.d.ts" */

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

/** @param {string} colour */
function luminance(colour) {
  const found = /(\d+(?:\.\d+)?)\D+(\d+(?:\.\d+)?)\D+(\d+(?:\.\d+)?)/.exec(colour);
  if (!found) return 1;
  const [, red, green, blue] = found.map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/**
 * The colours of the theme that an element stands in.
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
  const dark = luminance(ground) < 0.5;
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
    muted: dark ? "#6d768c" : "#9aa3b5",
    other: dark ? "#ffb454" : "#b45309",
    pinned: dark ? "#5eead4" : "#0f766e",
    classes: CLASSES,
    key: `${ground}|${accent}`,
  };
}

/**
 * A colour of the theme by role; what is no role is a colour itself.
 * @param {Colours} colours
 * @param {string} role
 */
export const roleColour = (colours, role) =>
  String(/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (colours))[role] ?? role);

/**
 * A colour of the theme by role, or of a class by number, with opacity.
 * @param {Colours} colours
 * @param {number | string} role
 */
export function shade(colours, role, alpha = 1) {
  const colour = typeof role === "number" ? colours.classes[role % 10] : roleColour(colours, role);
  if (alpha >= 1 || !colour.startsWith("#")) return colour;
  const n = parseInt(colour.slice(1), 16);
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},${alpha})`;
}
