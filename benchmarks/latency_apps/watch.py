"""JavaScript that records in the browser when our figures, and stock Plotly charts, are drawn."""

from __future__ import annotations

__all__ = ["STOCK", "WATCH"]


# Hash of the pixels of a panel: the picture, not a counter.
WATCH = """
([name, asks, panel]) => {
  const entry = window.__dpLive[name];
  const state = { waits: [], start: null };
  window.__watch = state;
  const input = (event) => { if (state.start === null) state.start = event.timeStamp; };
  for (const kind of ["input", "keydown"]) document.addEventListener(kind, input, true);
  // What lies under the marks, as a field of probabilities, and the marks.
  const canvases = [...document.querySelectorAll(`.dp-panel[data-panel='${panel}'] canvas`)];
  const peek = () => {
    let h = 0;
    for (const canvas of canvases) {
      const d = canvas.getContext("2d", { willReadFrequently: false })
        .getImageData(0, 0, canvas.width, canvas.height).data;
      for (let i = 3; i < d.length; i += 97) h = (h * 31 + d[i] + d[i - 3]) | 0;
    }
    return h;
  };
  let last = null;
  let newest = 0;
  const asked = new Map();  // events under way to Python: number -> time of the input they carry
  for (const kind of ["input", "keydown"])
    document.addEventListener(kind, (event) => { newest = event.timeStamp; }, true);
  const shown = (from) => {
    const channel = new MessageChannel();  // runs after this frame has been handed over
    channel.port1.onmessage = () => state.waits.push(performance.now() - from);
    channel.port2.postMessage(0);
  };
  entry.listen((what, { seq: number, phase }) => {
    if (what === "sent") {
      if (phase === "drag") asked.set(number, newest);
      return;
    }
    const now = peek();
    const changed = now !== last;
    last = now;
    for (const [seq, from] of asked) {
      if (number < seq) continue;
      asked.delete(seq);
      if (asks && changed) shown(from);
    }
    if (!asks && changed && state.start !== null) shown(state.start);
    state.start = null;
  });
}
"""


STOCK = """
() => {
  const state = { waits: [], start: null };
  window.__watch = state;
  const pressed = (event) => { if (state.start === null) state.start = event.timeStamp; };
  document.addEventListener("keydown", pressed, true);
  let last = null;
  const look = () => {
    const title = document.querySelector(".js-plotly-plot .gtitle")?.textContent ?? null;
    if (title !== null && title !== last) {
      if (last !== null && state.start !== null) {
        state.waits.push(performance.now() - state.start);
        state.start = null;
      }
      last = title;
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
