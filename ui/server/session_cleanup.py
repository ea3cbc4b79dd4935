"""Removal of a user's data from memory when their session ends, even if no further requests arrive.

Streamlit removes ended sessions only when another session starts or ends, and their objects remain in
reference cycles that the garbage collector may skip (objects frozen after start-up). Therefore a thread
regularly checks for ended sessions, removes their data, and collects garbage.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
import weakref
from typing import Any

from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionManager

from ui.server import malloc_trim

__all__ = ["LOOK", "SessionCleanup", "watch"]

LOOK = 5.0  # seconds between two looks
_Left = tuple[weakref.ref[Any], int]  # what may go, and how often it was looked at in vain
_TRIES = 12  # looks at a session that is still held, by a computation that has not ended


class SessionCleanup:
    """Removal of sessions, with their data, that have been disconnected for long enough.

    Parameters
    ----------
    manager : streamlit.runtime.session_manager.SessionManager
        Session manager of the running server; used only on the server's event loop.
    patience : float
        Seconds for which a disconnected session remains, so that its browser can reconnect.
    """

    def __init__(self, manager: SessionManager, patience: float) -> None:
        self._manager = manager
        self._patience = patience
        self._away: dict[str, tuple[AppSession, float]] = {}
        self._left: list[_Left] = []
        self._own: list[_Left] = []

    def look(self, now: float) -> bool:
        """Remove sessions that were disconnected too long, with their data; return whether to collect garbage now."""
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
                self._own += [(weakref.ref(thing), 0) for thing in _own(session)]
                self._manager.close_session(key)
                self._left.append((weakref.ref(session), 0))
        for ref, _ in self._left:
            if (left := ref()) is not None:
                empty(left)
        return bool(self._left or self._own)

    def collected(self) -> bool:
        """Return whether the memory of all removed objects is freed; give up on objects after a few tries.

        User data are tracked separately: a session can be freed while a frozen reference cycle still contains
        its table.
        """
        self._left = _still_there(self._left)
        self._own = _still_there(self._own)
        return not (self._left or self._own)

    def is_worth_all(self) -> bool:
        """Return whether a garbage collection of all objects, including frozen ones, is worthwhile.

        The collection is worthwhile as long as user data of removed sessions remain in memory. For a removed
        session without user data, it is worthwhile once.
        """
        return bool(self._own) or any(tries == 1 for _, tries in self._left)


def _still_there(left: list[_Left]) -> list[_Left]:
    """Return the removed objects that are not freed yet, without those given up after several tries."""
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

    The server may keep the emptied session object itself, since its main loop references the last one that it
    served.
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
    """Collect garbage; include frozen objects if these still reference data of removed sessions."""
    gc.collect()
    if not departures.collected() and departures.is_worth_all():
        gc.unfreeze()
        gc.collect()  # nobody's script runs meanwhile: half a second
        gc.freeze()
    malloc_trim.trim()


def watch() -> None:
    """Start the thread that looks for ended sessions, once per server."""
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
            collect(departures)
