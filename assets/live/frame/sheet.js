// The page around the figures on paper: laid out for the sheet, with tables as tables and charts that shrink with it.

const SHEET = "paper-layout"; // the layout of ui/frame/paper.py
const LONG = /^-?\d+\.\d{5,}$/; // a number as it is computed: the canvas rounds it

/** Lay the page out for the sheet, before its figures are measured. */
export function layPage() {
  document.documentElement.classList.add(SHEET);
  for (const table of document.querySelectorAll(".stDataFrame canvas > table")) copyGrid(table);
  for (const chart of document.querySelectorAll(".js-plotly-plot .svg-container"))
    scaled(/** @type {HTMLElement} */ (chart));
}

/** Lay the page out for the screen. */
export function leavePage() {
  document.documentElement.classList.remove(SHEET);
  for (const copy of document.querySelectorAll(".dp-grid")) copy.remove();
}

/**
 * Put beside a grid, which is drawn on a canvas as wide as the screen, the table that it holds for screen readers.
 * @param {Element} table
 */
function copyGrid(table) {
  const copy = /** @type {Element} */ (table.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of part.getAttributeNames()) part.removeAttribute(name);
  }
  for (const cell of copy.querySelectorAll("td")) {
    const text = cell.textContent ?? "";
    if (LONG.test(text)) cell.textContent = String(Number(Number(text).toPrecision(5)));
  }
  copy.className = "dp-grid";
  table.closest(".stDataFrame")?.after(copy);
}

/**
 * Let a chart, which is as wide as the screen, shrink with the sheet.
 * @param {HTMLElement} chart
 */
function scaled(chart) {
  const { offsetWidth: width, offsetHeight: height } = chart;
  chart.style.setProperty("--ratio", `${width} / ${height}`);
  for (const svg of chart.querySelectorAll("svg.main-svg")) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
}
