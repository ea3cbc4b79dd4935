// Make elements.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [name] its classes
 * @param {...(Node | string)} inside
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, name = "", ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

/**
 * @param {string} words
 * @param {() => void} pressed
 * @param {string} [name]
 */
export function button(words, pressed, name = "") {
  const made = make("button", name, words);
  made.type = "button";
  made.addEventListener("click", pressed);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...Node} inside
 */
export function drawn(tag, attributes, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/**
 * Return a hundred people, the first so many of them marked.
 * @param {number} marked
 * @param {string} heard
 */
export function people(marked, heard) {
  const shape = (/** @type {number} */ k) => {
    const [x, y] = [(k % 20) * 14, Math.floor(k / 20) * 24];
    return `M${x + 7} ${y + 1.5}a3.6 3.6 0 1 1-.01 0ZM${x + 1.6} ${y + 20.5}v-4.7a5.4 5.4 0 0 1 10.8 0v4.7Z`;
  };
  const all = Array.from({ length: 100 }, (_, k) => shape(k));
  return drawn(
    "svg",
    { viewBox: "0 0 280 120", class: "crowd", role: "img", "aria-label": heard },
    drawn("path", { d: all.slice(0, marked).join(""), class: "yes" }),
    drawn("path", { d: all.slice(marked).join("") }),
  );
}
