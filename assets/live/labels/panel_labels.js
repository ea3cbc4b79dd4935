// The labels of a panel: which layers have one, and how it is drawn.

import { boxOf } from "../draw/annotations.js";
import { draw } from "../draw/draw.js";
import { still, under } from "../draw/layers.js";
import { legible, roleColour } from "../draw/theme.js";
import { anchorsOf } from "./anchors.js";
import { border } from "./borders.js";
import { CurveCells, Ink } from "./ink.js";
import { NO_CURVE, place } from "./placement.js";
import { Trace } from "./trace.js";

/** @import { Area, Colours, Env, Layer, Surface } from "../types.d.ts" */
/** @import { Slices } from "../data/slices.js" */
/** @import { Panel } from "../frame/panel.js" */
/** @import { Box } from "./ink.js" */
/** @import { Placed, Wanted } from "./placement.js" */
const CURVES = new Set(["line", "hline"]); // kinds whose labels could be taken for another's

/** @typedef {(text: string, type: Type) => number} Measure how wide a text is */

const NARROW = 25; // widths in font sizes below which a panel uses short labels
const EDGE = 0.1; // weight of the edge of a translucent band beside that of a line
const HEAD = 20; // weight of the head of a single arrow beside that of a line
const LOW = 60; // height of a panel in pixels below which labels cannot tell two curves apart
/** @type {Record<string, string>} the colour of kinds whose role is not given; others have those of classes */
const OWN = {
  line: "private",
  parabolas: "private",
  dot: "private",
  bars: "private",
  band: "private",
  arrows: "private",
  boundary: "nonprivate",
};

/** @typedef {{ size: number, family: string }} Type the font of the page, larger on a projector */

/** @param {Type} type */
const font = ({ size, family }) => `600 ${size}px ${family}`;

/**
 * Return the colour of a layer's label: that of the layer, made dark or light enough to read.
 * @param {Layer} layer
 * @param {Colours} colours
 * @param {boolean} tinted whether it may stand on a region
 */
function colourOf(layer, colours, tinted) {
  const { role } = /** @type {{ role?: string | number }} */ (layer);
  const own = role ?? OWN[layer.kind] ?? "text";
  const colour = typeof own === "number" ? colours.classes[own % 10] : roleColour(colours, own);
  return legible(colour, colours.ground, tinted ? 7 : 4.6);
}

/** The labels of one panel, from frame to frame. */
export class PanelLabels {
  constructor() {
    /** @type {Map<string, Placed>} */
    this.before = new Map();
    /** @type {Map<Layer, { trace: Trace, marks: number[] }>} the traces of layers that never move */
    this.known = new Map();
    /** @type {Map<string, number>} */
    this.widths = new Map();
    /** @type {(Placed & { colour: string })[]} */
    this.placed = [];
    /** @type {Type} */
    this.type = { size: 12, family: "sans-serif" };
  }

  /**
   * Forget the places and traces before everything is drawn again.
   * @param {Type} type
   */
  forget(type) {
    this.type = type;
    this.known.clear();
    this.before.clear();
  }

  /**
   * Draw the labels over a picture.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Pick<Panel, "figure" | "points" | "shown" | "hovered">} panel
   * @param {Env} env
   * @param {boolean} fresh
   */
  over(ctx, panel, env, fresh) {
    const { slices, layout } = panel.figure;
    if (fresh) this.forget(layout.type);
    if (env.area.height < LOW) {
      this.placed = [];
      return;
    }
    const layers = panel.shown();
    const given = { slices, taken: panel.points.boxes(layers, env), measure: measured(ctx) };
    this.arrange(layers, env, { ...given, holds: panel.figure.overture?.moving ?? false, hovered: panel.hovered });
    this.write(ctx, env.colours);
  }

  /**
   * Find places for the labels of some layers.
   * @param {Layer[]} layers in the order they are drawn in
   * @param {Env} env
   * @param {{ slices: Slices, taken: Box[], measure: Measure, holds?: boolean, hovered?: boolean }} given `taken`: what
   * nothing may cover; `holds`: whether labels of curves that stand still stay where they are, whatever passes under
   * them; `hovered`: whether labels are there that wait for a pointer, as they are in an export
   */
  arrange(layers, env, { slices, taken, measure, holds = false, hovered = true }) {
    if (!layers.some((layer) => layer.label)) {
      this.placed = [];
      return;
    }
    const ink = new Ink(env.area);
    const owners = new CurveCells(env.area);
    const tinted = layers.some(under);
    const held = [...taken];
    /** @type {Wanted[]} */
    const wanted = [];
    /** @type {Map<string, string>} */
    const colours = new Map();
    for (const layer of layers) {
      if (layer.kind === "handle" || !env.ready(layer)) continue;
      const { trace, marks } = this.follow(layer, env, slices);
      trace.markCells(ink, layer.kind === "band" ? EDGE : 1);
      for (let i = 0; i < marks.length; i += 3) ink.dot(marks[i], marks[i + 1]);
      if (layer.kind === "arrows" && trace.marks.length === 3) ink.dot(trace.marks[0], trace.marks[1], HEAD);
      const written = layer.kind === "annotation" ? boxOf(layer, env) : null;
      if (written) held.push(written);
      if (layer.kind === "dot") for (const box of dots(trace.marks)) held.push(box);
      if (!layer.label || (layer.label_on_hover && !hovered)) continue;
      const key = `${layer.kind} ${layer.label}`;
      colours.set(key, colourOf(layer, env.colours, tinted));
      const anchors = marks.length ? thinned(marks) : anchorsOf(trace, layer.kind);
      wanted.push({
        key,
        words: this.words(layer, env.area, measure),
        height: Math.round(1.25 * this.type.size),
        anchors,
        own: CURVES.has(layer.kind) && !trace.many ? owners.add(trace.trail) : NO_CURVE,
      });
    }
    const found = place(wanted, { area: env.area, ink, owners, taken: held, holds }, this.before);
    this.before = new Map(found.map((spot) => [spot.key, spot]));
    this.placed = found.map((spot) => ({ ...spot, colour: colours.get(spot.key) ?? env.colours.text }));
  }

  /**
   * Return what a layer draws, as a trace and as marks of a border.
   * @param {Layer} layer
   * @param {Env} env
   * @param {Slices} slices
   */
  follow(layer, env, slices) {
    const kept = this.known.get(layer);
    if (kept) return kept;
    const trace = new Trace(env.area);
    const painted = layer.kind === "regions" || layer.kind === "boundary" || layer.kind === "field";
    if (!painted && layer.kind !== "shade") draw(trace, layer, env);
    const found = { trace, marks: painted && layer.label ? border(layer, env) : [] };
    if (still(layer, slices)) this.known.set(layer, found);
    return found;
  }

  /**
   * Return the texts of a label, from the longest to the shortest.
   * @param {Layer} layer
   * @param {Area} area
   * @param {Measure} measure
   */
  words({ label = "", label_short: short = "" }, area, measure) {
    const texts =
      short && short !== label ? (area.width < NARROW * this.type.size ? [short] : [label, short]) : [label];
    return texts.map((text) => {
      const key = `${this.type.size} ${text}`;
      let width = this.widths.get(key);
      if (width === undefined) {
        width = measure(text, this.type);
        this.widths.set(key, width);
      }
      return { text, width };
    });
  }

  /**
   * Draw the labels with a halo of the ground.
   * @param {Surface} ctx
   * @param {Colours} colours
   */
  write(ctx, colours) {
    for (const { text, x, y, width, height, colour, lead } of this.placed) {
      if (lead) {
        ctx.beginPath();
        ctx.moveTo(lead.x0, lead.y0);
        ctx.lineTo(lead.x1, lead.y1);
        ctx.lineWidth = this.type.size / 10;
        ctx.strokeStyle = colour;
        ctx.stroke();
      }
      ctx.font = font(this.type);
      ctx.strokeStyle = colours.ground;
      ctx.lineWidth = (3 * this.type.size) / 10;
      ctx.lineJoin = "round";
      ctx.strokeText(text, x, y + 0.78 * height, width); // also in another typeface
      ctx.fillStyle = colour;
      ctx.fillText(text, x, y + 0.78 * height, width);
    }
  }
}

/**
 * Return a function that measures text with a canvas.
 * @param {CanvasRenderingContext2D} ctx
 * @returns {Measure}
 */
const measured = (ctx) => (text, type) => {
  ctx.font = font(type);
  return ctx.measureText(text).width;
};

/**
 * Return the boxes that nothing may cover: where the handles are now.
 * @param {number[]} marks
 * @returns {Box[]}
 */
function dots(marks) {
  const found = [];
  for (let i = 0; i < marks.length; i += 3) {
    const r = marks[i + 2] + 2;
    found.push({ x: marks[i] - r, y: marks[i + 1] - r, width: 2 * r, height: 2 * r });
  }
  return found;
}

/**
 * Return some places of a border, spread over it.
 * @param {number[]} marks
 */
function thinned(marks) {
  const n = marks.length / 3;
  const step = Math.max(1, n / 14);
  const found = [];
  for (let k = 0; k < n; k += step) {
    const at = 3 * Math.floor(k);
    found.push({ x: marks[at], y: marks[at + 1], reach: 5, cost: 0.5, id: `${Math.round(k / step)}` });
  }
  return found;
}
