// The colours behind a figure in a notebook, whatever shows it: JupyterLab, VS Code, Colab, marimo.

/** The ground of a figure where the notebook has none of its own. */
export const GROUNDS = { light: "rgb(255, 255, 255)", dark: "rgb(18, 20, 28)" };
/** Attributes by which these programs switch between light and dark. */
const MARKS = ["class", "style", "theme", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"];

/**
 * Return the parent of an element, also across the border of a shadow tree.
 * @param {Element} element
 */
function above(element) {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * Return the colour of the first opaque ground among colours, from the element outwards; null for none.
 * @param {Iterable<string>} colours as `getComputedStyle` writes them
 */
export function firstOpaque(colours) {
  for (const colour of colours) {
    if (colour && colour !== "transparent" && !/^rgba\(.*,\s*0(?:\.\d+)?\)$|\/\s*0(?:\.\d+)?\)$/.test(colour))
      return colour;
  }
  return null;
}

/** @param {Element | null} element */
function* grounds(element) {
  for (let at = element; at; at = above(at)) yield getComputedStyle(at).backgroundColor;
}

/**
 * Return any colour as red, green and blue, as a canvas draws it.
 * @param {string} colour
 */
export function asRgb(colour) {
  if (/^rgb\(\d+, \d+, \d+\)$/.test(colour)) return colour;
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!pen) return GROUNDS.light;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}

/**
 * Return the colour behind an element. Where nothing is opaque, as in an output of VS Code, the page's scheme decides.
 * @param {Element} element
 */
export function groundBehind(element) {
  const found = firstOpaque(grounds(above(element)));
  if (found) return asRgb(found);
  const scheme = getComputedStyle(element).colorScheme;
  const dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  return dark ? GROUNDS.dark : GROUNDS.light;
}

/**
 * Whether a colour `rgb(…)` is a dark ground, for which text is light.
 * @param {string} rgb
 */
export function isDark(rgb) {
  const [r, g, b] = (rgb.match(/\d+/g) ?? []).map(Number);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 118;
}

/**
 * Call a function whenever the notebook may have changed its theme; return the function that ends it.
 * @param {() => void} changed
 */
export function onTheme(changed) {
  const seen = new MutationObserver(changed);
  for (const part of [document.documentElement, document.body])
    seen.observe(part, { attributes: true, attributeFilter: MARKS });
  const device = matchMedia("(prefers-color-scheme: dark)");
  device.addEventListener("change", changed);
  return () => {
    seen.disconnect();
    device.removeEventListener("change", changed);
  };
}
