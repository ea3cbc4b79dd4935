"""Record of a page in Chromium: bytes transferred while it opens, and when its figure is drawn."""

from __future__ import annotations

import base64
import json
import re
import time
import zlib
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, CDPSession
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

__all__ = ["WATCH", "Trace"]

_QUIET = 1.0  # seconds without a message and without work, after which a page has settled
WATCH = """
(() => {
  const seen = (window.__opened = { first: null, page: null, busy: 0 });
  const look = () => {
    const figures = Object.values(window.__dpLive ?? {});
    const stock = document.querySelector(".js-plotly-plot .scatterlayer path");
    const drawn = stock || figures.some((entry) => entry.stats.draws > 0);
    if (seen.first === null && drawn) seen.first = performance.now();
    const early = document.getElementById("dp-early"); // the figure is there, and its page is not
    if (seen.page === null && drawn && !early) seen.page = performance.now();
    if (document.querySelector(".dp-busy.dp-on")) seen.busy = performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()
"""
_IDLE = """
() => !document.querySelector(".dp-busy.dp-on")
  && Object.values(window.__dpLive ?? {}).every((entry) => !entry.stats.waiting)
"""
_UNSEEN = ("hidden", "disabled", "more", "play")
_OURS = {"plotly.js": r"/app/static/plotly-", "modules": r"/app/static/", "arrays": r"/arrays/"}


class Trace:
    """Recorder of the bytes that a page transfers in a browser.

    Parameters
    ----------
    context : playwright.sync_api.BrowserContext
        Context of the page; a new one has an empty cache, as at a first visit.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.page = context.new_page()
        self.page.add_init_script(WATCH)
        self._session: CDPSession = context.new_cdp_session(self.page)
        self._session.send("Network.enable")
        for name, heard in {
            "webSocketFrameReceived": self._received,
            "webSocketFrameSent": self._sent,
            "webSocketHandshakeResponseReceived": self._agreed,
            "responseReceived": lambda event: self._urls.update(
                {event["requestId"]: event["response"]["url"]}
            ),
            "loadingFinished": self._loaded,
        }.items():
            self._session.on(f"Network.{name}", heard)
        self.handles: dict[str, str] = {}  # what a reader sees: its name, who draws it
        self._packer: Any = None
        self._purposes: dict[str, str] = {}  # of files of arrays, by their paths
        self.clear()

    def clear(self) -> None:
        """Reset all counts."""
        self.socket: Counter[str] = Counter()
        self.arrays: Counter[str] = Counter()
        self.files: Counter[str] = Counter()
        self.messages, self.script, self.travelled = 0, 0.0, 0
        self._urls: dict[str, str] = {}
        self._asked: float | None = None
        self._running = False
        self._last = time.monotonic()

    def open(self, url: str, bound: float, *, again: bool = False) -> dict[str, Any]:
        """Open (or reload) a page and wait until it has settled; return times and bytes."""
        self.clear()
        if again:
            self.page.reload(wait_until="commit")
        else:
            self.page.goto(url, wait_until="commit")
        settled = self.settle(bound)
        seen = self.page.evaluate("window.__opened")
        ends = max(seen["first"] or 0, seen["busy"])
        return {
            "script_ms": round(1000 * self.script),
            "first_ms": seen["first"] and round(seen["first"]),
            "complete_ms": round(ends) if settled else None,
            **self.weight(),
        }

    def weight(self) -> dict[str, Any]:
        """Return the bytes received so far: by purpose for the WebSocket, and by kind for files."""
        ours = self.files["modules"] + self.files["arrays"]
        later = self.files["arrays of a tab"] + self.files["arrays of a preview"]
        return {
            "socket": dict(self.socket),
            "files": dict(self.files),
            "largest_arrays": dict(self.arrays.most_common(3)),
            "messages": self.messages,
            "first_kb": round((self.travelled + ours) / 1000),
            "kb": round((self.travelled + ours + later) / 1000),
        }

    def settle(self, bound: float) -> bool:
        """Wait until nothing is transferred or computed; return whether this happened within ``bound`` seconds."""
        end = time.monotonic() + bound
        while time.monotonic() < end:
            self.page.wait_for_timeout(200)
            drawn = self.page.evaluate("window.__opened?.first ?? null") is not None
            quiet = not self._running and time.monotonic() - self._last > _QUIET
            if drawn and quiet and self.page.evaluate(_IDLE):
                return True
        return False

    def close(self) -> None:
        """Close the page."""
        self.page.close()

    def _loaded(self, event: dict[str, Any]) -> None:
        url = self._urls.get(event["requestId"], "")
        kind = next((name for name, form in _OURS.items() if re.search(form, url)), "streamlit")
        purpose = self._purposes.get(urlsplit(url).path, "")
        kind = f"{kind} of a {purpose.split()[0]}" if purpose else kind
        self.files[kind] += int(event["encodedDataLength"])
        self._last = time.monotonic()

    def _agreed(self, event: dict[str, Any]) -> None:
        """Note whether a new WebSocket compresses its messages, since Chromium reports them uncompressed."""
        told = {name.lower(): value for name, value in event["response"]["headers"].items()}
        agreed = "permessage-deflate" in told.get("sec-websocket-extensions", "")
        self._packer = zlib.compressobj(6, wbits=-15) if agreed else None

    def _sent(self, event: dict[str, Any]) -> None:
        if event["response"]["opcode"] != 2:
            return
        asked = BackMsg()
        asked.ParseFromString(base64.b64decode(event["response"]["payloadData"]))
        if asked.WhichOneof("type") == "rerun_script" and self._asked is None:
            self._asked = event["timestamp"]
        self._last = time.monotonic()

    def _received(self, event: dict[str, Any]) -> None:
        if event["response"]["opcode"] != 2:
            return
        raw = base64.b64decode(event["response"]["payloadData"])
        found = ForwardMsg()
        found.ParseFromString(raw)
        self.messages += 1
        self.travelled += len(raw) if self._packer is None else self._packed(raw)
        self._last = time.monotonic()
        kind = found.WhichOneof("type")
        self._running = kind == "new_session" or (self._running and kind != "script_finished")
        if kind == "script_finished" and not self.script and self._asked:
            self.script = event["timestamp"] - self._asked
        rest = len(raw)
        component = found.delta.new_element.bidi_component
        if component.json:
            rest = self._figure(component, rest)
        words = kind == "delta" and not component.json
        self.socket["figure: specs" if component.json else "words" if words else "other"] += rest

    def _packed(self, raw: bytes) -> int:
        assert self._packer is not None
        return len(self._packer.compress(raw)) + len(self._packer.flush(zlib.Z_SYNC_FLUSH)) - 4

    def _figure(self, component: Any, size: int) -> int:
        """Record the bytes of a figure's message by purpose; return the bytes that are left for its specification."""
        data = json.loads(component.json)
        for spec in data.get("controls", []):
            if spec["kind"] == "slider" and not any(spec[no] for no in _UNSEEN):
                symbol = f"{spec['symbol']}, " if spec["symbol"] else ""
                self.handles[symbol + spec["label"]] = spec["mode"]
        self._purposes.update({file["url"]: file["purpose"] for file in data.get("files", [])})
        for name, spec in data.get("arrays", {}).items():
            self.arrays[name] += len(spec.get("data", ""))
        parts = {
            "figure: arrays": sum(len(s.get("data", "")) for s in data.get("arrays", {}).values()),
            "figure: texts": len(json.dumps(data.get("texts", []), ensure_ascii=False).encode()),
            "figure: code": len(component.js_content) + len(component.css_content),
        }
        self.socket.update(parts)
        return max(0, size - sum(parts.values()))
