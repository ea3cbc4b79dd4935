"""Least-recently-used (LRU) cache with a bound in bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from types import ModuleType
from typing import Any

__all__ = ["LRUCache", "nbytes"]


class LRUCache:
    """LRU cache of computed values.

    The newest value is cached even if it exceeds the bound.

    Parameters
    ----------
    max_bytes : int
        Bound on the bytes of the arrays in all values.
    """

    def __init__(self, max_bytes: int) -> None:
        self._entries: OrderedDict[Hashable, tuple[Any, Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._max_bytes = max_bytes

    def get(
        self,
        key: Hashable,
        make: Callable[[], Any],
        *,
        source: Any = None,
        large: Callable[[Any], object] = lambda value: value,
    ) -> Any:
        """Return the value of ``key``, from the cache or computed by ``make``.

        A cached value is used only if it was stored with the same object ``source``. ``large(value)`` returns the
        parts of a value in which arrays are counted. It is needed if a search of the whole value is slow.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and entry[0] is source:
                self._entries.move_to_end(key)
                return entry[1]
        value = make()
        size = nbytes((source, large(value)))
        with self._lock:
            self._entries[key] = source, value, size
            self._entries.move_to_end(key)
            while len(self._entries) > 1 and self._total() > self._max_bytes:
                self._entries.popitem(last=False)
        return value

    @property
    def nbytes(self) -> int:
        """Number of bytes of all cached values."""
        with self._lock:
            return self._total()

    def clear(self) -> None:
        """Remove all cached values."""
        with self._lock:
            self._entries.clear()

    def _total(self) -> int:
        return sum(size for _, _, size in self._entries.values())


def nbytes(value: object) -> int:
    """Return the number of bytes of all arrays in ``value``.

    Fields, mappings and sequences are searched recursively. An object that is referenced several times counts once.
    Numbers, strings and classes count as 0.

    Examples
    --------
    >>> import numpy as np
    >>> row = np.zeros(3)
    >>> nbytes({"a": row, "b": [row, np.zeros(2)]})
    40
    """
    total = 0
    rest: list[object] = [value]
    seen: set[int] = set()
    while rest:
        item = rest.pop()
        if id(item) in seen or isinstance(item, type | ModuleType | str | bytes):
            continue
        seen.add(id(item))
        size = getattr(item, "nbytes", None)
        if isinstance(size, int):
            total += size
        elif isinstance(item, Mapping):
            rest.extend(item.values())
        elif isinstance(item, list | tuple | set | frozenset):
            rest.extend(item)
        else:
            rest.extend(getattr(item, "__dict__", {}).values())
    return total
