"""The server process's store of rooms and event hub, and the thread that deletes expired rooms."""

from __future__ import annotations

import os
import threading
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dpcore import disk_cache
from ui.classroom import activities
from ui.classroom.codes import Attempts
from ui.classroom.event_stream import Hub
from ui.classroom.models import Refused, Room
from ui.words.text import beside

if TYPE_CHECKING:
    from ui.classroom.store import Store

__all__ = [
    "ROOMS",
    "attempts",
    "hub",
    "let_try",
    "look",
    "start_activity",
    "start_tidying",
    "stop_tidying",
    "store",
]

T = beside(__file__)

ROOMS = (
    "DPCORE_ROOMS"  # the address of a database; a file of SQLite in the cache folder when not set
)
_SECOND, _MINUTE = 1.0, 60.0
_over = threading.Event()


def address() -> str:
    """Return the address of the database of rooms."""
    named = os.environ.get(ROOMS)
    if named:
        return named
    folder = disk_cache.folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'rooms.sqlite'}"


@lru_cache(maxsize=1)
def store() -> Store:
    """Return the store of rooms of this process."""
    from ui.classroom.store import Store  # SQLAlchemy: no part of starting the app

    return Store(address())


@lru_cache(maxsize=1)
def hub() -> Hub:
    """Return the event hub of this process."""
    return Hub(store)


@lru_cache(maxsize=1)
def attempts() -> Attempts:
    """Return the rate limit on wrong room codes of this process."""
    return Attempts()


def let_try(address: str) -> None:
    """Raise `Refused` if too many wrong room codes came from a network address."""
    if not attempts().may_try(address):
        raise Refused(T("refused.codes"), 429)


def look(code: str, address: str, *, known: bool = False) -> Room | None:
    """Return the room with a code, or None; a wrong code counts towards the rate limit.

    Parameters
    ----------
    known : bool
        Whether the caller has seen this room before, which makes it exempt from the rate limit.

    Raises
    ------
    Refused
        When too many wrong codes came from ``address``, the network address of the phone.
    """
    if not known:
        let_try(address)
    room = store().room(code)
    if room is None and not known:
        attempts().was_wrong(address)
    return room


def start_activity(code: str, key: str, activity: Any) -> None:
    """Start an activity in a room; ``key`` is the lecturer's key."""
    store().start(
        code, key, activities.written(activity), activity.names(),
        spends=activity.spends, least=activity.least,
    )  # fmt: skip


def start_tidying() -> None:
    """Start a thread that deletes expired rooms and stores the sums of ended questions as long as the server runs."""
    _over.clear()
    threading.Thread(target=_tidy, name="rooms", daemon=True).start()


def stop_tidying() -> None:
    """Stop the thread of `start_tidying`, and store the answers that are still in memory."""
    _over.set()
    if store.cache_info().currsize:
        try:
            store().dispose()
        except Exception as error:  # the database is away: phones send their answers again
            print(f"rooms: {type(error).__name__}", flush=True)


def _tidy() -> None:
    tidied = time.monotonic()
    while not _over.wait(_SECOND):
        try:
            if store.cache_info().currsize:
                store().settle()
            if time.monotonic() - tidied > _MINUTE:
                tidied = time.monotonic()
                store().tidy()
        except Exception as error:  # a database that is away comes back
            print(f"rooms: {type(error).__name__}", flush=True)
