// The live figure as a widget of a notebook. What the browser draws moves without the kernel; what Python draws is
// asked of the kernel, whose answers come as bytes beside their message.

import { bodies, decode } from "../live/data/decode.js";
import { unzipped } from "../live/data/packed.js";
import { keep } from "../live/data/slices.js";
import { element } from "../live/draw/dom.js";
import { LiveFigure } from "../live/frame/figure.js";
import { listen } from "../live/frame/terms.js";
import { surfaceOf } from "../live/frame/test_surface.js";
import { GROUNDS, groundBehind, isDark, onTheme } from "./ground.js";

/** @import { FileSpec, Message, SameMessage, SentEvent, Values } from "../live/types.d.ts" */

/**
 * The model of a widget, as anywidget passes it.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(name: string, hear: (...given: any[]) => void) => void} on
 * @property {(name: string, hear: (...given: any[]) => void) => void} off
 */

/**
 * A figure as Python describes it. `asks`: whether Python answers anything; `silent`: what is said when it does not;
 * `files` hold their bytes, or the number of a buffer.
 * @typedef {object} Opening
 * @property {Message & { files: PackedFile[] }} message
 * @property {string[]} notes
 * @property {string} silent
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} asks
 */

/** @typedef {FileSpec & { packed: DataView | number }} PackedFile */

const HIDDEN = 500; // milliseconds until the theme of a figure out of view is looked at again
const PATIENCE = 4000; // milliseconds until a reader is told that the kernel is silent

/**
 * Keep the arrays of files whose bytes came with a message (gzip).
 * @param {PackedFile[]} files
 * @param {DataView[]} buffers
 */
export async function unpack(files, buffers = []) {
  for (const { packed, ids } of files) {
    const view = typeof packed === "number" ? buffers[packed] : packed;
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
    bodies(await unzipped(new Blob([bytes]).stream()).arrayBuffer()).forEach((body, i) => {
      keep(ids[i], decode(body));
    });
  }
}

/**
 * Whether two sets of values are equal.
 * @param {Values} one
 * @param {Values} other
 */
export function alike(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * Return the name of a figure, with a number where another one has it.
 * @param {string} name
 */
function freeName(name) {
  window.__dpLive ??= {};
  let [free, count] = [name, 1];
  while (free in window.__dpLive) {
    count += 1;
    free = `${name}-${count}`;
  }
  return free;
}

/** One view of a widget. */
export class NotebookFigure {
  /**
   * @param {Model} model
   * @param {HTMLElement} place
   */
  constructor(model, place) {
    this.model = model;
    this.place = place;
    this.view = Math.random().toString(36).slice(2);
    /** @type {LiveFigure | null} */
    this.figure = null;
    /** @type {Opening} */
    this.opening = model.get("_opening");
    this.name = freeName(this.opening.message.name);
    this.gone = false;
    /** @type {Message["busy"]} */
    this.busy = null;
    this.notes = element("div");
    this.silence = element("p", "dp-notebook-note", this.opening.silent);
    this.silence.hidden = true;
    this.silence.setAttribute("role", "status");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.patience = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    /** @type {Promise<void>} messages in their order: their arrays are unpacked first */
    this.line = Promise.resolve();
  }

  /** Draw the figure, then at the values that the kernel, or another view, has set since. */
  async open() {
    const { model, place, opening } = this;
    place.classList.add("dp-notebook");
    place.addEventListener("focusin", ({ target }) => {
      // JupyterLab's keys move its cells otherwise; it looks at the element that has the focus alone.
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    });
    place.append(this.notes, this.silence);
    await this.shown();
    this.unwatch = onTheme(() => this.under());
    listen();
    await unpack(opening.message.files);
    if (this.gone) return;
    const data = { ...opening.message, name: this.name, files: [] };
    this.figure = new LiveFigure(place, data);
    /** @type {Record<string, unknown>} */ (window.__dpLive)[this.name] = surfaceOf(this.figure);
    this.say(opening.notes);
    this.hearing = (/** @type {any} */ content, /** @type {DataView[]} */ buffers) => {
      this.line = this.line.then(() => this.answer(content, buffers));
    };
    this.changed = () => this.adopt(model.get("values"));
    model.on("msg:custom", this.hearing);
    model.on("change:values", this.changed);
    await this.render(data);
    this.adopt(model.get("values"));
  }

  /** Wait until the place is in view; take the colours behind it now, and whenever it comes back. */
  shown() {
    return new Promise((done) => {
      this.sight = new ResizeObserver(() => {
        if (!this.place.clientWidth) return;
        done(this.under());
        this.figure?.connection.follow(); // a cell out of view may be out of the page, and its timers end there
      });
      this.sight.observe(this.place);
    });
  }

  /** Take the colours behind the figure. */
  under() {
    const { place, opening } = this;
    clearTimeout(this.later);
    if (!place.clientWidth) {
      if (!this.gone) this.later = setTimeout(() => this.under(), HIDDEN); // panels would be drawn without a size
      return;
    }
    const ground = opening.theme === "auto" ? groundBehind(place) : GROUNDS[opening.theme];
    place.style.setProperty("--dp-under", ground);
    place.dataset.theme = isDark(ground) ? "dark" : "light";
    this.figure?.turn();
  }

  /** @param {Message | SameMessage} data */
  render(data) {
    const setStateValue = (/** @type {string} */ _, /** @type {SentEvent} */ event) => this.hear(event);
    return this.figure?.render({ parentElement: this.place, data, setStateValue });
  }

  /** @param {string[]} notes */
  say(notes) {
    const shown = notes.map((note) => element("p", "dp-notebook-note", note));
    for (const one of shown) one.setAttribute("role", "note");
    this.notes.replaceChildren(...shown);
  }

  /**
   * Take an answer of the kernel to this view.
   * @param {{ view: string, notes: string[], message: Message & { files: PackedFile[] } | SameMessage }} content
   * @param {DataView[]} buffers
   */
  async answer({ view, notes, message }, buffers) {
    if (view !== this.view || this.gone) return;
    clearTimeout(this.patience);
    this.silence.hidden = true;
    this.busy = message.busy;
    if ("same" in message) return this.render({ ...message, name: this.name });
    this.say(notes);
    await unpack(message.files, buffers);
    await this.render({ ...message, name: this.name, files: [] });
  }

  /**
   * Pass an event on. What the browser has drawn alone is answered here: nothing waits for the kernel.
   * @param {SentEvent} event
   */
  hear(event) {
    const { model, opening } = this;
    const { phase, action, values, seq } = event;
    if (phase === "commit" && !alike(values, model.get("values"))) {
      model.set("values", { ...values });
      model.save_changes();
    }
    if (action === "reset" && !opening.asks) this.back(seq);
    else if (!opening.asks || (phase === "commit" && this.isLocal(values))) this.same(seq);
    if (!opening.asks) return;
    model.send({ view: this.view, event });
    if (!this.silence.hidden || phase === "drag") return;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.silence.hidden = false;
    }, PATIENCE);
  }

  /**
   * Whether values differ from those of the last answer in controls alone that the browser follows.
   * @param {Values} values
   */
  isLocal(values) {
    const { data, specs } = /** @type {LiveFigure} */ (this.figure);
    const moved = Object.keys(values).filter((name) => values[name] !== data.values[name]);
    return moved.every((name) => specs.get(name)?.mode === "local");
  }

  /**
   * Answer an event: the figure stays as it is.
   * @param {number} seq
   */
  same(seq) {
    const { session, modules } = this.opening.message;
    const whole = this.figure?.whole ?? 0;
    setTimeout(() => this.render({ same: whole, busy: this.busy, name: this.name, seq, session, modules, news: "" }));
  }

  /**
   * Answer the button Reset of a figure without Python.
   * @param {number} seq
   */
  back(seq) {
    const { message } = this.opening;
    setTimeout(() => {
      this.render({ ...message, name: this.name, files: [], seq });
      this.model.set("values", { ...message.values });
      this.model.save_changes();
    });
  }

  /**
   * Move the handles to values that were set in Python or in another view; a hand that holds one goes before.
   * @param {Values} values
   */
  adopt(values) {
    const { figure } = this;
    if (!figure?.ready || figure.connection.protocol.hand !== "free") return;
    const moved = [...figure.specs.keys()].filter((name) => name in values && values[name] !== figure.values[name]);
    for (const name of moved) figure.moves.set(name, values[name]);
    if (moved.length) figure.moves.moved(moved[moved.length - 1], "commit");
  }

  remove() {
    this.gone = true;
    clearTimeout(this.patience);
    clearTimeout(this.later);
    this.sight?.disconnect();
    this.unwatch?.();
    if (this.hearing) this.model.off("msg:custom", this.hearing);
    if (this.changed) this.model.off("change:values", this.changed);
    this.figure?.remove();
    if (this.figure) delete window.__dpLive?.[this.name];
  }
}

/** What anywidget calls for each view. */
export const widget = {
  /** @param {{ model: Model, el: HTMLElement }} view */
  render({ model, el }) {
    const place = element("div");
    el.append(place);
    const shown = new NotebookFigure(model, place);
    shown.open().catch((error) => {
      place.textContent = `The figure could not be drawn: ${error.message}`;
    });
    return () => shown.remove();
  },
};
