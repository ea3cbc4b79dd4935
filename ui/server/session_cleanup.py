"""Removal of a user's data from memory when their session ends.

Data are removed even if no further requests arrive.

Streamlit removes ended sessions only when another session starts or ends, and their objects remain in
reference cycles that the garbage collector may skip (objects frozen after start-up). Therefore a thread
regularly checks for ended sessions, removes their data, and collects garbage.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError
from typing import Any

from anyio import to_thread
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import RuntimeStoppedError
from streamlit.runtime.session_manager import SessionManager

from ui.server import freed_memory, glibc_heaps, last_session, malloc_trim, upload_limits

__all__ = ["LOOK", "SessionCleanup", "watch"]

LOOK = 5.0  # seconds between two looks
_Left = tuple[weakref.ref[Any], int]  # what may go, and how often it was looked at in vain
_NOTHING, _SESSIONS, _TABLES = range(3)  # of what bytes may be in memory
_MOST_CELLS = upload_limits.LARGEST // 2  # of a table: a cell, and what separates it from the next
_BUSY_OR_ENDED = TimeoutError, RuntimeError, RuntimeStoppedError, CancelledError
_TRIES = 12  # looks at a session that is still held, by a computation that has not ended


class SessionCleanup:
    """Removal of sessions that have been disconnected for long enough, and of their data.

    Parameters
    ----------
    manager : streamlit.runtime.session_manager.SessionManager
        Session manager of the running server; used only on the server's event loop.
    patience : float
        Seconds for which a disconnected session remains, so that its browser can reconnect.
    senders : set of str
        Identifiers of the sessions that have sent a file. Those of removed sessions are deleted from the set.
    """

    def __init__(
        self, manager: SessionManager, patience: float, senders: set[str] = upload_limits.SENDERS
    ) -> None:
        self._manager = manager
        self._senders = senders
        self._patience = patience
        self._away: dict[str, tuple[AppSession, float]] = {}
        self._left: list[_Left] = []
        self._own: list[_Left] = []
        self._bytes_of = _NOTHING
        self._n_cells = 0

    def look(self, now: float) -> bool:
        """Remove sessions that have been disconnected for too long, with their data.

        Return whether to collect garbage now.
        """
        stored = {}
        for info in self._manager.list_sessions():
            if not self._manager.is_active_session(info.session.id):
                stored[info.session.id] = info.session
                self._away.setdefault(info.session.id, (info.session, now))
        for key, (session, since) in list(self._away.items()):
            if self._manager.is_active_session(key):
                del self._away[key]  # it came back
            elif key not in stored or now - since >= self._patience:
                del self._away[key]
                self._remember(session)
                self._manager.close_session(key)
                self._left.append((weakref.ref(session), 0))
        for ref, _ in self._left:
            if (left := ref()) is not None:
                empty(left)
        return bool(self._left or self._own)

    def _remember(self, session: AppSession) -> None:
        own = _own(session)
        self._own += [(weakref.ref(thing), 0) for thing in own]
        if own or session.id in self._senders:  # own data may have been removed before the session
            self._senders.discard(session.id)
            self._bytes_of = _TABLES
            self._n_cells = max([self._n_cells, *map(_n_cells, own)] if own else [_MOST_CELLS])

    def collected(self) -> bool:
        """Return whether the memory of all removed objects is freed, except objects that remain after a few tries.

        User data are tracked separately: a session can be freed while a frozen reference cycle
        still contains its table.
        """
        self._left = _still_there(self._left)
        self._own = _still_there(self._own)
        return not (self._left or self._own)

    def is_worth_all(self) -> bool:
        """Return whether a garbage collection that includes objects frozen after the start is worthwhile.

        It is worthwhile while user data of removed sessions remain in memory. For a removed session
        without user data, it is worthwhile once.
        """
        return bool(self._own) or any(tries == 1 for _, tries in self._left)

    @property
    def holds_bytes(self) -> bool:
        """Whether bytes of user data of removed sessions may be in memory, freed or not."""
        return self._bytes_of > _NOTHING

    def cells_to_overwrite(self) -> int | None:
        """Return the number of cells of the largest user table whose memory is to be overwritten now, or None.

        This memory is overwritten when all user tables are freed, and again when nothing else remains of their
        sessions. The number is returned once for each of these two events.
        """
        left = _TABLES if _any(self._own) else _SESSIONS if _any(self._left) else _NOTHING
        if left >= self._bytes_of:
            return None
        self._bytes_of = left
        return self._n_cells


def _any(left: list[_Left]) -> bool:
    return any(ref() is not None for ref, _ in left)


def _n_cells(thing: Any) -> int:
    return int(getattr(getattr(thing, "frame", None), "size", 0))


def _still_there(left: list[_Left]) -> list[_Left]:
    """Return the removed objects that still occupy memory.

    Objects that remained after several tries are left out.
    """
    return [(ref, n + 1) for ref, n in left if ref() is not None and n < _TRIES]


def _own(session: AppSession) -> list[Any]:
    """Return the objects in a session that contain a user's own tables and data sets."""
    state, things = session.session_state, []
    for key in [key for key in state if str(key).startswith("own_")]:
        with contextlib.suppress(KeyError):
            value = state[key]
            several = value if isinstance(value, tuple) else (value, getattr(value, "data", None))
            things += [thing for thing in several if type(thing).__weakrefoffset__]
    return things


def empty(session: AppSession) -> None:
    """Remove a user's data from an ended session: files, state, results, figures.

    The server may keep the emptied session object. Its main loop references the session that it served last.
    """
    session.shutdown()  # the files; nothing when it was done before
    state = session.session_state
    with contextlib.suppress(KeyError):
        state["own_jobs"].close()
    state.clear()
    state._new_widget_state.widget_metadata.clear()  # what buttons call, and all it holds
    session.flush_browser_queue()
    session._fragment_storage.clear()  # functions of the page and all they hold
    session._client_state.Clear()  # what was typed in, as the browser told it


def collect(departures: SessionCleanup) -> None:
    """Collect garbage, and overwrite the memory of user data that were freed.

    Objects frozen after the start are included if they still reference data of removed sessions.
    """
    gc.collect()
    thawed = not departures.collected() and departures.is_worth_all()
    if thawed:
        _collect_frozen()
    n_cells = departures.cells_to_overwrite()
    if n_cells is None:
        malloc_trim.trim()
    else:
        if not thawed:
            _collect_frozen()
        thawed = True
        freed_memory.overwrite(n_cells)
    if thawed and not departures.holds_bytes:
        gc.freeze()


def _collect_frozen() -> None:
    """Collect garbage among all objects, also those that were frozen after the start.

    This takes half a second, in which no script runs.
    """
    gc.unfreeze()
    gc.collect()


def watch() -> None:
    """Start the thread that checks for ended sessions, once per server."""
    threading.Thread(
        target=_look_after, args=[Runtime.instance()], name="departures", daemon=True
    ).start()


def _look_after(runtime: Runtime) -> None:
    loop = runtime._get_async_objs().eventloop
    lifetime = float(config.get_option("server.disconnectedSessionTTL"))
    # A look earlier than Streamlit's own limit, after which it no longer finds the session.
    departures = SessionCleanup(runtime._session_mgr, max(lifetime - LOOK, 0.0))
    while not loop.is_closed():
        time.sleep(LOOK)
        done, answer = threading.Event(), []

        def look() -> None:
            try:
                answer.append(departures.look(time.monotonic()))  # noqa: B023 (awaited below)
            finally:
                done.set()  # noqa: B023

        try:
            loop.call_soon_threadsafe(look)
        except RuntimeError:  # the server has ended
            return
        if done.wait(60) and answer and answer[0]:
            if departures.holds_bytes:
                with contextlib.suppress(*_BUSY_OR_ENDED):
                    asyncio.run_coroutine_threadsafe(_let_go(runtime), loop).result(60)
            collect(departures)


async def _let_go(runtime: Runtime) -> None:
    """Free the ended session that the main loop still references, and overwrite the caches of the server's threads.

    These are the caches of this thread and of one worker thread. When that worker starts, workers that were idle for
    long end, and their caches with them.
    """
    await last_session.replace(runtime)
    glibc_heaps.overwrite_cache_of_thread()
    await to_thread.run_sync(glibc_heaps.overwrite_cache_of_thread)
