"""Rendering of embedded figures from the application's shared results; missing results are computed in the
background.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Any

from streamlit import runtime

from ui.embed.query import Asked
from ui.embed.restrict_figure import part
from ui.frame.page_spec import PageSpec, shown
from ui.live import Busy, Figure
from ui.live.depth import Depth
from ui.runner import PageState

__all__ = [
    "AHEAD_THREAD",
    "MOST_AT_ONCE",
    "Made",
    "TooMany",
    "make",
    "opened",
    "opens_whole",
    "still",
]

MOST_AT_ONCE = 8  # states that are being computed for such links at a time
AHEAD_THREAD = "ahead"  # the name of the thread that draws pages before anybody comes
_TALKS = "streamlit.runtime.scriptrunner_utils.script_run_context"
_FORGOTTEN = 10.0  # seconds after which nobody waits for a state any more
_LOCKS: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
_WAITING: OrderedDict[Any, float] = OrderedDict()
_WAITING_LOCK = threading.Lock()


class _NoSession(logging.Filter):
    """Log filter that suppresses Streamlit's warnings about threads without a session where none is needed."""

    def filter(self, record: logging.LogRecord) -> bool:
        return runtime.exists() and not (record.threadName or "").startswith(
            ("AnyIO", AHEAD_THREAD)
        )


logging.getLogger(_TALKS).addFilter(_NoSession())


class TooMany(Exception):
    """Error raised when too many different states are being computed at once."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """Rendered figure of a request, or (``busy``) the progress of its computation.

    ``asked``: the request. ``state``: the page's results. ``problems``: messages to display.
    """

    asked: Asked
    figure: Figure | None
    busy: Busy | None
    problems: tuple[str, ...]
    state: PageState[Any]


def make(request: Asked) -> Made:
    """Return the requested figure or, while it is computed, the progress; each call keeps the computation running.

    The computation uses the pool of background jobs shared by all users, two jobs at a time. A job stops when
    `make` is no longer called for it.

    Raises
    ------
    TooMany
        When more than `MOST_AT_ONCE` other states are being computed.
    """
    spec = request.spec
    _queue(request)
    with _LOCKS[spec.key]:  # their states share one session, that of no reader
        state = spec.pipeline.state(request.params, depth=request.depth, tab="", near=())
        tab = (
            request.panel
            and state.busy is None
            and _tab(request, shown(spec, state, request.depth))
        )
        if tab:
            state = spec.pipeline.state(request.params, depth=request.depth, tab=tab, near=())
    problems = (*request.problems, *state.problems)
    if state.busy is not None:
        return Made(asked=request, figure=None, busy=state.busy, problems=problems, state=state)
    with _WAITING_LOCK:
        _WAITING.pop((spec.key, request.params), None)
    return _drawn(request, state, problems)


def still(request: Asked) -> Made:
    """Return the requested figure with all results, computed in the calling thread; used for handout files."""
    spec = request.spec
    with _LOCKS[spec.key]:
        state = spec.pipeline.still(request.params)
        tab = _tab(request, shown(spec, state, request.depth)) if request.panel else ""
        wanted = [
            stage.name
            for stage in spec.pipeline.stages
            if not (stage.control or stage.on_demand)
            and stage.depth <= request.depth
            and (not stage.tabs or tab in stage.tabs)
            and (stage.when is None or stage.when(state.problem, state.params))
        ]
        state = spec.pipeline.still(request.params, *wanted)
    return _drawn(request, state, (*request.problems, *state.problems))


def opened(spec: PageSpec[Any]) -> tuple[Figure, bool]:
    """Return the figure with which a page opens, from the available results, and whether it is complete.

    No computation is started.
    """
    with _LOCKS[spec.key]:
        state, whole = _opening(spec)
        return shown(spec, state, Depth.LOOK), whole


def opens_whole(spec: PageSpec[Any]) -> bool:
    """Return whether all results of the figure with which a page opens are available; start no computation."""
    with _LOCKS[spec.key]:
        return _opening(spec)[1]


def _opening(spec: PageSpec[Any]) -> tuple[PageState[Any], bool]:
    state = spec.pipeline.ready(spec.params(), depth=Depth.LOOK)
    return state, spec.pipeline.is_whole(state, Depth.LOOK)


def _drawn(request: Asked, state: PageState[Any], problems: tuple[str, ...]) -> Made:
    figure = shown(request.spec, state, request.depth)
    how = {"locked": request.locked, "hidden": request.hidden}
    try:
        fragment = part(figure, panels=request.panel, **how)
    except ValueError as error:
        problems, fragment = (*problems, str(error)), part(figure, **how)
    return Made(asked=request, figure=fragment, busy=None, problems=problems, state=state)


def _tab(request: Asked, figure: Figure) -> str:
    """Return the tab that contains the requested panels, or "" if they are outside of tabs."""
    tabs = [panel.tab for panel in figure.panels if panel.key in request.panel]
    return next((tab for tab in tabs if tab), "")


def _queue(request: Asked) -> None:
    key, now = (request.spec.key, request.params), time.monotonic()
    with _WAITING_LOCK:
        for old in [old for old, at in _WAITING.items() if now - at > _FORGOTTEN]:
            del _WAITING[old]
        if key not in _WAITING and len(_WAITING) >= MOST_AT_ONCE:
            raise TooMany
        _WAITING[key] = now
