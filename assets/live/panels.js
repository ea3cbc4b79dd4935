// Panels: a still Plotly frame (axes, zoom) with canvases under and over it, or a mosaic of pictures.

import { LAYERS } from "./draw.js";
import { plotSvg, save, toPng } from "./export.js";

const UNDER = new Set(["regions", "field", "shade"]);
const SLOTS = ["xy", "labels", "centres", "x", "y", "low", "high", "edges", "heights", "at", "values"];

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

function canvas(className) {
  const made = element("canvas", className);
  made.setAttribute("aria-hidden", "true");
  return made;
}

function fit(target, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
  }
  const ctx = target.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

function joined(first, second) {
  const made = new Float32Array(first.length + second.length);
  made.set(first);
  made.set(second, first.length);
  return made;
}

/** Text for Plotly, which would draw tags, links and formulas: names of columns come from files. */
function inert(text) {
  return String(text).replace(/[&<>$]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** The Plotly layout of a panel's still frame. */
function frame(spec, colours) {
  const axis = (own, other) => ({
    range: own.log ? own.range.map(Math.log10) : own.range,
    type: own.log ? "log" : "linear",
    title: { text: inert(own.title ?? ""), standoff: 6 },
    visible: spec.kind !== "map",
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
  const same = spec.kind === "map" ? { scaleanchor: "x", constrain: "domain" } : {};
  const margin = spec.kind === "map" ? { l: 2, r: 2, t: 2, b: 2 } : { l: 52, r: 12, t: 8, b: 44 };
  return {
    xaxis: axis(spec.x, spec.kind === "map" ? { constrain: "domain" } : {}),
    yaxis: axis(spec.y, same),
    margin,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colours.faint, size: 12, family: "inherit" },
    hovermode: false,
    showlegend: false,
    dragmode: "zoom",
    uirevision: [spec.key, spec.x.range, spec.y.range].join(), // other data: the old zoom is void
  };
}

const CONFIG = {
  displaylogo: false,
  responsive: false,
  scrollZoom: false,
  displayModeBar: false,
  doubleClick: "reset",
};

/** One panel of a lab. */
export class Panel {
  constructor(lab, spec) {
    this.lab = lab;
    this.spec = spec;
    this.visible = true;
    this.drawn = null;
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
    if (spec.kind === "mosaic") this.tiles = canvas("dp-over");
    else this.layers();
    if (this.tiles) this.wrap.append(this.tiles);
    this.image = this.tiles ?? this.plot; // not the whole: a handle inside a picture would be lost
    this.image.removeAttribute("aria-hidden");
    this.image.setAttribute("role", "img");
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.wrap);
    this.sight = new IntersectionObserver((entries) => {
      this.visible = entries.at(-1).isIntersecting;
      if (this.visible) lab.schedule();
    });
    this.sight.observe(this.wrap);
  }

  layers() {
    this.under = canvas("dp-under");
    this.plot = element("div", "dp-frame");
    this.stillCanvas = canvas("dp-over");
    this.over = canvas("dp-over");
    this.wrap.append(this.under, this.plot, this.stillCanvas, this.over);
    this.handles = new Map();
  }

  menu() {
    const box = element("span", "dp-menu");
    const button = (label, title, act) => {
      const made = element("button", "dp-mini", label);
      made.type = "button";
      made.title = title;
      made.setAttribute("aria-label", `${title}: ${this.spec.title}`);
      made.addEventListener("click", act);
      return made;
    };
    const text = button("Text", "Describe in words", () => {
      this.inWords.hidden = !this.inWords.hidden;
      text.setAttribute("aria-expanded", String(!this.inWords.hidden));
    });
    text.setAttribute("aria-expanded", "false");
    box.append(text);
    if (this.spec.kind !== "mosaic") {
      box.append(button("⤢", "Reset the zoom", () => this.resetZoom()));
      box.append(button("SVG", "Save as SVG", () => this.saveAs("svg")));
    }
    box.append(button("PNG", "Save as PNG", () => this.saveAs("png")));
    return box;
  }

  /** Take a new description; the still frame is touched only when it really changed. */
  async update(spec, colours, plotly) {
    this.spec = spec;
    this.title.textContent = spec.title;
    this.caption.textContent = spec.caption ?? "";
    this.caption.hidden = !spec.caption;
    this.describe();
    this.colours = colours;
    this.drawn = null;
    if (spec.kind === "mosaic") return;
    const key = JSON.stringify([spec.kind, spec.x, spec.y, spec.key, colours.key]);
    if (key !== this.frameKey && plotly) {
      const first = !this.frameKey;
      this.frameKey = key;
      this.plotly = plotly;
      const layout = frame(spec, colours);
      layout.width = Math.max(this.wrap.clientWidth, 60);
      layout.height = Math.max(this.wrap.clientHeight, 60);
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
      this.drawn = null;
      this.lab.schedule();
      if (this.spec.link && !this.following) this.lab.zoomed(this, change);
    });
    this.plot.on("plotly_relayouting", () => {
      this.drawn = null;
      this.lab.schedule();
    });
  }

  async follow(change) {
    if (!this.plotly) return;
    this.following = true;
    const own = Object.fromEntries(Object.entries(change).filter(([k]) => /^[xy]axis\./.test(k)));
    if (Object.keys(own).length) await this.plotly.relayout(this.plot, own);
    this.following = false;
  }

  resetZoom() {
    if (!this.plotly) return;
    const range = (axis) => (axis.log ? axis.range.map(Math.log10) : axis.range);
    this.plotly.relayout(this.plot, { "xaxis.range": range(this.spec.x), "yaxis.range": range(this.spec.y) });
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.wrap;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.drawn = null;
    if (this.plotly && width > 0) this.plotly.relayout(this.plot, { width, height });
    this.lab.schedule();
  }

  /** What layers need to know: values, pixels, colours; null before the frame is there. */
  env() {
    const full = this.plot?._fullLayout;
    if (!full?.xaxis?._length) return null;
    const { xaxis, yaxis } = full;
    const { slices } = this.lab;
    return {
      get: (name) => slices.get(name),
      scalar: (name) => (typeof name === "string" ? slices.scalar(name) : name),
      shape: (name) => slices.shape(name),
      place: (dim) => slices.place(dim),
      ready: (layer) => this.ready(layer),
      x: (v) => xaxis.d2p(v) + xaxis._offset,
      y: (v) => yaxis.d2p(v) + yaxis._offset,
      invX: (p) => xaxis.p2d(p - xaxis._offset),
      invY: (p) => yaxis.p2d(p - yaxis._offset),
      area: { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length },
      colours: this.colours,
    };
  }

  ready(layer) {
    const { slices } = this.lab;
    return SLOTS.every((slot) => layer[slot] === undefined || slices.has(layer[slot]));
  }

  /** Whether a layer never moves with a control: it is drawn once, and again on zoom or theme. */
  still(layer) {
    const { slices } = this.lab;
    const dims = (name) => slices.arrays[slices.real(name)]?.dims ?? [];
    const moves = (name) => typeof name === "string" && dims(name).some((d) => d !== null);
    return !layer.front && !layer.upto && !SLOTS.some((slot) => moves(layer[slot]));
  }

  /** What is drawn: the layers, and under them what was pinned. */
  shown() {
    return [...this.lab.pin.layers(this.spec), ...this.spec.layers];
  }

  surfaces(fresh, width, height) {
    const layers = this.spec.layers.filter((layer) => layer.kind !== "handle");
    const found = {};
    const moving = layers.filter((layer) => !this.still(layer));
    if (fresh || moving.some((layer) => UNDER.has(layer.kind))) found.under = fit(this.under, width, height);
    if (fresh || moving.some((layer) => !UNDER.has(layer.kind))) found.over = fit(this.over, width, height);
    if (fresh) found.still = fit(this.stillCanvas, width, height);
    return found;
  }

  draw() {
    if (!this.visible || this.root.offsetParent === null) return;
    if (this.spec.kind === "mosaic") return this.drawTiles();
    const env = this.env();
    if (!env) return;
    const { clientWidth: width, clientHeight: height } = this.wrap;
    const fresh = this.drawn === null;
    this.drawn = true;
    const surfaces = this.surfaces(fresh, width, height);
    for (const ctx of Object.values(surfaces)) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(env.area.left, env.area.top, env.area.width, env.area.height);
      ctx.clip();
    }
    for (const layer of this.shown()) {
      const where = layer.ghost ? "still" : UNDER.has(layer.kind) ? "under" : this.still(layer) ? "still" : "over";
      if (surfaces[where] && this.ready(layer)) LAYERS[layer.kind](surfaces[where], layer, env);
    }
    for (const ctx of Object.values(surfaces)) ctx.restore();
    if (fresh && this.spec.kind === "map") {
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
    const used = this.paintTiles(fit(this.tiles, width, height), width, height);
    this.wrap.style.maxHeight = `${Math.ceil(used)}px`; // narrow: no empty room under small pictures
  }

  paintTiles(ctx, width, height) {
    const { tiles, still, columns, range, captions = [], rows: heads = [], shape } = this.spec;
    const moving = this.lab.slices.get(tiles);
    const values = joined(still ? this.lab.slices.get(still) : [], moving);
    const [h, w] = shape;
    const n = values.length / (h * w);
    const rows = Math.ceil(n / columns);
    const foot = heads.length && captions.length ? 18 : 0; // named rows: captions once, under the columns
    const label = captions.length && !foot ? 18 : 0;
    const side = heads.length ? 62 : 0;
    const gap = heads.length ? 4 : 8;
    const across = (width - side - gap * (columns - 1)) / columns;
    const size = Math.min(across, (height - foot - rows * (label + gap)) / rows);
    const left = side + (width - side - columns * size - gap * (columns - 1)) / 2;
    if (!this.tile || this.tile.width !== w || this.tile.height !== h) {
      this.tile = document.createElement("canvas");
      this.tile.width = w;
      this.tile.height = h;
      this.pixels = this.tile.getContext("2d").createImageData(w, h);
    }
    ctx.imageSmoothingEnabled = false;
    ctx.font = "12px system-ui, sans-serif";
    ctx.textAlign = "center";
    for (let k = 0; k < n; k++) {
      this.shadeTile(values, k * h * w, range);
      const x = left + (k % columns) * (size + gap);
      const y = Math.floor(k / columns) * (size + label + gap);
      ctx.drawImage(this.tile, x, y, size, size);
      ctx.strokeStyle = this.colours.grid;
      ctx.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
      ctx.fillStyle = this.colours.faint;
      const named = captions[foot ? k - (n - columns) : k];
      if (named !== undefined) ctx.fillText(named, x + size / 2, y + size + 13);
    }
    ctx.textAlign = "right";
    for (const [row, head] of heads.entries()) ctx.fillText(head, left - 8, row * (size + gap) + size / 2 + 4);
    ctx.textAlign = "start";
    return foot + rows * (across + label + gap);
  }

  shadeTile(values, start, [low, high]) {
    const { data } = this.pixels;
    const factor = 255 / (high - low);
    for (let i = 0; i < data.length / 4; i++) {
      const ink = (values[start + i] - low) * factor;
      const v = this.colours.dark ? ink : 255 - ink;
      data[4 * i] = data[4 * i + 1] = data[4 * i + 2] = v;
      data[4 * i + 3] = 255;
    }
    this.tile.getContext("2d").putImageData(this.pixels, 0, 0);
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
      knob.style.left = `${env.x(origin[0] + this.lab.value(layer.x))}px`;
      knob.style.top = `${env.y(origin[1] + this.lab.value(layer.y))}px`;
    }
    if (!wanted.length) for (const knob of this.handles.values()) knob.remove();
    if (!wanted.length) this.handles.clear();
  }

  knob(layer) {
    const made = element("button", "dp-knob");
    made.type = "button";
    made.setAttribute("aria-label", `${layer.label}: drag, or use the arrow keys`);
    const move = (event) => {
      const env = this.env();
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
      const step = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", 1], ArrowDown: ["y", -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const name = made.layer[step[0]];
      this.lab.step(name, step[1]);
      this.lab.moved(name, "key");
    });
    return made;
  }

  async saveAs(kind) {
    const name = this.lab.fileName(this.spec.key);
    if (this.spec.kind === "mosaic") {
      save(await this.tilesPng(), `${name}.png`);
      return;
    }
    const svg = await plotSvg(this, this.env(), this.plotly);
    const { clientWidth: width, clientHeight: height } = this.wrap;
    if (kind === "svg") save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
    else save(await toPng(svg, width, height), `${name}.png`);
  }

  /** The pictures at twice the size, on the ground they are seen on. */
  tilesPng() {
    const { clientWidth: width, clientHeight: height } = this.wrap;
    const target = document.createElement("canvas");
    target.width = 2 * width;
    target.height = 2 * height;
    const ctx = target.getContext("2d");
    ctx.scale(2, 2);
    ctx.fillStyle = this.colours.ground;
    ctx.fillRect(0, 0, width, height);
    this.paintTiles(ctx, width, height);
    return new Promise((resolve) => target.toBlob(resolve, "image/png"));
  }

  /** Keep the pictures of now as B beside the next. */
  keepPicture() {
    this.dropPicture();
    if (this.spec.kind !== "mosaic" || !this.visible || this.root.offsetParent === null) return;
    const copy = canvas("dp-copy");
    copy.width = this.tiles.width;
    copy.height = this.tiles.height;
    copy.getContext("2d").drawImage(this.tiles, 0, 0);
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
