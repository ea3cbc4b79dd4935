"""Cache warm-up when the server starts, in a low-priority thread that waits while pages are drawn for users.

If `AHEAD` is set, each page is drawn once as it opens. A page with an error is skipped. The training loops are
compiled last, since pages open with stored results and do not need them. On a new machine this takes ten seconds.

Figures, texts and array files are computed from stored results and quick stages (computations), and
put into the bounded caches that all sessions use. Slow stages are not computed.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ui.early import figure_store
from ui.embed.render_jobs import AHEAD_THREAD, opened, opens_whole
from ui.frame.page_spec import PageEntry, PageSpec
from ui.jobs import render_queue
from ui.live.array_files import PUBLIC
from ui.live.figure import Figure
from ui.live.transport import Delivery, message
from ui.server import malloc_trim

__all__ = ["AHEAD", "again", "draw", "start", "stop"]

AHEAD = "DPCORE_AHEAD"  # "1" draws all pages once, behind the start of the server
_LOG = logging.getLogger(__name__)
_LOOK = 0.05  # seconds between two looks whether a reader is being served
_AGAIN = 30.0  # seconds between two looks for results that were not there yet
_stopped = threading.Event()


def start(pages: Callable[[], Sequence[PageEntry]], after: threading.Thread) -> None:
    """Start a background thread that draws all pages, if `AHEAD` is set, and then compiles the training loops.

    The thread first waits for the thread ``after``, which imports the pages.
    """
    drawn = pages if os.environ.get(AHEAD) == "1" else tuple
    _stopped.clear()
    threading.Thread(target=_run, args=[drawn, after], name=AHEAD_THREAD, daemon=True).start()


def stop() -> None:
    """Stop the warm-up at the end of the process."""
    _stopped.set()


def _run(pages: Callable[[], Sequence[PageEntry]], after: threading.Thread) -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    after.join()
    from dpcore.experiments import relevance  # the pages have imported it

    entries = pages()
    draw(entries, free=_free)
    if _free():
        relevance.warm()
    if not _stopped.is_set():
        gc.collect()
        gc.freeze()  # as after the imports: what stays need not be looked through again and again
        malloc_trim.trim()
    late = [
        page
        for page in entries
        if isinstance(page, PageSpec) and not figure_store.is_there(page.key)
    ]
    while late and not _stopped.wait(_AGAIN):
        late = again(late, free=_free)


def again(pages: Iterable[PageSpec[Any]], *, free: Callable[[], bool]) -> list[PageSpec[Any]]:
    """Draw those of the given pages whose opening results are available by now, and return the other pages."""
    late = []
    for page in pages:
        if free() and _is_ready(page):
            draw([page], free=free)
        else:
            late.append(page)
    return late


def _is_ready(page: PageSpec[Any]) -> bool:
    try:
        return opens_whole(page)
    except Exception:
        return False  # said when it was drawn first


def _free() -> bool:
    """Wait until no page is being drawn for a user; return False if the warm-up is to stop."""
    while not (_stopped.is_set() or render_queue.is_idle()):
        _stopped.wait(_LOOK)
    return not _stopped.is_set()


def draw(pages: Iterable[PageEntry], *, free: Callable[[], bool]) -> None:
    """Draw pages one after the other.

    ``free()`` waits until no user is being served, and returns False to stop.
    """
    for page in pages:
        steps = _steps(page)
        try:
            while free():
                next(steps)
            return
        except StopIteration:
            continue
        except Exception as error:
            # The class alone, as of a job.
            _LOG.warning(
                "The page %s could not be drawn ahead (%s): its first reader draws it.",
                page.title, type(error).__name__,
            )  # fmt: skip


def _steps(page: PageEntry) -> Iterator[None]:
    if isinstance(page, PageSpec):
        figure, whole = opened(page)
        yield
        yield from _sent(figure)
        if whole:
            figure_store.add(page, figure)
        page.words(page.pipeline.known(page.params()))
    for figure in page.first() if page.first else ():
        yield
        yield from _sent(figure)


def _sent(figure: Figure) -> Iterator[None]:
    """Build the message of a figure and compress its array files, in small steps."""
    names = [file["url"].rpartition("/")[2] for file in message(figure, Delivery())["files"]]
    for name in names:
        yield
        if file := PUBLIC.get(name):
            file.packed()
