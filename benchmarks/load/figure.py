"""Simulated figure that replies to the server as `assets/live/data/protocol.js` does, without drawing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from benchmarks.load.fetch import Server
from benchmarks.load.glances import Glances

__all__ = ["LiveFigure"]

TICK, ASK, LOST, SLOW, SELDOM = 0.4, 0.4, 1.5, 12.0, 2.0  # seconds, as in timeouts.js
NEWS, SAME = 1.25, 1.5  # how much slower from tick to tick


class LiveFigure:
    """State of one figure as in a browser, with the events that it sends to the server.

    Parameters
    ----------
    server : Server
        The server, for polling the status route.
    send : callable
        Function that sends an event, called with the figure and the event.
    fetch : callable
        Function that fetches array files. It is called with the files and a callback for their arrival or
        failure.
    held : dict
        Digests of the arrays that the browser has; shared by all figures of the page.
    """

    def __init__(
        self,
        server: Server,
        send: Callable[[LiveFigure, dict[str, Any]], None],
        fetch: Callable[[list[dict[str, Any]], Callable[[], None]], None],
        held: dict[str, None],
    ) -> None:
        self.widget = self.fragment = ""
        self.controls: list[dict[str, Any]] = []
        self.values: dict[str, Any] = {}
        self.sent = self.answered = self.ticks = self.glances = self.resent = 0
        self.parts = self.part_bytes = 0  # pictures drawn anew, and what they weighed
        self.tabs: list[str] = []
        self.tab = ""
        self.near: list[str] = []  # controls that a hand came near
        self.ready = self.busy = self.touching = False
        self.glancing = True  # where the server offers it
        self._incomplete, self._whole, self._pause = 0, -1, TICK
        self._phase = ""
        self._begun = self._took = 0.0
        self._waiting: str | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._send, self._fetch, self._held = send, fetch, held
        self._line, self._news = Glances(server), ""
        self._glance: asyncio.Task[None] | None = None

    def receive(self, data: dict[str, Any], size: int = 0) -> None:
        """Fetch the array files that a message needs and that are missing, then process the message."""
        if "same" not in data:
            self.parts, self.part_bytes = self.parts + 1, self.part_bytes + size
        lacking = [
            file
            for file in data.get("files", [])
            if file["purpose"] == "" and not self._held.keys() >= set(file["ids"])
        ]
        if lacking:
            self._call("lost", None, lambda: None)  # it is here
            self._fetch(lacking, lambda: self._take(data))
        else:
            self._take(data)

    def _take(self, data: dict[str, Any]) -> None:
        """Process a message as `protocol.js` and `main.js` do, but without drawing."""
        if data["seq"] < self.answered:
            return
        if self.owed and data["seq"] >= self.sent:
            self._took = time.perf_counter() - self._begun
        self.answered = data["seq"]
        self.sent = max(self.sent, self.answered)
        same = "same" in data
        if self._whole != data["same"] if same else self._missing(data):
            self._incomplete += 1
            again = self._incomplete - 2
            self._call("ask", 0 if again < 0 else ASK * 2 ** min(again, 4), self._ask)
            return
        self._incomplete, self.busy, self._news = 0, bool(data["busy"]), data.get("news", "")
        if not same:
            self._draw(data)
        slower = min(self._pause * (SAME if same else NEWS), SELDOM)
        self._pause = slower if self._phase == "tick" else TICK
        self._call("tick", self._pause if self.busy else None, self._again)
        waiting, self._waiting = self._waiting, None
        if waiting:
            self.tell(waiting)

    def _draw(self, data: dict[str, Any]) -> None:
        if not self.touching and not self.owed:
            self.values = data["values"]
        self.controls, self.ready, self._whole = data["controls"], True, data["seq"]
        named = data.get("tabs", ())
        self.tabs = list(dict.fromkeys([*named, *(p["tab"] for p in data["panels"] if p["tab"])]))
        if self.tab not in self.tabs:
            self.tab = self.tabs[0] if self.tabs else ""

    @property
    def owed(self) -> bool:
        """Whether an event was sent that the server has not answered yet."""
        return self.answered < self.sent

    def _missing(self, data: dict[str, Any]) -> bool:
        for spec in data["arrays"].values():
            if "data" in spec:
                self._held[spec["id"]] = None
        later = {key for file in data["files"] if file["purpose"] for key in file["ids"]}
        return any(spec["id"] not in self._held.keys() | later for spec in data["arrays"].values())

    def tell(self, phase: str, again: int = 0) -> None:
        """Send an event to the server, or keep it until the previous event is answered.

        Only the newest event is kept.

        ``again`` counts how often the event was sent before without an answer.
        """
        if self.owed and not again:
            self._waiting = phase
            return
        self.sent, self._phase = self.sent + 1, phase
        self._begun = self._begun if again else time.perf_counter()
        patience = max(LOST, min(3 * self._took, SLOW))
        wait = min(patience * 2**again, LOST * 2**4)
        self._call("lost", wait, lambda: self._late(phase, again))
        event = {
            "seq": self.sent, "phase": phase, "action": None, "values": self.values,
            "near": self.near, **({"tab": self.tab} if self.tab else {}),
        }  # fmt: skip
        self._send(self, {"event": {**event, "held": list(self._held)[-500:], "wanted": []}})

    def _call(self, name: str, wait: float | None, call: Callable[[], None]) -> None:
        """Set the timer ``name`` to call a function after ``wait`` seconds; None stops the timer."""
        before = self._timers.pop(name, None)
        if before is not None:
            before.cancel()
        if wait is not None:
            self._timers[name] = asyncio.get_running_loop().call_later(wait, call)

    async def close(self) -> None:
        """Stop all timers and close the connection, so that no more events are sent."""
        for timer in self._timers.values():
            timer.cancel()
        if self._glance is not None:
            self._glance.cancel()
            await asyncio.gather(self._glance, return_exceptions=True)
        self._line.close()

    def _ask(self) -> None:
        if not self.owed:
            self.tell("missing")

    def _again(self) -> None:
        if self.owed or self.touching:
            return
        if self._news and self.glancing:
            self._glance = asyncio.create_task(self._look(self.answered))
        else:
            self.ticks += 1
            self.tell("tick")

    async def _look(self, answered: int) -> None:
        """Poll the status route, and ask the page for an update if there is one.

        Do nothing if the server has answered another event since ``answered``.
        """
        self.glances += 1
        news = await self._line.news(self._news)
        if self.owed or self.touching or self.answered != answered:
            return
        if news:
            self.ticks += 1
            self.tell("tick")
        else:
            self._pause = min(self._pause * SAME, SELDOM)
            self._call("tick", self._pause, self._again)

    def _late(self, phase: str, again: int) -> None:
        if self.owed:
            self.resent += 1
            self.tell(phase, again + 1)
