"""Memoisation of pure functions with small arguments; all threads of the process share the stored results."""

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
    """Statistics of a memo: numbers of calls, computations and stored results, and the limit on stored results."""

    calls: int
    computed: int
    entries: int
    max_entries: int


class Memo:
    """LRU cache for the results of pure functions; function and arguments form the cache key.

    Concurrent calls with the same arguments share one computation. If the computation raises an exception, every one
    of these calls raises it, and nothing is cached. Calls with unhashable arguments are not cached.

    Parameters
    ----------
    max_entries : int
        Largest total number of stored results, over all functions; at least 1.

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
        self._results: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._calls = self._computed = 0

    def of(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a memoised version of a function; callers must not mutate its results.

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
        """Return the statistics since the last `clear`."""
        with self._lock:
            return Info(self._calls, self._computed, len(self._results), self._max_entries)

    def clear(self) -> None:
        """Remove all stored results and set the counts to 0."""
        with self._lock:
            self._results.clear()
            self._calls = self._computed = 0

    def _answer(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            self._calls += 1
            future = self._results.get(key)
            if future is not None:
                self._results.move_to_end(key)
            else:
                self._computed += 1
                mine: Future[T] = Future()
                self._results[key] = mine
                if len(self._results) > self._max_entries:
                    self._results.popitem(last=False)  # who waits for it still gets it
        if future is not None:
            return cast(T, future.result())
        try:
            mine.set_result(compute())
        except BaseException as error:
            mine.set_exception(error)
            with self._lock:
                if self._results.get(key) is mine:
                    del self._results[key]
            raise
        return mine.result()


def _typed(value: object) -> Hashable:
    """Return the pair (type, value), which differs for equal values of different types (1 and 1.0)."""
    plain = value.item() if isinstance(value, np.generic) else value
    return type(plain), plain


ACCOUNTS = Memo(max_entries=16_384)
"""Cache for the results of the accountants, shared by all sessions; a full cache takes about 10 MB."""
