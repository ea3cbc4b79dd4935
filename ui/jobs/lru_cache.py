"""What was made is kept for who asks for the same again: as much as fits into a number of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ui.jobs.nbytes import nbytes

__all__ = ["Bounded"]


class Bounded:
    """Keeps what was made, least recently asked out first; the newest stays, however large.

    Parameters
    ----------
    max_bytes : int
        Bound on the arrays of what is kept.
    """

    def __init__(self, max_bytes: int) -> None:
        self._kept: OrderedDict[Hashable, tuple[Any, Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._max_bytes = max_bytes

    def get(
        self,
        key: Hashable,
        make: Callable[[], Any],
        *,
        source: Any = None,
        large: Callable[[Any], object] = lambda made: made,
    ) -> Any:
        """Return what belongs to ``key``, made in this thread where there is nothing of this very ``source``.

        ``large(made)`` are the parts whose arrays count, where looking through all of it takes long.
        """
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept[0] is source:
                self._kept.move_to_end(key)
                return kept[1]
        value = make()
        size = nbytes((source, large(value)))
        with self._lock:
            self._kept[key] = source, value, size
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._total() > self._max_bytes:
                self._kept.popitem(last=False)
        return value

    @property
    def nbytes(self) -> int:
        """How much is held, in bytes."""
        with self._lock:
            return self._total()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def _total(self) -> int:
        return sum(size for _, _, size in self._kept.values())
