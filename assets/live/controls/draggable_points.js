// Points in a picture that are dragged by pointer or moved by arrow keys.

import { onApproach } from "../data/prefetch.js";
import { element } from "../draw/dom.js";

/** @import { Env, Layer, LayerOf } from "../types.d.ts" */
/** @import { Panel } from "../frame/panel.js" */
/** @typedef {HTMLButtonElement & { layer: LayerOf<"handle"> }} Knob */

const RADIUS = 15; // pixels, with its rim
/** @type {Record<string, ["x" | "y", number]>} the coordinate that a key moves, and by how many places */
const ARROWS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", 1], ArrowDown: ["y", -1] };

/**
 * Clip a place so that the whole point stays in the panel: one dragged out of it could not be taken again.
 * @param {number} place
 * @param {number} size
 */
const inside = (place, size) => Math.min(Math.max(place, RADIUS), size - RADIUS);

/** The draggable points of a panel. */
export class DraggablePoints {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {Map<string, Knob>} */
    this.all = new Map();
  }

  /**
   * Move the points to where their values say.
   * @param {Layer[]} layers
   * @param {Env} env
   */
  place(layers, env) {
    const wanted = layers.filter((layer) => layer.kind === "handle");
    for (const layer of wanted) {
      let knob = this.all.get(layer.x);
      if (!knob) {
        knob = this.knob(layer);
        this.all.set(layer.x, knob);
        this.panel.wrap.append(knob);
      }
      knob.layer = layer;
      const [x, y] = this.middle(layer, env);
      knob.style.left = `${x}px`;
      knob.style.top = `${y}px`;
    }
    if (wanted.length) return;
    for (const knob of this.all.values()) knob.remove();
    this.all.clear();
  }

  /**
   * Return the boxes that the points cover.
   * @param {Layer[]} layers
   * @param {Env} env
   */
  boxes(layers, env) {
    return layers.flatMap((layer) => {
      if (layer.kind !== "handle") return [];
      const [x, y] = this.middle(layer, env);
      return [{ x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS }];
    });
  }

  /**
   * Return where a point is by its values, in pixels: they may put it outside of the panel.
   * @param {LayerOf<"handle">} layer
   * @param {Env} env
   */
  meant(layer, env) {
    const { moves } = this.panel.figure;
    const origin = env.get(layer.origin);
    return [env.x(origin[0] + Number(moves.value(layer.x))), env.y(origin[1] + Number(moves.value(layer.y)))];
  }

  /**
   * Return the middle of a point as it is drawn, in pixels.
   * @param {LayerOf<"handle">} layer
   * @param {Env} env
   */
  middle(layer, env) {
    const { clientWidth: width, clientHeight: height } = this.panel.wrap;
    const [x, y] = this.meant(layer, env);
    return [inside(x, width), inside(y, height)];
  }

  /**
   * @param {LayerOf<"handle">} layer
   * @returns {Knob}
   */
  knob(layer) {
    const { moves } = this.panel.figure;
    const made = Object.assign(element("button", "dp-knob"), { type: "button", layer });
    made.setAttribute("aria-label", `${layer.label}: drag, or use the arrow keys`);
    onApproach(made, () => {
      moves.near(made.layer.x);
      moves.near(made.layer.y);
    });
    const move = (/** @type {PointerEvent} */ event) => this.drag(made.layer, event);
    made.addEventListener("pointerdown", (event) => {
      made.setPointerCapture(event.pointerId);
      made.onpointermove = move;
      made.focus();
      event.preventDefault();
    });
    made.addEventListener("lostpointercapture", () => {
      made.onpointermove = null;
      moves.moved(made.layer.x, "commit");
    });
    made.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      const name = made.layer[step[0]];
      this.settle(made.layer);
      moves.step(name, step[1]);
      moves.moved(name, "key");
    });
    return made;
  }

  /**
   * Set the values of a point to where it is seen: a key moves it from there.
   * @param {LayerOf<"handle">} layer
   */
  settle(layer) {
    const { moves } = this.panel.figure;
    const env = this.panel.env();
    if (!env) return;
    const origin = env.get(layer.origin);
    const [x, y] = this.middle(layer, env);
    const [across, up] = this.meant(layer, env);
    if (across !== x) moves.set(layer.x, env.invX(x) - origin[0]);
    if (up !== y) moves.set(layer.y, env.invY(y) - origin[1]);
  }

  /**
   * @param {LayerOf<"handle">} layer
   * @param {PointerEvent} event
   */
  drag({ x, y, origin: named }, event) {
    const { wrap } = this.panel;
    const { moves } = this.panel.figure;
    const env = this.panel.env();
    if (!env) return;
    const box = wrap.getBoundingClientRect();
    const origin = env.get(named);
    moves.set(x, env.invX(inside(event.clientX - box.left, box.width)) - origin[0]);
    moves.set(y, env.invY(inside(event.clientY - box.top, box.height)) - origin[1]);
    moves.moved(x, "drag");
  }
}
