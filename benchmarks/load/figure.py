"""One live figure of a page, as far as its answers go: the state that `assets/live/main.js` keeps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

__all__ = ["LiveFigure"]

TICK, RESEND = 0.4, 1.5  # seconds, as in main.js


class LiveFigure:
    """What a browser holds of a figure, and what it tells the server.

    Parameters
    ----------
    send : callable
        Takes the figure and the event to send.
    held : dict
        The digests of the arrays that the tab holds; shared by its figures.
    """

    def __init__(
        self, send: Callable[[LiveFigure, dict[str, Any]], None], held: dict[str, None]
    ) -> None:
        self.widget = self.fragment = ""
        self.controls: list[dict[str, Any]] = []
        self.values: dict[str, Any] = {}
        self.sent = self.answered = self.ticks = self.resent = 0
        self.ready = self.busy = self.touching = False
        self._asked = -1
        self._waiting: str | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._send, self._held = send, held

    @property
    def settled(self) -> bool:
        """Whether everything is answered and drawn, and nothing is computed behind it."""
        return self.ready and not self.busy and self.answered >= self.sent

    def receive(self, data: dict[str, Any]) -> None:
        """Take in a message: `Lab.render`, without a picture."""
        self.answered = max(self.answered, data["seq"])
        if self._missing(data["arrays"]):
            if data["seq"] != self._asked:
                self._asked = self.sent + 1
                self.tell("missing")
            return
        if not self.touching and self.answered >= self.sent:
            self.values = data["values"]
        self.controls, self.ready, self.busy = data["controls"], True, bool(data["busy"])
        if self._tick is not None:
            self._tick.cancel()
        if self.busy:
            self._tick = asyncio.get_running_loop().call_later(TICK, self._again)
        waiting, self._waiting = self._waiting, None
        if waiting:
            self.tell(waiting)

    def _missing(self, arrays: dict[str, dict[str, Any]]) -> bool:
        for spec in arrays.values():
            if "data" in spec:
                self._held[spec["id"]] = None
        return any(spec["id"] not in self._held for spec in arrays.values())

    def tell(self, phase: str, again: int = 0) -> None:
        """Tell the server: one event at a time; while one is under way only the newest is kept."""
        if self.answered < self.sent and not again:
            self._waiting = phase
            return
        self.sent = max(self.sent, self.answered) + 1
        if self._watch is not None:
            self._watch.cancel()
        self._watch = asyncio.get_running_loop().call_later(
            RESEND * 2 ** min(again, 4), self._late, phase, again
        )
        event = {"seq": self.sent, "phase": phase, "action": None, "values": self.values}
        self._send(self, {"event": {**event, "held": list(self._held)[-500:]}})

    def close(self) -> None:
        """Tell nothing any more."""
        for timer in (self._tick, self._watch):
            if timer is not None:
                timer.cancel()

    def _again(self) -> None:
        if self.answered >= self.sent and not self.touching:
            self.ticks += 1
            self.tell("tick")

    def _late(self, phase: str, again: int) -> None:
        if self.answered < self.sent:
            self.resent += 1
            self.tell(phase, again + 1)
