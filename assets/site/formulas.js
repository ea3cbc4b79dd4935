// Formulas of the static site, typeset by KaTeX where a page has some.

/** @typedef {{ render: (tex: string, place: HTMLElement, options: object) => void }} Katex */

/** Typeset the formulas of the page; without KaTeX they stay as they are written. */
export async function typesetFormulas() {
  const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dp-tex"));
  if (!places.length) return;
  /** @type {{ default: Katex }} */
  const { default: katex } = await import(new URL("katex.js", import.meta.url).href);
  for (const place of places) katex.render(place.textContent ?? "", place, { throwOnError: false });
}
