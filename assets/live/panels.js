// Panels: a still Plotly frame (axes, zoom) with canvases under and over it, or a mosaic of pictures.

import { button, context, element } from "./dom.js";
import { draw } from "./draw.js";
import { plotSvg, pngOf, save, toPng } from "./export.js";
import { frame, mosaic, rangeOf } from "./frame.js";
import { ready, stale, surfaceOf } from "./layers.js";

/** @import { Colours, Env, Layer, LayerOf, Numbers, PanelSpec, Plotly, PlotlyElement } from "./types.d.ts" */
/** @import { Lab } from "./main.js" */
/** @typedef {HTMLButtonElement & { layer: LayerOf<"handle"> }} Knob */

/** @param {string} className */
function canvas(className) {
  const made = element("canvas", className);
  made.setAttribute("aria-hidden", "true");
  return made;
}

/**
 * @param {HTMLCanvasElement} target
 * @param {number} width
 * @param {number} height
 */
function fit(target, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
  }
  const ctx = context(target);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/**
 * @param {Numbers} first
 * @param {Numbers} second
 */
function joined(first, second) {
  const made = new Float32Array(first.length + second.length);
  made.set(first);
  made.set(second, first.length);
  return made;
}

const CONFIG = {
  displaylogo: false,
  responsive: false,
  scrollZoom: false,
  displayModeBar: false,
  doubleClick: "reset",
};

/** @type {Record<string, ["x" | "y", number]>} */
const STEPS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", 1], ArrowDown: ["y", -1] };

/** One panel of a lab. */
export class Panel {
  /**
   * @param {Lab} lab
   * @param {PanelSpec} spec
   */
  constructor(lab, spec) {
    this.lab = lab;
    this.spec = spec;
    /** @type {PanelSpec | null} a description that waits until its tab is opened */
    this.wanted = null;
    this.visible = true;
    this.drawn = false;
    this.following = false;
    this.width = 0;
    this.height = 0;
    /** @type {string | null} */
    this.frameKey = null;
    /** @type {Plotly | null} */
    this.plotly = null;
    this.colours = lab.colours;
    /** @type {Map<string, Knob>} */
    this.handles = new Map();
    this.under = canvas("dp-under");
    this.plot = /** @type {PlotlyElement} */ (/** @type {HTMLElement} */ (element("div", "dp-frame")));
    this.stillCanvas = canvas("dp-over");
    this.over = canvas("dp-over");
    this.root = element("figure", "dp-panel");
    this.root.dataset.panel = spec.key;
    const head = element("figcaption", "dp-panel-head");
    this.title = element("span", "dp-panel-title", spec.title);
    head.append(this.title, this.menu());
    this.wrap = element("div", "dp-plot");
    this.caption = element("p", "dp-caption");
    this.inWords = element("p", "dp-caption dp-words");
    this.inWords.hidden = true;
    this.root.append(head, this.wrap, this.caption, this.inWords);
    const pictures = spec.kind === "mosaic";
    if (pictures) this.wrap.append(this.over);
    else this.wrap.append(this.under, this.plot, this.stillCanvas, this.over);
    /** @type {HTMLElement} */
    this.image = pictures ? this.over : this.plot; // not the whole: a handle inside a picture would be lost
    this.image.removeAttribute("aria-hidden");
    this.image.setAttribute("role", "img");
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.wrap);
    this.sight = new IntersectionObserver((entries) => {
      this.visible = entries[entries.length - 1].isIntersecting;
      if (this.visible) lab.schedule();
    });
    this.sight.observe(this.wrap);
  }

  menu() {
    const box = element("span", "dp-menu");
    /** @type {(label: string, title: string, act: () => void) => HTMLButtonElement} */
    const small = (label, title, act) => {
      const made = button("dp-mini", label, act);
      made.title = title;
      made.setAttribute("aria-label", `${title}: ${this.spec.title}`);
      return made;
    };
    const text = small("Text", "Describe in words", () => {
      this.inWords.hidden = !this.inWords.hidden;
      text.setAttribute("aria-expanded", String(!this.inWords.hidden));
    });
    text.setAttribute("aria-expanded", "false");
    box.append(text);
    if (this.spec.kind !== "mosaic") {
      box.append(small("⤢", "Reset the zoom", () => this.resetZoom()));
      box.append(small("SVG", "Save as SVG", () => this.saveAs("svg")));
    }
    box.append(small("PNG", "Save as PNG", () => this.saveAs("png")));
    return box;
  }

  /**
   * Take a new description; the still frame is touched only when it really changed.
   * @param {PanelSpec} spec
   * @param {Colours} colours
   * @param {Plotly} plotly
   */
  async update(spec, colours, plotly) {
    this.spec = spec;
    this.title.textContent = spec.title;
    this.caption.textContent = spec.caption ?? "";
    this.caption.hidden = !spec.caption;
    this.describe();
    this.colours = colours;
    this.drawn = false;
    if (spec.kind === "mosaic") return;
    const key = JSON.stringify([spec.kind, spec.x, spec.y, spec.key, colours.key]);
    if (key !== this.frameKey && plotly) {
      const first = !this.frameKey;
      this.frameKey = key;
      this.plotly = plotly;
      const width = Math.max(this.wrap.clientWidth, 60);
      const height = Math.max(this.wrap.clientHeight, 60);
      const layout = { ...frame(spec, colours), width, height };
      await plotly.react(this.plot, [{ x: [], y: [], type: "scatter" }], layout, CONFIG);
      if (first) this.listen();
    }
    this.place();
  }

  /** The picture in words, with the present values. */
  describe() {
    const { title, alt } = this.wanted ?? this.spec;
    const text = `${title}. ${this.lab.fill(alt ?? "")}`.trim();
    if (this.image.getAttribute("aria-label") !== text) this.image.setAttribute("aria-label", text);
    const full = `${text} ${this.lab.spoken()}`;
    if (this.inWords.textContent !== full) this.inWords.textContent = full;
  }

  listen() {
    this.plot.on("plotly_relayout", (change) => {
      this.drawn = false;
      this.lab.schedule();
      if (this.spec.link && !this.following) this.lab.zoomed(this, change);
    });
    this.plot.on("plotly_relayouting", () => {
      this.drawn = false;
      this.lab.schedule();
    });
  }

  /** @param {Record<string, unknown>} change the zoom of a linked panel */
  async follow(change) {
    if (!this.plotly) return;
    this.following = true;
    const own = Object.fromEntries(Object.entries(change).filter(([k]) => /^[xy]axis\./.test(k)));
    if (Object.keys(own).length) await this.plotly.relayout(this.plot, own);
    this.following = false;
  }

  resetZoom() {
    if (!this.plotly) return;
    this.plotly.relayout(this.plot, { "xaxis.range": rangeOf(this.spec.x), "yaxis.range": rangeOf(this.spec.y) });
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.wrap;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.drawn = false;
    if (this.plotly && width > 0) this.plotly.relayout(this.plot, { width, height });
    this.lab.schedule();
  }

  /**
   * What layers need to know: values, pixels, colours; null before the frame is there.
   * @returns {Env | null}
   */
  env() {
    const full = this.plot?._fullLayout;
    if (!full?.xaxis?._length) return null;
    const { xaxis, yaxis } = full;
    const { slices } = this.lab;
    return {
      get: (name) => slices.get(name),
      scalar: (name) => slices.scalar(name),
      shape: (name) => slices.shape(String(name)),
      place: (dim) => slices.place(dim),
      ready: (layer) => ready(layer, slices),
      x: (v) => xaxis.d2p(v) + xaxis._offset,
      y: (v) => yaxis.d2p(v) + yaxis._offset,
      invX: (p) => xaxis.p2d(p - xaxis._offset),
      invY: (p) => yaxis.p2d(p - yaxis._offset),
      area: { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length },
      colours: this.colours,
    };
  }

  /**
   * What is drawn: the layers, and under them what was pinned.
   * @returns {Layer[]}
   */
  shown() {
    return [...this.lab.pin.layers(this.spec), ...this.spec.layers];
  }

  /**
   * The surfaces that have to be drawn anew, empty.
   * @param {boolean} fresh
   * @param {number} width
   * @param {number} height
   */
  surfaces(fresh, width, height) {
    const all = { under: this.under, over: this.over, still: this.stillCanvas };
    /** @type {Partial<Record<keyof typeof all, CanvasRenderingContext2D>>} */
    const found = {};
    for (const name of stale(this.spec.layers, this.lab.slices, fresh)) found[name] = fit(all[name], width, height);
    return found;
  }

  draw() {
    if (!this.visible || this.root.offsetParent === null) return;
    if (this.spec.kind === "mosaic") return this.drawTiles();
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
      const ctx = surfaces[surfaceOf(layer, this.lab.slices)];
      if (ctx && env.ready(layer)) draw(ctx, layer, env);
    }
    for (const ctx of Object.values(surfaces)) ctx.restore();
    if (surfaces.still && this.spec.kind === "map") {
      const { left, top, width: w, height: h } = env.area;
      surfaces.still.strokeStyle = this.colours.muted;
      surfaces.still.strokeRect(left, top, w, h);
    }
    this.place();
  }

  drawTiles() {
    const { tiles, still } = this.spec;
    if (!this.lab.slices.has(tiles) || (still && !this.lab.slices.has(still))) return;
    const { clientWidth: width, clientHeight: height } = this.wrap;
    const used = this.paintTiles(fit(this.over, width, height), width, height);
    this.wrap.style.maxHeight = `${Math.ceil(used)}px`; // narrow: no empty room under small pictures
  }

  /**
   * Paint the pictures; returns the height they need.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} width
   * @param {number} height
   */
  paintTiles(ctx, width, height) {
    const { tiles, still, range, rows: heads = [], shape } = this.spec;
    const moving = this.lab.slices.get(tiles);
    const values = joined(still ? this.lab.slices.get(still) : [], moving);
    const [h, w] = shape;
    const n = values.length / (h * w);
    const { size, left, place, rowAt, used } = mosaic(this.spec, n, width, height);
    const { tile, image } = this.tileOf(w, h);
    ctx.imageSmoothingEnabled = false;
    ctx.font = "12px system-ui, sans-serif";
    ctx.textAlign = "center";
    for (let k = 0; k < n; k++) {
      this.shadeTile(image, values, k * h * w, range);
      context(tile).putImageData(image, 0, 0);
      const { x, y, caption } = place(k);
      ctx.drawImage(tile, x, y, size, size);
      ctx.strokeStyle = this.colours.grid;
      ctx.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
      ctx.fillStyle = this.colours.faint;
      if (caption !== undefined) ctx.fillText(caption, x + size / 2, y + size + 13);
    }
    ctx.textAlign = "right";
    for (const [row, head] of heads.entries()) ctx.fillText(head, left - 8, rowAt(row) + size / 2 + 4);
    ctx.textAlign = "start";
    return used;
  }

  /**
   * A canvas for one picture, kept between frames.
   * @param {number} width
   * @param {number} height
   */
  tileOf(width, height) {
    if (!this.picked || this.picked.tile.width !== width || this.picked.tile.height !== height) {
      const tile = element("canvas");
      tile.width = width;
      tile.height = height;
      this.picked = { tile, image: context(tile).createImageData(width, height) };
    }
    return this.picked;
  }

  /**
   * @param {ImageData} image
   * @param {Numbers} values
   * @param {number} start
   * @param {[number, number]} range
   */
  shadeTile({ data }, values, start, [low, high]) {
    const factor = 255 / (high - low);
    for (let i = 0; i < data.length / 4; i++) {
      const ink = (values[start + i] - low) * factor;
      const v = this.colours.dark ? ink : 255 - ink;
      data[4 * i] = data[4 * i + 1] = data[4 * i + 2] = v;
      data[4 * i + 3] = 255;
    }
  }

  /** Put draggable points where their values say. */
  place() {
    const env = this.env();
    if (!env) return;
    const wanted = this.spec.layers.filter((layer) => layer.kind === "handle");
    for (const layer of wanted) {
      let knob = this.handles.get(layer.x);
      if (!knob) {
        knob = this.knob(layer);
        this.handles.set(layer.x, knob);
        this.wrap.append(knob);
      }
      knob.layer = layer;
      const origin = env.get(layer.origin);
      knob.style.left = `${env.x(origin[0] + Number(this.lab.value(layer.x)))}px`;
      knob.style.top = `${env.y(origin[1] + Number(this.lab.value(layer.y)))}px`;
    }
    if (!wanted.length) for (const knob of this.handles.values()) knob.remove();
    if (!wanted.length) this.handles.clear();
  }

  /**
   * @param {LayerOf<"handle">} layer
   * @returns {Knob}
   */
  knob(layer) {
    const made = Object.assign(element("button", "dp-knob"), { type: "button", layer });
    made.setAttribute("aria-label", `${layer.label}: drag, or use the arrow keys`);
    const move = (/** @type {PointerEvent} */ event) => {
      const env = this.env();
      if (!env) return;
      const box = this.wrap.getBoundingClientRect();
      const { x, y } = made.layer;
      const origin = env.get(made.layer.origin);
      this.lab.set(x, env.invX(event.clientX - box.left) - origin[0]);
      this.lab.set(y, env.invY(event.clientY - box.top) - origin[1]);
      this.lab.moved(x, "drag");
    };
    made.addEventListener("pointerdown", (event) => {
      made.setPointerCapture(event.pointerId);
      made.onpointermove = move;
      made.focus();
      event.preventDefault();
    });
    made.addEventListener("lostpointercapture", () => {
      made.onpointermove = null;
      this.lab.moved(made.layer.x, "commit");
    });
    made.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const name = made.layer[step[0]];
      this.lab.step(name, step[1]);
      this.lab.moved(name, "key");
    });
    return made;
  }

  /** @param {"svg" | "png"} kind */
  async saveAs(kind) {
    const name = this.lab.fileName(this.spec.key);
    if (this.spec.kind === "mosaic") {
      save(await this.tilesPng(), `${name}.png`);
      return;
    }
    const env = this.env();
    if (!env || !this.plotly) return; // nothing is drawn yet
    const svg = await plotSvg(this, env, this.plotly);
    const { clientWidth: width, clientHeight: height } = this.wrap;
    if (kind === "svg") save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
    else save(await toPng(svg, width, height), `${name}.png`);
  }

  /** The pictures at twice the size, on the ground they are seen on. */
  tilesPng() {
    const { clientWidth: width, clientHeight: height } = this.wrap;
    const target = element("canvas");
    target.width = 2 * width;
    target.height = 2 * height;
    const ctx = context(target);
    ctx.scale(2, 2);
    ctx.fillStyle = this.colours.ground;
    ctx.fillRect(0, 0, width, height);
    this.paintTiles(ctx, width, height);
    return pngOf(target);
  }

  /** Keep the pictures of now as B beside the next. */
  keepPicture() {
    this.dropPicture();
    if (this.spec.kind !== "mosaic" || !this.visible || this.root.offsetParent === null) return;
    const copy = canvas("dp-copy");
    copy.width = this.over.width;
    copy.height = this.over.height;
    context(copy).drawImage(this.over, 0, 0);
    this.picture = element("div", "dp-b");
    this.picture.append(element("span", null, "B, pinned"), copy);
    this.wrap.after(this.picture);
  }

  dropPicture() {
    this.picture?.remove();
    this.picture = null;
  }

  remove() {
    this.observer.disconnect();
    this.sight.disconnect();
    if (this.plotly) this.plotly.purge(this.plot);
    this.root.remove();
  }
}
