"""Drafts that stood in while handles moved: a handle comes by the same values again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ui.sized import nbytes

__all__ = ["Drafts"]


class Drafts:
    """Keeps drafts, least recently asked out first; the newest stays, however large.

    Parameters
    ----------
    max_bytes : int
        Bound on the arrays of what is kept.
    """

    def __init__(self, max_bytes: int) -> None:
        self._kept: OrderedDict[Hashable, tuple[Any, Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._max_bytes = max_bytes

    def get(self, key: Hashable, make: Callable[[], Any], *, source: Any = None) -> Any:
        """Return the draft of ``key``, made in this thread where there is none of this very ``source``."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept[0] is source:
                self._kept.move_to_end(key)
                return kept[1]
        value = make()
        size = nbytes((source, value))
        with self._lock:
            self._kept[key] = source, value, size
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._total() > self._max_bytes:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all drafts."""
        with self._lock:
            self._kept.clear()

    def _total(self) -> int:
        return sum(size for _, _, size in self._kept.values())
