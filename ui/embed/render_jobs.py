"""Render embedded figures from results shared by all users.

Missing results are computed in the background.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Any

from streamlit import runtime

from ui.embed.query import FigureRequest
from ui.embed.restrict_figure import part
from ui.frame.page_spec import PageSpec, shown
from ui.frame.shell import WARM_THREAD
from ui.live import Busy, Figure
from ui.live.depth import Depth
from ui.runner import PageState

__all__ = [
    "AHEAD_THREAD",
    "MOST_AT_ONCE",
    "RenderedFigure",
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
    """Log filter that suppresses Streamlit's warnings about a missing session in threads that need no session."""

    def filter(self, record: logging.LogRecord) -> bool:
        return runtime.exists() and not (record.threadName or "").startswith(
            ("AnyIO", AHEAD_THREAD, WARM_THREAD)
        )


logging.getLogger(_TALKS).addFilter(_NoSession())


class TooMany(Exception):
    """Error raised when figures with too many different parameters are being computed at once."""


@dataclass(frozen=True, kw_only=True)
class RenderedFigure:
    """Rendered figure of a request, or the progress of its computation.

    - ``request``: the request.
    - ``state``: parameters and results of the page.
    - ``problems``: messages to display.
    - ``busy``: the progress, if the figure is not finished.
    """

    request: FigureRequest
    figure: Figure | None
    busy: Busy | None
    problems: tuple[str, ...]
    state: PageState[Any]


def make(request: FigureRequest) -> RenderedFigure:
    """Return the requested figure or, while it is computed, the progress.

    Each call keeps the computation running.

    The computation uses the pool of background jobs shared by all users, two jobs at a time. A job stops when
    `make` is no longer called for it.

    Raises
    ------
    TooMany
        When figures with `MOST_AT_ONCE` other parameters are being computed already.
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
        return RenderedFigure(
            request=request, figure=None, busy=state.busy, problems=problems, state=state
        )
    with _WAITING_LOCK:
        _WAITING.pop((spec.key, request.params), None)
    return _render(request, state, problems)


def still(request: FigureRequest) -> RenderedFigure:
    """Return the requested figure with all results, computed in the calling thread, for handout files."""
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
    return _render(request, state, (*request.problems, *state.problems))


def opened(spec: PageSpec[Any]) -> tuple[Figure, bool]:
    """Return the figure with which a page opens, and whether the figure is complete.

    The figure shows the results that are available. No computation is started.
    """
    with _LOCKS[spec.key]:
        state, whole = _opening(spec)
        return shown(spec, state, Depth.LOOK), whole


def opens_whole(spec: PageSpec[Any]) -> bool:
    """Return whether all results are available for the figure with which a page opens.

    No computation is started.
    """
    with _LOCKS[spec.key]:
        return _opening(spec)[1]


def _opening(spec: PageSpec[Any]) -> tuple[PageState[Any], bool]:
    state = spec.pipeline.ready(spec.params(), depth=Depth.LOOK)
    return state, spec.pipeline.is_whole(state, Depth.LOOK)


def _render(
    request: FigureRequest, state: PageState[Any], problems: tuple[str, ...]
) -> RenderedFigure:
    figure = shown(request.spec, state, request.depth)
    how: dict[str, Any] = {"locked": request.locked, "hidden": request.hidden}
    try:
        fragment = part(figure, panels=request.panel, **how)
    except ValueError as error:
        problems, fragment = (*problems, str(error)), part(figure, **how)
    return RenderedFigure(
        request=request, figure=fragment, busy=None, problems=problems, state=state
    )


def _tab(request: FigureRequest, figure: Figure) -> str:
    """Return the tab that contains the requested panels, or "" if they are outside of tabs."""
    tabs = [panel.tab for panel in figure.panels if panel.key in request.panel]
    return next((tab for tab in tabs if tab), "")


def _queue(request: FigureRequest) -> None:
    key, now = (request.spec.key, request.params), time.monotonic()
    with _WAITING_LOCK:
        for old in [old for old, at in _WAITING.items() if now - at > _FORGOTTEN]:
            del _WAITING[old]
        if key not in _WAITING and len(_WAITING) >= MOST_AT_ONCE:
            raise TooMany
        _WAITING[key] = now
