"""Simulated finger that drags a slider while its page is opening, and measures when each movement is drawn."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import CDPSession, Page

__all__ = ["FINGER", "HANDLE", "Finger"]

HANDLE = ".dp-control input[type=range]:enabled"
_MOVES = 8  # of a drag, each of a few places
_PAUSE = 0.05  # seconds between them
_WIDTH = 0.4  # of the slider's width that the finger goes
# Each move from when the finger made it, by the system's clock, until a frame with it was handed over.
FINGER = """
(() => {
  const seen = (window.__finger = { begun: null, waits: [], painted: null });
  const ready = () => {
    const figure = Object.values(window.__dpLive ?? {})[0];
    const box = document.querySelector(".dp-control input[type=range]:enabled")?.getBoundingClientRect();
    if (!figure?.stats.draws || !box?.width) return requestAnimationFrame(ready);
    window.fingerSees?.(JSON.stringify({ ...box.toJSON(), now: performance.now() }));
  };
  requestAnimationFrame(ready);
  let from = null;
  const felt = ({ timeStamp, target }) => {
    if (target.type !== "range") return;
    seen.begun ??= timeStamp;
    from ??= timeStamp;
  };
  for (const kind of ["pointerdown", "pointermove"]) addEventListener(kind, felt, { capture: true, passive: true });
  const moved = () => {
    const figure = Object.values(window.__dpLive)[0];
    const [draws, made] = [figure.stats.draws, from ?? performance.now()];
    from = null;
    const look = () => {
      if (figure.stats.draws === draws) return requestAnimationFrame(look);
      seen.painted ??= performance.now();
      seen.waits.push(performance.now() - made);
    };
    requestAnimationFrame(look);
  };
  addEventListener("input", moved, { capture: true, passive: true });
})()
"""


class Finger:
    """Simulated finger on a page into which the script `FINGER` was injected.

    Parameters
    ----------
    page : playwright.sync_api.Page
        The page.
    session : playwright.sync_api.CDPSession
        Browser session of that page before the page is opened.
    """

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page, self._session = page, session
        self._handle = page.locator(HANDLE).first
        self._left: str | None = None
        self._seen: tuple[dict[str, float], float] | None = None
        session.send("Runtime.enable")
        session.send("Runtime.addBinding", {"name": "fingerSees"})
        session.on("Runtime.bindingCalled", self._sees)

    def drag(self, at: float) -> dict[str, float]:
        """Drag the first slider ``at`` seconds after the request; return latencies in ms.

        If this time has passed already, the drag starts at once. The position of the slider is read once. Nothing
        else is requested from the page, since a busy page would delay the finger.

        Raises
        ------
        RuntimeError
            When no movement has reached the page, or no slider appears within a minute.
        """
        end = time.monotonic() + 60
        while self._seen is None:
            if time.monotonic() > end:
                raise RuntimeError("there is no handle to be seen")
            self._page.wait_for_timeout(10)
        box, seen_at = self._seen
        time.sleep(max(at - box["now"] / 1000 - (time.monotonic() - seen_at), 0))
        y, x, width = box["y"] + box["height"] / 2, box["x"], box["width"]
        self._touch("touchStart", (x + 0.3 * width, y))
        for step in range(1, _MOVES + 1):
            time.sleep(_PAUSE)
            self._touch("touchMove", (x + (0.3 + _WIDTH * step / _MOVES) * width, y))
        self._touch("touchEnd")
        self._page.wait_for_timeout(300)
        seen = self._page.evaluate("window.__finger")
        if not seen["waits"]:
            raise RuntimeError(f"a finger at {seen['begun']} ms has moved nothing")
        self._left = self._handle.input_value()
        return {
            "touched": seen["begun"], "painted": seen["painted"],
            "waited": seen["painted"] - seen["begun"], "worst": max(seen["waits"]),
        }  # fmt: skip

    def check(self) -> None:
        """Check that the slider has the value at which the finger released it.

        Do nothing if it was not dragged.

        Raises
        ------
        RuntimeError
            When the slider has another value.
        """
        if self._left not in (None, self._handle.input_value()):
            raise RuntimeError(f"{self._left} was lost: it is {self._handle.input_value()}")

    def _sees(self, told: dict[str, Any]) -> None:
        self._seen = json.loads(told["payload"]), time.monotonic()

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        where: list[dict[str, Any]] = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})
