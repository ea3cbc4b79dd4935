"""Memoisation of pure functions of small arguments, shared by all threads of the process."""

from __future__ import annotations

import functools
import inspect
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

__all__ = ["ACCOUNTS", "Info", "Memo"]

P = ParamSpec("P")
T = TypeVar("T")


class Info(NamedTuple):
    """Statistics of a memo: numbers of calls, computations and stored results, and limit on stored results."""

    asked: int
    computed: int
    entries: int
    max_entries: int


class Memo:
    """LRU cache of results of pure functions, by function and arguments.

    Concurrent calls with the same arguments share one computation. If it raises an exception, all these calls
    raise it, and it is not cached. Calls with unhashable arguments are not cached.

    Parameters
    ----------
    max_entries : int
        Largest number of stored results, of all functions together; at least 1.

    Examples
    --------
    >>> memo = Memo(max_entries=2)
    >>> @memo.of
    ... def square(x):
    ...     return x * x
    >>> square(3), square(x=3), memo.info().computed
    (9, 9, 1)
    """

    def __init__(self, *, max_entries: int) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries={max_entries!r} has to be at least 1.")
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._asked = self._computed = 0

    def of(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a memoised version of a function, whose results callers must not mutate.

        The attribute ``__wrapped__`` is the original function.
        """
        signature = inspect.signature(function)

        @functools.wraps(function)
        def remembering(*args: P.args, **named: P.kwargs) -> T:
            try:
                bound = signature.bind(*args, **named)
                bound.apply_defaults()
                key = (function, *map(_typed, bound.arguments.values()))
                hash(key)
            except TypeError:  # no such argument, or no hash: the body has the words for it
                return function(*args, **named)
            return self._answer(key, lambda: function(*args, **named))

        return remembering

    def info(self) -> Info:
        """Return the numbers of calls and computations since the last `clear`, and of stored results."""
        with self._lock:
            return Info(self._asked, self._computed, len(self._kept), self._max_entries)

    def clear(self) -> None:
        """Remove all stored results and set the counts to 0."""
        with self._lock:
            self._kept.clear()
            self._asked = self._computed = 0

    def _answer(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            self._asked += 1
            future = self._kept.get(key)
            if future is not None:
                self._kept.move_to_end(key)
            else:
                self._computed += 1
                mine: Future[T] = Future()
                self._kept[key] = mine
                if len(self._kept) > self._max_entries:
                    self._kept.popitem(last=False)  # who waits for it still gets it
        if future is not None:
            return cast(T, future.result())
        try:
            mine.set_result(compute())
        except BaseException as error:
            mine.set_exception(error)
            with self._lock:
                if self._kept.get(key) is mine:
                    del self._kept[key]
            raise
        return mine.result()


def _typed(value: object) -> Hashable:
    """Return a value with its type, as part of a key: True equals 1.0 but is a different argument."""
    plain = value.item() if isinstance(value, np.generic) else value
    return type(plain), plain


ACCOUNTS = Memo(max_entries=16_384)
"""The results of accountants: a float each, some 10 MB at most. Shared by all sessions."""
