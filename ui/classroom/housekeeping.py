"""The server process's access to the rooms: database, event hub, rate limits.

A thread deletes expired rooms.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcore import disk_cache
from ui.classroom import activities, codes
from ui.classroom.codes import Attempts
from ui.classroom.event_stream import Hub
from ui.classroom.limits import Openings, Seats
from ui.classroom.models import Away, Full, Refused, Room
from ui.words.text import load_text

if TYPE_CHECKING:
    from dpcore.exercises import ExerciseInstance
    from ui.classroom.lessons import Lessons
    from ui.classroom.store import Store

__all__ = [
    "ROOMS",
    "attempts",
    "hub",
    "is_reachable",
    "join",
    "lessons",
    "let_try",
    "look",
    "open_room",
    "openings",
    "seats",
    "start_activity",
    "start_tidying",
    "stop_tidying",
    "store",
    "withheld",
]

T = load_text(__file__)

ROOMS = (
    "DPCORE_ROOMS"  # the address of a database; a file of SQLite in the cache folder when not set
)
_SECOND, _MINUTE = 1.0, 60.0
_over = threading.Event()
_OPENED: dict[str, Store] = {}
_OPENING = threading.Lock()


def address() -> str:
    """Return the address of the database of rooms."""
    named = os.environ.get(ROOMS)
    if named:
        return named
    with suppress(OSError):  # said where the database is opened
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().touch(mode=0o600)
        _file().chmod(0o600)  # SQLite's other files have the mode of this one
    return f"sqlite:///{_file()}"


def _file() -> Path:
    return disk_cache.folder() / "rooms.sqlite"


def _file_exists() -> bool:
    """Return whether the SQLite file of rooms exists; True if this cannot be determined."""
    try:
        _file().stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


@lru_cache(maxsize=1)
def store() -> Store:
    """Return this process's store of rooms."""
    from ui.classroom.store import Store  # SQLAlchemy: no part of starting the app

    place = address()
    with _OPENING:  # threads that are first together wait for one
        if place not in _OPENED:
            _OPENED[place] = Store(place)
        return _OPENED[place]


@lru_cache(maxsize=1)
def lessons() -> Lessons:
    """Return this process's access to the lessons in the database of rooms."""
    from ui.classroom.lessons import Lessons

    try:
        return Lessons(store().engine)
    except Away:
        raise Away(T("refused.lessons_away"), 503) from None


@lru_cache(maxsize=1)
def hub() -> Hub:
    """Return the event hub of this process."""
    return Hub(store)


@lru_cache(maxsize=1)
def attempts() -> Attempts:
    """Return this process's rate limit on wrong room codes."""
    return Attempts()


@lru_cache(maxsize=1)
def openings() -> Openings:
    """Return this process's rate limit on opening rooms."""
    return Openings()


@lru_cache(maxsize=1)
def seats() -> Seats:
    """Return this process's record of the phones that have a place in a room."""
    return Seats()


def open_room(session: str, address: str) -> tuple[str, str]:
    """Open a room; return its code and the lecturer's key.

    Raises
    ------
    Refused
        When the session, or the network of ``address``, has opened too many rooms, or the database cannot be
        reached.
    """
    rooms = store()
    openings().take(session, address)
    return rooms.open()


def join(code: str, address: str, token: str) -> str:
    """Let a phone with a one-time token take part in a room; return the name under which it listens to events.

    A phone that asks again with the same token does not take a second place. In a full room, places of
    silent phones are given to new phones.
    """
    try:
        return _join(code, address, token)
    except Full:
        seats().remove(code, store().leave(code, seats().silent(code)))
        return _join(code, address, token)


def _join(code: str, address: str, token: str) -> str:
    known = codes.hashed(token)
    name, is_new = seats().take(code, address, known)
    try:
        store().join(code, token)
    except BaseException:
        if is_new:
            seats().remove(code, [known])
        raise
    return name


def let_try(address: str) -> None:
    """Raise `Refused` if too many wrong room codes came from a network address."""
    if not attempts().may_try(address):
        raise Refused(T("refused.codes"), 429)


def look(code: str, address: str, *, known: bool = False) -> Room | None:
    """Return the room with a code, or None.

    A wrong code counts towards the rate limit.

    Parameters
    ----------
    known : bool
        Whether the caller has seen this room before. Such a caller is exempt from the rate limit.

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


def withheld(instance: ExerciseInstance) -> str:
    """Return why the solution of an exercise with these numbers cannot be shown now, or "".

    - "waits": a class is now answering the exercise.
    - "away": the database cannot be reached, so a class may be answering the exercise. This concerns
      all exercises that can be answered on a phone.
    """
    if _is_unused():
        return ""
    try:
        records = store().running()
    except Away:
        return "away" if activities.on_a_phone(instance.exercise) else ""
    running = []
    for record in records:
        with suppress(Refused):  # its exercise is gone
            running.append(activities.read(record))
    exercises = [one.instance for one in running if isinstance(one, activities.Together)]
    wanted = instance.exercise.key, instance.parameters
    asked = any((one.exercise.key, one.parameters) == wanted for one in exercises)
    return "waits" if asked else ""


def is_reachable() -> bool:
    """Return whether the database of rooms can be read; True if no room was ever opened."""
    try:
        if not _is_unused():
            store().running()
    except Away:
        return False
    return True


def _is_unused() -> bool:
    """Return whether no room was ever opened, so that there is no database."""
    return not store.cache_info().currsize and not os.environ.get(ROOMS) and not _file_exists()


def start_tidying() -> None:
    """Start a thread that deletes expired rooms, and stores the sums of answers to ended questions."""
    _over.clear()
    threading.Thread(target=_tidy, name="rooms", daemon=True).start()


def stop_tidying() -> None:
    """Stop the thread of `start_tidying`, and store the answers still in memory."""
    _over.set()
    if store.cache_info().currsize:
        try:
            store().dispose()
        except Exception as error:  # the database is away: phones send their answers again
            print(f"rooms: {type(error).__name__}", flush=True)


def _tidy() -> None:
    tidied, reached = time.monotonic(), True
    while not _over.wait(_SECOND):
        try:
            if store.cache_info().currsize:
                store().settle()
            if time.monotonic() - tidied > _MINUTE:
                tidied = time.monotonic()
                store().tidy()
                known = seats().rooms()  # rooms that are opened from now on are none of these
                seats().forget(set(known) - set(store().versions(known)))
            reached = True
        except Exception as error:  # a database that is away comes back
            if reached:
                print(f"rooms: {type(error).__name__}", flush=True)
            reached = False
