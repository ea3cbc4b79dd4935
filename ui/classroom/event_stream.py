"""Server-sent events that inform phones of changes in their rooms.

Four times a second each server process queries the database, with one query for all rooms of its
phones. In this way the process also finds changes made by other processes. The message about a room
is encoded once for all phones. If only counts have changed, a room gets a message at most twice a
second.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from ui.classroom import activities
from ui.classroom.limits import networks
from ui.classroom.models import Away, Refused, Version
from ui.words.text import load_text

if TYPE_CHECKING:
    from ui.classroom.store import Store

__all__ = ["MOST_STREAMS", "MOST_STREAMS_OF_NETWORK", "Hub", "room_message"]

T = load_text(__file__)

EVERY, COUNTS_EVERY = 0.25, 0.5  # seconds
HEARTBEAT = 15.0  # seconds: proxies close what is silent
MOST_STREAMS, MOST_STREAMS_OF_NETWORK = 5000, 1000
"""Largest numbers of event streams, of all networks and of one network.

One network may have the streams of two full rooms, and some more for streams that phones open again.
"""
_CLOSED = {"phase": "closed"}


def room_message(store: Store, code: str) -> dict[str, Any]:
    """Return the message to every phone of a room after a change."""
    room = store.room(code)
    if room is None:
        return _CLOSED
    fields: dict[str, Any] = {
        "turn": room.turn,
        "phase": room.phase,
        "joined": room.joined,
        "answered": room.answered,
    }
    if room.phase == "waiting":
        return fields
    try:
        runs = activities.read(room.activity)
    except Refused:  # phones wait for a question that the server can read
        return {**fields, "phase": "waiting"}
    fields["runs"] = {"kind": runs.kind, **runs.brief()}
    if room.phase == "shown":
        fields["result"] = runs.outcome(room.counts, room.answered)
    return fields


class _Audience:
    """Number of phones that listen to one room, with the last message sent to them."""

    def __init__(self) -> None:
        self.listeners, self.number, self.message = 0, 0, b""
        self.version: Version | None = Version(-1, -1, "")
        self.since = 0.0
        self.changed = asyncio.Event()

    def publish(self, message: bytes) -> None:
        self.number, self.message = self.number + 1, message
        self.changed.set()
        self.changed = asyncio.Event()


class Hub:
    """Source of server-sent events for the phones of all rooms.

    Parameters
    ----------
    store : callable
        Function that returns the store of rooms. It is called in a thread, so that no phone waits for the
        database.
    """

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._rooms: dict[str, _Audience] = {}
        self._networks: Counter[str] = Counter()
        self._n_streams = 0
        self._watching: asyncio.Task[None] | None = None

    def check(self, address: str = "") -> None:
        """Raise `Refused` if too many phones are listening, in total or from the network of ``address``."""
        of_network = MOST_STREAMS_OF_NETWORK
        full = any(
            self._networks[place] >= k * of_network for place, k in networks(address).items()
        )
        if full or self._n_streams >= MOST_STREAMS:
            raise Refused(T("refused.phones"), 503)

    async def listen(self, code: str, address: str = "") -> AsyncGenerator[bytes, None]:
        """Yield the messages of a room to one phone, until the room is closed or the phone disconnects."""
        audience, places = self._rooms.setdefault(code, _Audience()), list(networks(address))
        audience.listeners += 1
        self._n_streams += 1
        self._networks.update(places)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            async for message in _heard(audience):
                yield message
        finally:
            audience.listeners -= 1
            self._n_streams -= 1
            self._networks.subtract(places)
            for place in places:
                if not self._networks[place]:
                    del self._networks[place]
            if not audience.listeners and self._rooms.get(code) is audience:
                del self._rooms[code]

    async def _watch(self) -> None:
        reached = True
        while self._rooms:
            try:
                await self._look()
                reached = True
            except Exception as error:  # a database that is away comes back
                if reached:
                    print(f"rooms: {type(error).__name__}", flush=True)
                reached = False
                await asyncio.sleep(1.0)
            await asyncio.sleep(EVERY)

    async def _look(self) -> None:
        wanted = dict(self._rooms)
        versions = await asyncio.to_thread(lambda: self._store().versions(list(wanted)))
        for code, audience in wanted.items():
            version = versions.get(code)
            if version == audience.version:
                continue
            now = time.monotonic()
            same = version and audience.version and version[1:] == audience.version[1:]
            if same and now - audience.since < COUNTS_EVERY:
                continue
            try:
                news = await asyncio.to_thread(self._room_message, code)
            except Away:
                raise
            except Exception as error:  # of this room alone: the others go on
                print(f"room: {type(error).__name__}", flush=True)
                audience.version, audience.since = version, now
                continue
            if version is not None:
                news = {**news, "boxes": version.boxes}
            audience.version, audience.since = version, now
            audience.publish(f"data: {json.dumps(news, ensure_ascii=False)}\n\n".encode())

    def _room_message(self, code: str) -> dict[str, Any]:
        return room_message(self._store(), code)


async def _heard(audience: _Audience) -> AsyncIterator[bytes]:
    seen = 0
    while True:
        changed = audience.changed
        if audience.number != seen:
            seen = audience.number
            yield audience.message
            if audience.version is None:
                return
            continue
        try:
            await asyncio.wait_for(changed.wait(), HEARTBEAT)
        except TimeoutError:
            yield b": still here\n\n"
