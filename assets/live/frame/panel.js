// A panel: a still frame (axes, zoom) with canvases under and over it, or a mosaic of pictures.

import { DraggablePoints } from "../controls/draggable_points.js";
import { canvas, fit } from "../draw/canvas.js";
import { element } from "../draw/dom.js";
import { draw } from "../draw/draw.js";
import { reads, ready, stale, surfaceOf } from "../draw/layers.js";
import { isPending } from "../draw/pending.js";
import { Pictures } from "../draw/pictures.js";
import { StillFrame } from "../draw/still_frame.js";
import { PanelLabels } from "../labels/panel_labels.js";
import { FaceOffPanel } from "./face_off.js";
import { Falling } from "./falling.js";
import { PanelHead } from "./panel_head.js";
import { QuizPanel } from "./quiz_panel.js";
import { ToggleSpots } from "./toggle_spots.js";

/** @import { Colours, Env, Layer, PanelSpec, View } from "../types.d.ts" */
/** @import { LiveFigure } from "./figure.js" */

/**
 * Return the colours of the world without the person: the result is drawn in the other colour, and so are rims.
 * @param {Colours} colours
 * @returns {Colours}
 */
const otherWorld = (colours) => ({ ...colours, private: colours.other, text: colours.other });

/** One panel of a figure. */
export class Panel {
  /**
   * @param {LiveFigure} figure
   * @param {PanelSpec} spec
   */
  constructor(figure, spec) {
    this.figure = figure;
    this.spec = spec;
    /** @type {PanelSpec | null} a description that waits until its tab is opened */
    this.wanted = null;
    this.visible = true;
    this.drawn = false;
    this.hovered = false;
    this.width = 0;
    this.height = 0;
    this.colours = figure.colours;
    this.points = new DraggablePoints(this);
    this.toggles = new ToggleSpots(this);
    this.labels = new PanelLabels();
    /** @type {Falling | null} the clock of falling draws, from the first drawing that asks for it */
    this.falling = null;
    /** @type {import("./recording.js").Recording | null} the film that is being made, or was made last */
    this.recording = null;
    this.under = canvas("dp-under");
    this.frame = new StillFrame(
      (change) => this.zoomed(change),
      (at) => figure.breathing.clicked(this, at),
    );
    this.pictures = new Pictures(this);
    this.still = canvas("dp-over");
    this.over = canvas("dp-over");
    this.root = element("figure", "dp-panel");
    this.root.dataset.panel = spec.key;
    this.root.dataset.kind = spec.kind;
    this.head = new PanelHead(spec, this);
    this.wrap = element("div", "dp-plot");
    this.quiz = new QuizPanel(this);
    this.head.menuBox.prepend(this.quiz.start);
    /** @type {FaceOffPanel | null} the guessing game, from the first description that has one */
    this.faces = null;
    const body = element("div", "dp-panel-body"); // its own row, or heads of one row could not be of one height
    body.append(this.wrap, this.quiz.root, this.head.caption, this.head.inWords);
    this.root.append(this.head.root, body);
    const pictures = spec.kind === "mosaic";
    if (pictures) {
      this.wrap.append(this.over);
      this.wrap.addEventListener("click", (event) => this.clicked(event));
    } else this.wrap.append(this.under, this.frame.plot, this.still, this.over);
    /** @type {HTMLElement} */
    this.image = pictures ? this.over : this.frame.plot; // not the whole: a handle inside a picture would be lost
    this.image.removeAttribute("aria-hidden");
    this.image.setAttribute("role", "img");
    for (const [kind, on] of /** @type {const} */ ([
      ["pointerenter", true],
      ["pointerleave", false],
      ["focusin", true],
      ["focusout", false],
    ])) {
      this.wrap.addEventListener(kind, () => this.hover(on));
    }
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.wrap);
    this.sight = new IntersectionObserver((entries) => {
      this.visible = entries[entries.length - 1].isIntersecting;
      if (this.visible) figure.schedule();
    });
    this.sight.observe(this.wrap);
  }

  /**
   * Choose the picture that was clicked, unless a button over it was.
   * @param {MouseEvent} event
   */
  clicked({ target, clientX, clientY }) {
    if (target !== this.wrap && target !== this.over) return;
    const { left, top } = this.wrap.getBoundingClientRect();
    this.figure.breathing.clicked(this, { x: clientX - left, y: clientY - top });
  }

  /**
   * Take a new description; the still frame is drawn anew only when it changed.
   * @param {PanelSpec} spec
   * @param {Colours} colours
   */
  update(spec, colours) {
    this.spec = spec;
    this.root.classList.toggle("dp-leads", Boolean(spec.leads));
    this.head.update(spec, this.figure?.data?.terms);
    this.describe();
    this.quiz.update(spec);
    if (spec.face_off) this.faces ??= new FaceOffPanel(this);
    this.faces?.update();
    this.colours = colours;
    this.drawn = false;
    if (spec.kind === "mosaic") return;
    const size = { width: Math.max(this.wrap.clientWidth, 60), height: Math.max(this.wrap.clientHeight, 60) };
    this.frame.update(spec, colours, size);
    this.place();
  }

  /** Describe the picture in words with the present values. */
  describe() {
    const { title, alt } = this.wanted ?? this.spec;
    const text = `${title}${/[?!]$/.test(title) ? "" : "."} ${this.figure.fill(alt ?? "")}`.trim();
    if (this.image.getAttribute("aria-label") !== text) this.image.setAttribute("aria-label", text);
    this.head.describe(`${text} ${this.figure.spoken()}`);
  }

  /** @param {Partial<View> | null} change */
  zoomed(change) {
    this.invalidate();
    this.head.zoomed(this.frame.part);
    if (change && this.spec.link) this.figure.panels.zoomed(this, change);
  }

  /** Mark all of the panel to be drawn again. */
  invalidate() {
    this.drawn = false;
    this.figure.schedule();
  }

  /**
   * Show or hide the labels that wait for a pointer or the focus.
   * @param {boolean} on
   */
  hover(on) {
    if (this.hovered === on) return;
    this.hovered = on;
    if (this.spec.layers.some((layer) => layer.label_on_hover)) this.invalidate();
  }

  resetZoom() {
    this.frame.show(null);
  }

  enlarge() {
    this.figure.enlarged.open(this);
  }

  resized() {
    if (this.wrap.clientWidth !== this.width) this.wrap.style.maxHeight = ""; // pictures said it for another width
    const { clientWidth: width, clientHeight: height } = this.wrap;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.frame.resize(width, height);
    this.invalidate();
  }

  /**
   * Return what layers are drawn with: values, pixels, colours; null before the frame is there.
   * @returns {Env | null}
   */
  env() {
    const scales = this.frame.scales;
    if (!scales) return null;
    const { slices, layout } = this.figure;
    return {
      ...scales,
      get: (name) => slices.get(name),
      scalar: (name) => slices.scalar(name),
      shape: (name) => slices.shape(String(name)),
      place: (dim) => slices.place(dim),
      ready: (layer) => ready(layer, slices),
      fallen: (layer, upto) => {
        this.falling ??= new Falling(this);
        return this.falling.at(layer, upto);
      },
      lettering: {
        fill: (template) => this.figure.fill(template),
        measure: (text, font) => this.frame.widthOf(text, font),
        get type() {
          return layout.type; // asks the document: only where words are written
        },
      },
      colours: this.figure.breathing.tints(this) ? otherWorld(this.colours) : this.colours,
    };
  }

  /**
   * Return whether a layer or the pictures draw one of some arrays.
   * @param {string[]} names
   */
  draws(names) {
    const { layers, tiles } = this.spec;
    return names.includes(tiles) || layers.some((layer) => reads(layer, names));
  }

  /** Return the pinned layers that still fit. */
  pinned() {
    return this.figure.pin.layers(this.spec);
  }

  /**
   * Return the layers to draw, and under them the pinned ones.
   * @returns {Layer[]}
   */
  shown() {
    return this.quiz.shown([...this.pinned(), ...this.spec.layers]);
  }

  /**
   * Return the canvases to draw anew, cleared.
   * @param {boolean} fresh
   * @param {number} width
   * @param {number} height
   */
  surfaces(fresh, width, height) {
    const all = { under: this.under, over: this.over, still: this.still };
    /** @type {Partial<Record<keyof typeof all, CanvasRenderingContext2D>>} */
    const found = {};
    for (const name of stale(this.spec.layers, this.figure.slices, fresh)) found[name] = fit(all[name], width, height);
    return found;
  }

  /** Whether the panel is in sight: otherwise it is not drawn. */
  get seen() {
    return this.visible && this.root.offsetParent !== null;
  }

  draw() {
    if (!this.seen) return;
    this.showPending();
    if (this.spec.kind === "mosaic") return this.pictures.draw();
    const env = this.env();
    if (!env) return;
    const { clientWidth: width, clientHeight: height } = this.wrap;
    const fresh = !this.drawn;
    this.drawn = true;
    const surfaces = this.surfaces(fresh, width, height);
    for (const ctx of Object.values(surfaces)) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(env.area.left, env.area.top, env.area.width, env.area.height);
      ctx.clip();
    }
    for (const layer of this.shown()) {
      const ctx = surfaces[surfaceOf(layer, this.figure.slices)];
      if (ctx && env.ready(layer)) draw(ctx, layer, env);
    }
    // Names stay where they are while outcomes pass: to look for room at each would be restless, and dear.
    const passing = this.figure.breathing.shown || this.falling?.ticking;
    if (surfaces.over && passing && !fresh) this.labels.write(surfaces.over, env.colours);
    else if (surfaces.over) this.labels.over(surfaces.over, this, env, fresh);
    for (const ctx of Object.values(surfaces)) ctx.restore();
    if (surfaces.still && this.spec.kind === "map") {
      const { left, top, width: w, height: h } = env.area;
      surfaces.still.strokeStyle = this.colours.muted;
      surfaces.still.strokeRect(left, top, w, h);
    }
    this.place();
    this.falling?.wake();
  }

  /** Whether the panel says "computing …". */
  get pending() {
    return this.wrap.classList.contains("dp-waits");
  }

  /** Say "computing …" where nothing is known yet, rather than draw what looks like a result. */
  showPending() {
    const { slices, ahead, data } = this.figure;
    const pending = !ahead && !this.quiz.hides && isPending(this.spec, slices);
    this.wrap.classList.toggle("dp-waits", pending);
    if (pending) this.wrap.dataset.waits = data.busy ? "computing …" : "not computed here";
  }

  /** Move draggable points to where their values say. */
  place() {
    const env = this.env();
    if (!env) return;
    this.points.place(this.spec.layers, env);
    this.toggles.place(env);
    this.figure.breathing.mark(this, env);
  }

  /** @param {"svg" | "png"} kind */
  async saveAs(kind) {
    this.figure.breathing.rest();
    this.falling?.settle();
    const { savePlot, saveTiles } = await import("./export.js"); // loaded when a picture is saved
    const name = this.figure.fileName(this.spec.key);
    return this.spec.kind === "mosaic" ? saveTiles(this, name) : savePlot(this, name, kind);
  }

  /** @param {"gif" | "webm"} kind */
  async film(kind) {
    if (this.recording && !this.recording.done) return;
    const { saveFilm } = await import("./export.js"); // loaded when a picture is saved
    return saveFilm(this, this.figure.fileName(this.spec.key), kind);
  }

  remove() {
    if (this.recording) this.recording.cancelled = true;
    this.observer.disconnect();
    this.sight.disconnect();
    this.falling?.stop();
    this.frame.remove();
    this.root.remove();
  }
}
