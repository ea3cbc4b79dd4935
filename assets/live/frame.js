// The still frame of a panel as Plotly's layout, and where the pictures of a mosaic stand.

/** @import { Axis, Colours, PanelSpec } from "./types.d.ts" */

/**
 * Text for Plotly, which would draw tags, links and formulas: names of columns come from files.
 * @param {unknown} text
 */
export const inert = (text) => String(text).replace(/[&<>$]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/**
 * The range of an axis in Plotly's units.
 * @param {Axis} axis
 */
export const rangeOf = (axis) => (axis.log ? axis.range.map(Math.log10) : axis.range);

/**
 * The Plotly layout of a panel's still frame.
 * @param {PanelSpec} spec
 * @param {Colours} colours
 */
export function frame(spec, colours) {
  const map = spec.kind === "map";
  const axis = (/** @type {Axis} */ own, /** @type {object} */ other) => ({
    range: rangeOf(own),
    type: own.log ? "log" : "linear",
    title: { text: inert(own.title ?? ""), standoff: 6 },
    visible: !map,
    tickformat: own.format ?? "",
    tickvals: own.ticks,
    ticktext: own.words?.map(inert) ?? own.ticks?.map(String),
    gridcolor: colours.grid,
    zeroline: false,
    linecolor: colours.muted,
    fixedrange: spec.fixed ?? false,
    automargin: true,
    ...other,
  });
  return {
    xaxis: axis(spec.x, map ? { constrain: "domain" } : {}),
    yaxis: axis(spec.y, map ? { scaleanchor: "x", constrain: "domain" } : {}),
    margin: map ? { l: 2, r: 2, t: 2, b: 2 } : { l: 52, r: 12, t: 8, b: 44 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colours.faint, size: 12, family: "inherit" },
    hovermode: false,
    showlegend: false,
    dragmode: "zoom",
    uirevision: [spec.key, spec.x.range, spec.y.range].join(), // other data: the old zoom is void
  };
}

/**
 * Where the pictures of a mosaic stand in a given room.
 * @param {Pick<PanelSpec, "columns" | "captions" | "rows">} spec
 * @param {number} n how many pictures
 * @param {number} width
 * @param {number} height
 */
export function mosaic({ columns, captions = [], rows: heads = [] }, n, width, height) {
  const rows = Math.ceil(n / columns);
  const foot = heads.length && captions.length ? 18 : 0; // named rows: captions once, under the columns
  const label = captions.length && !foot ? 18 : 0;
  const side = heads.length ? 62 : 0;
  const gap = heads.length ? 4 : 8;
  const across = (width - side - gap * (columns - 1)) / columns;
  const size = Math.min(across, (height - foot - rows * (label + gap)) / rows);
  const left = side + (width - side - columns * size - gap * (columns - 1)) / 2;
  const place = (/** @type {number} */ k) => ({
    x: left + (k % columns) * (size + gap),
    y: Math.floor(k / columns) * (size + label + gap),
    caption: captions[foot ? k - (n - columns) : k],
  });
  return {
    size,
    left,
    place,
    rowAt: (/** @type {number} */ row) => row * (size + gap),
    used: foot + rows * (across + label + gap),
  };
}
