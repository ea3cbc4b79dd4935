// The script of a page with an early figure, in the page itself. On a phone the figure comes first, then Streamlit;
// elsewhere Streamlit begins at once, as in a page without one. What ends the figure is in assets/live/frame/early.js.

(() => {
  const PATIENCE = 5000; // milliseconds that Streamlit waits for the files of the figure, and then for its drawing
  const QUIET = 800; // milliseconds without a touch after which Streamlit begins, which takes the processor,
  const MOST = 3000; // and at most that long after the figure was drawn
  const early = document.getElementById("dp-early");
  const root = document.getElementById("root");
  const later = document.getElementById("dp-later");
  const begin = () => {
    document.head.append(document.importNode(later.content, true));
    later.remove();
  };
  // Streamlit's parts start one after the other, so that a hand on the figure need not wait for all of them.
  const inParts = async () => {
    for (const link of later.content.querySelectorAll("[rel=modulepreload]")) {
      await import(new URL(link.getAttribute("href"), document.baseURI)).catch(() => {});
      await new Promise((next) => setTimeout(next));
    }
    begin();
  };
  const came = performance.getEntriesByType("navigation")[0]?.type;
  const small = matchMedia("(max-width: 760px)").matches && !navigator.connection?.saveData;
  if (!small || came === "back_forward" || location.hash) {
    early.remove();
    return begin();
  }
  let begun = false;
  const once = (how = begin) => {
    if (!begun) how();
    begun = true;
  };
  try {
    const theme = JSON.parse(localStorage.getItem(`stActiveTheme-${location.pathname}-v2`));
    if (theme === "Light" || theme === "Dark") early.dataset.theme = theme.toLowerCase();
  } catch {
    // none is chosen
  }
  early.hidden = false;
  root.inert = true;
  const add = (tag, given) => document.head.append(Object.assign(document.createElement(tag), given));
  const { modules, message, files } = early.dataset;
  for (const href of [message, ...files.split(" ")]) {
    if (href) add("link", { rel: "preload", as: "fetch", href, crossOrigin: "anonymous" });
  }
  const failed = () => {
    early.remove();
    root.inert = false;
    once();
  };
  add("script", { type: "module", src: modules, fetchPriority: "high", onerror: failed });
  early.addEventListener("fetched", () => {
    clearTimeout(timer);
    timer = setTimeout(() => once(), PATIENCE);
    // The line is free: Streamlit's scripts come while the figure is drawn, and are not looked at yet.
    for (const { src, href = src } of later.content?.querySelectorAll("script, [rel=modulepreload]") ?? []) {
      add("link", { rel: "preload", as: "script", href, crossOrigin: "anonymous", fetchPriority: "low" });
    }
  });
  early.addEventListener("drawn", () => {
    clearTimeout(timer);
    const drawn = performance.now();
    let touched = drawn;
    const touch = () => {
      touched = performance.now();
    };
    for (const kind of ["pointerdown", "keydown", "input"]) early.addEventListener(kind, touch, { passive: true });
    const look = () => {
      const now = performance.now();
      if (now - touched > QUIET || now - drawn > MOST) once(inParts);
      else setTimeout(look, 100);
    };
    look();
  });
  early.addEventListener("failed", failed);
  let timer = setTimeout(() => once(), PATIENCE);
})();
