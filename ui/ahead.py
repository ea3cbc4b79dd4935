"""Every page is drawn once before anybody comes: the first readers find what is made, and load nothing.

What is drawn is each page as it opens: its results that lie on disk, what is made at once, its figure, its words,
its files of arrays. All of it goes where it goes for readers, into caches that are bounded. Nothing that takes
long is computed; readers go first; an error leaves a page to its first reader.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from ui import memory, turns
from ui.embed.making import AHEAD_THREAD, opened
from ui.live.array_files import PUBLIC
from ui.live.figure import Figure
from ui.live.transport import Delivery, message
from ui.page_spec import PageEntry, PageSpec

__all__ = ["AHEAD", "draw", "start", "stop"]

AHEAD = "DPCORE_AHEAD"  # "1" draws all pages once, behind the start of the server
_LOG = logging.getLogger(__name__)
_LOOK = 0.05  # seconds between two looks whether a reader is being served
_stopped = threading.Event()


def start(pages: Callable[[], Sequence[PageEntry]], after: threading.Thread) -> None:
    """Draw all pages behind, when `AHEAD` asks for it and the thread ``after`` has imported them."""
    if os.environ.get(AHEAD) != "1":
        return
    _stopped.clear()
    threading.Thread(target=_run, args=[pages, after], name=AHEAD_THREAD, daemon=True).start()


def stop() -> None:
    """Draw no more: the end of the process has come."""
    _stopped.set()


def _run(pages: Callable[[], Sequence[PageEntry]], after: threading.Thread) -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    after.join()
    draw(pages(), free=_free)
    if not _stopped.is_set():
        gc.collect()
        gc.freeze()  # as after the imports: what stays need not be looked through again and again
        memory.give_back()


def _free() -> bool:
    """Wait until no reader is being served; return whether to go on at all."""
    while not (_stopped.is_set() or turns.is_idle()):
        _stopped.wait(_LOOK)
    return not _stopped.is_set()


def draw(pages: Iterable[PageEntry], *, free: Callable[[], bool]) -> None:
    """Draw pages one after the other; ``free()`` waits until that is in nobody's way, and may end it."""
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
    for figure in _figures(page):
        yield
        yield from _sent(figure)
    if isinstance(page, PageSpec):
        page.words(page.pipeline.known(page.params()))


def _figures(page: PageEntry) -> Iterable[Figure]:
    if isinstance(page, PageSpec):
        return [opened(page)]
    return page.first() if page.first else ()


def _sent(figure: Figure) -> Iterator[None]:
    """Make what is sent of a figure, and its files."""
    names = [file["url"].rpartition("/")[2] for file in message(figure, Delivery())["files"]]
    for name in names:
        yield
        if file := PUBLIC.get(name):
            file.packed()
