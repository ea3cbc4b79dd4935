"""Return of free memory to the operating system, since glibc's allocator keeps large parts of it."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

__all__ = ["set_thresholds", "trim"]

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # as in glibc's malloc.h
_LARGE = 2**20  # bytes of an array that has pages of its own, which go when it goes
_TOP = 2**22  # bytes at the end of a heap that stay: a loop would ask for them each time
_HEAPS = 2


def _glibc() -> Any:
    return ctypes.CDLL(None)


def set_thresholds() -> None:
    """Configure glibc's allocator to keep less freed memory; without effect on other systems."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        library = _glibc()
        for name, value in (
            (_ARENA_MAX, _HEAPS),
            (_MMAP_THRESHOLD, _LARGE),
            (_TRIM_THRESHOLD, _TOP),
        ):
            library.mallopt(name, value)


def trim() -> None:
    """Return free memory of the allocator to the operating system."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        _glibc().malloc_trim(0)
