"""Queue of threads that draw pages, with priority for moved sliders.

Python runs one thread at a time. Sixty pages that are drawn concurrently all finish at the end. Drawn one after the
other, half of them finish in half of that time, and no page finishes later.

An update for a moved slider has priority, since it takes a tenth of the time of a new page. After a few updates one
page is drawn, even if more updates are waiting.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["RenderQueue", "aside", "is_idle", "turn"]


class RenderQueue:
    """Limit on the number of threads that draw at the same time.

    Waiting threads draw in the order in which they arrived.

    Parameters
    ----------
    at_once : int
        Number of threads that may draw at the same time.
    longest : float
        Seconds after which a running thread no longer occupies a slot, so that it does not block
        others.
    in_a_row : int
        Number of threads with priority (``soon``) that may start in succession while another thread
        waits.
    """

    def __init__(self, *, at_once: int = 2, longest: float = 1.0, in_a_row: int = 4) -> None:
        self._at_once, self._longest, self._in_a_row = at_once, longest, in_a_row
        self._lock = threading.Lock()
        self._soon: deque[threading.Event] = deque()
        self._waiting: deque[threading.Event] = deque()
        self._row = 0  # soon ones that began since one of the others did
        self._begun: dict[int, float] = {}  # by thread

    @contextmanager
    def turn(self, *, soon: bool = False) -> Iterator[None]:
        """Context manager: wait for a slot, and occupy it during the block.

        Threads with ``soon`` have priority. A thread that already has a slot continues without
        waiting.
        """
        if threading.get_ident() in self._begun:
            yield
            return
        queue = self._soon if soon else self._waiting
        self._enter(queue.append)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Context manager: release this thread's slot during the block.

        After the block the thread is first in the queue.
        """
        if threading.get_ident() not in self._begun:
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(self._soon.appendleft)

    def is_idle(self) -> bool:
        """Return whether no thread holds a slot or waits for one."""
        with self._lock:
            return not (self._begun or self._soon or self._waiting)

    def _enter(self, join: Callable[[threading.Event], None]) -> None:
        called = threading.Event()
        with self._lock:
            join(called)
        while not self._begins(called):
            called.wait(self._pause(called))
            called.clear()

    def _next(self) -> deque[threading.Event]:
        """Return the queue that gets the next slot: the one with priority or the other."""
        tired = self._row >= self._in_a_row and bool(self._waiting)
        return self._soon if self._soon and not tired else self._waiting

    def _is_next(self, called: threading.Event) -> bool:
        return self._next()[0] is called

    def _begins(self, called: threading.Event) -> bool:
        with self._lock:
            if not self._is_next(called) or self._left() is not None:
                return False
            queue = self._next()
            queue.popleft()
            self._row = self._row + 1 if queue is self._soon else 0
            self._begun[threading.get_ident()] = time.monotonic()
            self._call()
            return True

    def _pause(self, called: threading.Event) -> float | None:
        """Return the seconds after which a waiting thread checks again for a slot.

        Return None for a thread that is not next in the queue, since such a thread waits until it
        is notified.
        """
        with self._lock:
            return self._left() or 0.0 if self._is_next(called) else None

    def _left(self) -> float | None:
        """Return the seconds until a running thread exceeds its time limit, which makes its slot free.

        Return None if a slot is free already.
        """
        ends = sorted(since + self._longest for since in self._begun.values())
        left = [end - time.monotonic() for end in ends if end > time.monotonic()]
        return None if len(left) < self._at_once else max(left[-self._at_once], 0.001)

    def _leave(self) -> None:
        with self._lock:
            del self._begun[threading.get_ident()]
            self._call()

    def _call(self) -> None:
        queue = self._next()
        if queue:
            queue[0].set()


_QUEUE = RenderQueue()
turn, aside, is_idle = _QUEUE.turn, _QUEUE.aside, _QUEUE.is_idle
