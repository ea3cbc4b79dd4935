"""Status of the background jobs that a figure waits for, read from memory without running the page."""

from __future__ import annotations

import secrets
import time
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from ui.jobs.pool import Jobs
from ui.jobs.reports import Snapshot
from ui.live.figure import Busy

__all__ = ["Awaited", "Watch", "answer", "watch"]


@dataclass(frozen=True)
class Awaited:
    """Background job that a figure waits for.

    - ``seen``: state of the job when the figure was made.
    - ``grows``: whether partial results are worth an update of the figure.
    - ``doing``: text of the progress bar while this is the first running job.
    """

    jobs: Jobs
    key: Hashable
    seen: Snapshot
    grows: bool = True
    doing: str = ""


class Watch:
    """Background jobs that one figure in one session waits for, with an unguessable token.

    The session contains this object, so that both are removed together.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self._awaited: tuple[Awaited, ...] = ()
        self._from = 0.0

    def expect(self, awaited: Iterable[Awaited], *, better_from: float = 0.0) -> bool:
        """Replace the awaited jobs; return whether there are any.

        ``better_from``: monotonic time before which a further partial result is not reported.
        """
        self._awaited, self._from = tuple(awaited), better_from
        return bool(self._awaited)

    def answer(self) -> dict[str, Any]:
        """Return the progress of the awaited jobs, or that the figure needs an update.

        The call keeps the jobs running.
        """
        pairs = [(item, item.jobs.peek(item.key, attend=True)) for item in self._awaited]
        if not pairs or any(self._is_news(item, now) for item, now in pairs):
            return {"news": True}
        doing = ((item, now) for item, now in pairs if now and item.doing and not now.done)
        item, now = next(doing, (None, None))
        if item is None or now is None:
            return {"news": False}
        busy = Busy(progress=now.fraction, text=now.words(item.doing))
        return {"news": False, "busy": asdict(busy)}

    def _is_news(self, item: Awaited, now: Snapshot | None) -> bool:
        if now is None or _coarse(now) != _coarse(item.seen):
            return now is None or item.grows or now.done
        grown = item.grows and now.version != item.seen.version
        return grown and time.monotonic() >= self._from


def _coarse(shot: Snapshot) -> tuple[bool, ...]:
    return shot.value is not None, shot.done, shot.cancelled, bool(shot.error)


_WATCHES: WeakValueDictionary[str, Watch] = WeakValueDictionary()  # held by their sessions


def watch(key: str) -> Watch:
    """Return this session's `Watch` for the figure ``key``; create it if necessary."""
    entry: Watch | None = st.session_state.get(f"news.{key}")
    if entry is None:
        entry = st.session_state[f"news.{key}"] = Watch()
        _WATCHES[entry.token] = entry
    return entry


def answer(token: str) -> dict[str, Any]:
    """Return the status of the background jobs awaited under a token.

    For an unknown token, the browser is told to poll the page.
    """
    entry = _WATCHES.get(token)
    return {"news": True} if entry is None else entry.answer()
