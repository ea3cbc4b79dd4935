"""Simulated reader without a browser, who uses Streamlit's protocol and replies like `assets/live`.

Many readers run in one process, so each message is parsed only as far as the reply requires, and nothing is
drawn.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.load.fetch import Server, fetch
from benchmarks.load.figure import LiveFigure
from benchmarks.load.measured import Figures
from benchmarks.load.messages import KeptMessages, rerun_message

__all__ = ["Reader"]


class Reader:
    """Simulated reader of one page.

    Parameters
    ----------
    address : str
        Address of the server, http://...
    page : str
        Path of the page, optionally with a query.
    """

    def __init__(self, address: str, page: str) -> None:
        self.server = Server(address)
        self.url = address.replace("http", "ws", 1) + "/_stcore/stream"
        self.page, _, self.query = page.partition("?")
        self.figures = Figures()
        self.live_figures: dict[str, LiveFigure] = {}
        self.pages: list[str] = []
        self.held: dict[str, None] = {}
        self.script = ""
        self.patient = True  # still waits for a complete page
        self.running = False  # the script, for this reader
        self._kept = KeptMessages()
        self._news = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._gone = False
        self._start = 0.0

    async def open(self) -> None:
        """Connect to the server and request the page."""
        self._start = time.perf_counter()
        await self.server.enter()
        kept = {"Cookie": self.server.cookie} if self.server.cookie else None
        more = {"open_timeout": 60, "ping_timeout": None, "additional_headers": kept}
        self._socket = await connect(self.url, subprotocols=["streamlit"], max_size=None, **more)
        self._begin(self._listen())
        self._ask(page_name=self.page, query_string=self.query)

    async def close(self) -> None:
        """Stop all tasks of this reader and close its connections."""
        self._gone = True
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        for live_figure in self.live_figures.values():
            await live_figure.close()
            self.figures.add(live_figure.ticks, live_figure.glances, live_figure.resent)
        if self._socket is not None:
            await self._socket.close()

    async def until(self, met: Any, patience: float) -> bool:
        """Wait until ``met()`` is true; return whether this happened within ``patience`` seconds."""
        try:
            async with self._news, asyncio.timeout(max(patience, 0.001)):
                await self._news.wait_for(lambda: met() or bool(self.figures.errors))
        except TimeoutError:
            return False
        return bool(met())

    @property
    def live_figure(self) -> LiveFigure:
        """The first figure of the page."""
        return next(iter(self.live_figures.values()))

    def choices(self) -> list[dict[str, Any]]:
        """Return the visible sliders that can be moved, except the slider that plays a training."""
        return [
            spec
            for spec in self.live_figure.controls
            if spec["kind"] == "slider"
            and not (spec["hidden"] or spec["disabled"] or spec["more"] or spec["play"])
        ]

    async def move(
        self, chance: np.random.Generator, patience: float, *, drag: int = 0, place: int = -1
    ) -> str:
        """Move a slider to a random value and release it; record how long the replies take; return the slider's name.

        - ``drag``: number of events of the phase "drag" before the release, if the server draws while the
          slider moves.
        - ``place``: index of the slider, a random one if negative.
        """
        live_figure, specs = self.live_figure, self.choices()
        spec = specs[place if place >= 0 else chance.integers(len(specs))]
        places = chance.choice(len(spec["grid"]), size=drag + 1)
        live_figure.touching = True
        for place in places[:-1] if spec["mode"] == "server" else ():
            live_figure.values[spec["name"]] = spec["grid"][place]
            await self._timed("drag", self.figures.drags, patience)
        live_figure.values[spec["name"]] = spec["grid"][places[-1]]
        live_figure.touching = False
        start = time.perf_counter()
        if await self._timed("commit", self.figures.commits, patience) and await self.until(
            lambda: not (live_figure.busy or self.running), patience
        ):
            self.figures.settled.append(time.perf_counter() - start)
        return str(spec["name"])

    async def settled(self, patience: float) -> bool:
        """Wait until no event or computation is pending; return whether this happened within ``patience`` seconds."""
        return await self.until(
            lambda: not (self.live_figure.busy or self.live_figure.owed or self.running), patience
        )

    async def step(self, name: str, patience: float) -> bool:
        """Move a slider by one step, release it, and wait; return whether the page has settled in time."""
        spec = next(spec for spec in self.live_figure.controls if spec["name"] == name)
        self.live_figure.near = sorted({*self.live_figure.near, name})
        at = spec["grid"].index(self.live_figure.values[name])
        beside = at + 1 if at + 1 < len(spec["grid"]) else at - 1
        self.live_figure.values[name] = spec["grid"][beside]
        answered = await self._timed("commit", self.figures.commits, patience)
        return answered and await self.settled(patience)

    async def look(self, tab: str, patience: float) -> bool:
        """Open a tab, and wait; return whether the page has settled in time."""
        self.live_figure.tab = tab
        answered = await self._timed("look", self.figures.looks, patience)
        return answered and await self.settled(patience)

    async def _timed(self, phase: str, kept: list[float], patience: float) -> bool:
        live_figure, start = self.live_figure, time.perf_counter()
        answered = await self.until(lambda: not live_figure.owed, patience)
        if answered:
            live_figure.tell(phase)
            answered = await self.until(lambda: not live_figure.owed, patience)
        if answered:
            kept.append(time.perf_counter() - start)
        self.figures.unanswered += not answered
        return answered

    async def _listen(self) -> None:
        assert self._socket is not None
        try:
            async for raw in self._socket:
                self.figures.bytes += len(raw)
                self._take(ForwardMsg.FromString(raw))
                async with self._news:
                    self._news.notify_all()
        except Exception as error:
            self.figures.errors.append(f"{type(error).__name__}: {error}"[:200])
        async with self._news:
            self._news.notify_all()

    def _take(self, found: ForwardMsg) -> None:
        found = self._kept.whole(found)
        match found.WhichOneof("type"):
            case "delta":
                self._delta(found.delta)
            case "navigation":
                self.pages = [page.url_pathname for page in found.navigation.app_pages]
                self.script = found.navigation.page_script_hash  # the page's, not app.py's
            case "new_session":
                self.running = True
                self.script = found.new_session.page_script_hash
            case "page_info_changed":
                self.query = found.page_info_changed.query_string
            case "script_finished":
                self.running = False
                self._kept.forget(whole=found.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY)

    def _delta(self, delta: Any) -> None:
        element = delta.new_element
        match element.WhichOneof("type"):
            case "exception":
                self.figures.errors.append(element.exception.message[:200])
            case "bidi_component":
                message = json.loads(element.bidi_component.json or "{}")
                if "name" in message and "later" not in message:  # nobody has come near a later one
                    size = len(element.bidi_component.json)
                    self._drawn(message, element.bidi_component.id, delta.fragment_id, size)
                elif "src" in message and not self.figures.first:
                    self._begin(self._framed(message["src"]))

    def _drawn(self, data: dict[str, Any], widget: str, fragment: str, size: int) -> None:
        fetch = lambda files, then: self._begin(self._fetched(files, then))  # noqa: E731
        fresh = LiveFigure(self.server, self._event, fetch, self.held)
        figure = self.live_figures.setdefault(data["name"], fresh)
        figure.widget, figure.fragment = widget, fragment
        figure.receive(data, size)
        self._noted(figure)

    def _noted(self, figure: LiveFigure) -> None:
        if not figure.ready:
            return
        now = time.perf_counter() - self._start
        self.figures.first = self.figures.first or now
        done = self.patient and not any(other.busy for other in self.live_figures.values())
        if self.figures.complete is None and done:
            self.figures.complete = now

    async def _fetched(self, files: list[dict[str, Any]], then: Callable[[], None]) -> None:
        for file in files:
            try:
                self.figures.bytes += await fetch(self.server, file["url"])
            except OSError as error:
                self.figures.errors.append(f"{type(error).__name__}: {error}"[:200])
                continue
            self.held.update(dict.fromkeys(file["ids"]))
        then()
        for figure in self.live_figures.values():
            self._noted(figure)
        async with self._news:
            self._news.notify_all()

    async def _framed(self, address: str) -> None:
        """Request the page that the frame of a phone on Teach shows; its figure has no server behind it."""
        place = urlsplit(address)
        try:
            self.figures.bytes += await fetch(self.server, f"{place.path}?{place.query}")
            self.figures.first = self.figures.complete = time.perf_counter() - self._start
        except OSError as error:
            self.figures.errors.append(f"{type(error).__name__}: {error}"[:200])
        async with self._news:
            self._news.notify_all()

    def _event(self, figure: LiveFigure, event: dict[str, Any]) -> None:
        state = (figure.widget, json.dumps(event))
        asked = {"page_script_hash": self.script, "query_string": self.query}
        self._ask(widget=state, fragment_id=figure.fragment, **asked)

    def _ask(self, *, widget: tuple[str, str] | None = None, **asked: str) -> None:
        self._begin(self._send(rerun_message(self._kept.by_hash, widget, **asked)))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a concurrent task, unless this reader has been closed."""
        if self._gone:
            return work.close()
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _send(self, raw: bytes) -> None:
        assert self._socket is not None
        try:
            await self._socket.send(raw)
        except Exception as error:
            self.figures.errors.append(f"{type(error).__name__}: {error}"[:200])
