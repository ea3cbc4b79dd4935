// As much of a browser's page as the figure touches: elements that remember, observers and frames that are fired by hand.

class Classes {
  names = new Set();
  add(name) {
    this.names.add(name);
  }
  contains(name) {
    return this.names.has(name);
  }
  toggle(name, on = !this.names.has(name)) {
    if (on) this.names.add(name);
    else this.names.delete(name);
    return on;
  }
}

/** A drawing context that counts what is called, and takes any setting. */
function surface() {
  const calls = {};
  const pixels = (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) });
  const known = {
    calls,
    createImageData: pixels,
    getImageData: (_x, _y, w, h) => pixels(w, h),
    measureText: (text) => ({ width: 7 * text.length }),
  };
  return new Proxy(known, {
    get: (target, name) =>
      name in target
        ? target[name]
        : (...given) => {
            calls[name] = [...(calls[name] ?? []), given];
          },
  });
}

export class Element {
  nodes = [];
  classList = new Classes();
  attributes = {};
  dataset = {};
  listeners = {};
  parentElement = null;
  hidden = false;
  clientWidth = 400;
  clientHeight = 300;
  style = { setProperty: (name, value) => (this.style[name] = value) };

  constructor(tag) {
    this.tag = tag;
    if (tag === "output") this.htmlFor = new Classes();
    if (tag === "input" || tag === "output") this.value = "";
  }
  set className(names) {
    for (const name of names.split(" ")) this.classList.add(name);
  }
  get children() {
    return this.nodes.filter((node) => node instanceof Element);
  }
  get lastChild() {
    return this.nodes.at(-1) ?? null;
  }
  get textContent() {
    return this.nodes.map((node) => node.textContent ?? node).join("");
  }
  set textContent(text) {
    this.nodes = text === "" ? [] : [String(text)];
  }
  getRootNode() {
    return this.parentElement?.getRootNode() ?? this;
  }
  get isConnected() {
    return this === document.body || (this.parentElement?.isConnected ?? false);
  }
  get offsetParent() {
    return this.hidden ? null : this.parentElement && (this.parentElement.offsetParent ?? document.body);
  }
  adopt(nodes, place) {
    for (const node of nodes) {
      node.remove?.();
      if (node instanceof Element) node.parentElement = this;
    }
    this.nodes.splice(place, 0, ...nodes);
  }
  get parentNode() {
    return this.parentElement;
  }
  insertBefore(node, next) {
    node.remove();
    this.adopt([node], next ? this.nodes.indexOf(next) : this.nodes.length);
  }
  append(...nodes) {
    this.adopt(nodes, this.nodes.length);
  }
  prepend(...nodes) {
    this.adopt(nodes, 0);
  }
  after(...nodes) {
    this.parentElement.adopt(nodes, this.parentElement.nodes.indexOf(this) + 1);
  }
  replaceChildren(...nodes) {
    for (const child of this.children) child.remove();
    this.nodes = [];
    this.append(...nodes);
  }
  remove() {
    if (this.parentElement) this.parentElement.nodes = this.parentElement.nodes.filter((node) => node !== this);
    this.parentElement = null;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  removeAttribute(name) {
    delete this.attributes[name];
  }
  addEventListener(type, listener) {
    this.listeners[type] = [...(this.listeners[type] ?? []), listener];
  }
  /** Something happens to it. */
  fire(type, event = {}) {
    for (const listener of this.listeners[type] ?? []) listener({ preventDefault() {}, ...event });
  }
  click() {
    if (this.tag === "a") document.downloads.push(this.download);
    this.fire("click");
  }
  focus() {
    document.activeElement = this;
  }
  showModal() {
    this.open = true;
  }
  close() {
    this.open = false;
    this.fire("close");
  }
  setPointerCapture() {}
  reportValidity() {
    return this.valid ?? true;
  }
  contains(node) {
    return node === this || this.all().includes(node);
  }
  querySelector() {
    return this.children.find((node) => !node.hidden) ?? null;
  }
  getBoundingClientRect() {
    return { left: 10, top: 20, width: this.clientWidth, height: this.clientHeight };
  }
  getContext() {
    this.context ??= surface();
    return this.context;
  }
  toBlob(done) {
    done(this.fails ? null : new Blob(["png"]));
  }
  toDataURL() {
    return "data:image/png;base64,";
  }
  /** All elements in it, of a class when one is given. */
  all(name) {
    const inside = this.children.flatMap((child) => [child, ...child.all()]);
    return name ? inside.filter((node) => node.classList.contains(name)) : inside;
  }
  /** The button that is called so. */
  button(name) {
    return this.all().find(
      (node) => node.tag === "button" && [node.attributes["aria-label"], node.textContent].includes(name),
    );
  }
}

/** A question about the screen; `turn` answers it anew. */
class Query {
  matches = false;
  heard = new Set();
  addEventListener(_kind, listener) {
    this.heard.add(listener);
  }
  removeEventListener(_kind, listener) {
    this.heard.delete(listener);
  }
  turn(matches) {
    this.matches = matches;
    for (const listener of this.heard) listener();
  }
}

/** An empty page, in place of the globals of a browser. */
export function page() {
  const body = new Element("body");
  const head = new Element("head");
  const make = (tag) => new Element(tag);
  const root = new Element("window");
  const observers = [];
  class Observer {
    constructor(seen) {
      this.seen = seen;
      observers.push(this);
    }
    observe() {}
    disconnect() {
      observers.splice(observers.indexOf(this), 1);
    }
  }
  const frames = [];
  const saved = [];
  const media = {};
  Object.assign(globalThis, {
    document: {
      body,
      documentElement: new Element("html"),
      head,
      downloads: [],
      createElement: make,
      createElementNS: (_space, tag) => make(tag),
      addEventListener: (kind, heard) => body.addEventListener(kind, heard),
      querySelectorAll: () => [],
      querySelector: () => null,
    },
    window: {},
    ResizeObserver: class extends Observer {},
    IntersectionObserver: class extends Observer {},
    MutationObserver: class {
      observe() {}
      disconnect() {}
    },
    ShadowRoot: class {},
    Image: class {
      async decode() {}
    },
    requestAnimationFrame: (draw) => frames.push(draw),
    location: { host: "dp.example", pathname: "/budget" },
    getComputedStyle: () => ({ backgroundColor: "rgb(255, 255, 255)", getPropertyValue: () => " #4f46e5 " }),
    matchMedia: (query) => (media[query] ??= new Query()),
    addEventListener: (type, listener) => root.addEventListener(type, listener),
    removeEventListener: (type, listener) => {
      root.listeners[type] = (root.listeners[type] ?? []).filter((known) => known !== listener);
    },
  });
  URL.createObjectURL = (blob) => saved.push(blob) && "blob:saved";
  URL.revokeObjectURL = () => {};
  return {
    body,
    head,
    root,
    observers,
    saved,
    /** The next frame is drawn. */
    frame: () => {
      for (const draw of frames.splice(0)) draw();
    },
  };
}
