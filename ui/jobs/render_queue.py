"""Whose turn it is to draw: few pages at once, in the order in which readers came.

Python runs one thread at a time. Sixty pages that are drawn at once are all ready at the end of the
last one, and the messages of every one wait behind the work of the others; one after the other, half
of the readers have theirs in half of that time, and nobody later than before.

Whoever has a page already and moves a handle comes before those who open one: an answer is made in a
tenth of the time, and is waited for with the hand on the handle. After a few answers it is a page's
turn all the same.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Turns", "aside", "is_idle", "turn"]


class Turns:
    """Few threads at once, first come, first served.

    Parameters
    ----------
    at_once : int
        How many.
    longest : float
        Seconds after which one that still works is not counted any more: a long one does not hold up
        the others.
    in_a_row : int
        How many soon ones come one after the other while somebody else waits.
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
        """Wait for one's turn and have it, ``soon``: before those who are not; one within another is the same."""
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
        """Let others have their turn while this thread waits for something; then it is next."""
        if threading.get_ident() not in self._begun:
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(self._soon.appendleft)

    def is_idle(self) -> bool:
        """Whether nobody has a turn or waits for one."""
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
        """The queue whose first is next."""
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
        """Seconds to wait; the next one wakes by itself, the others are called."""
        with self._lock:
            return self._left() or 0.0 if self._is_next(called) else None

    def _left(self) -> float | None:
        """Seconds until the next place is free, None where one is."""
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


_TURNS = Turns()
turn, aside, is_idle = _TURNS.turn, _TURNS.aside, _TURNS.is_idle
