"""Options of glibc's allocator, and release of the freed memory that it keeps to the operating system."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

__all__ = ["set_option", "set_thresholds", "trim"]

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # as in glibc's malloc.h
_LARGE = 2**20  # bytes of an array that has pages of its own, which go when it goes
_TOP = 2**22  # bytes at the end of a heap that stay: a loop would ask for them each time
_HEAPS = 2


def _glibc() -> Any:
    return ctypes.CDLL(None)


def set_option(name: int, value: int) -> None:
    """Set an option of glibc's allocator, given by its number in malloc.h; without glibc do nothing."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        _glibc().mallopt(name, value)


def set_thresholds() -> None:
    """Configure glibc's allocator to keep less freed memory; without glibc do nothing."""
    set_option(_ARENA_MAX, _HEAPS)
    set_option(_MMAP_THRESHOLD, _LARGE)
    set_option(_TRIM_THRESHOLD, _TOP)


def trim() -> None:
    """Give the allocator's free memory back to the operating system."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        _glibc().malloc_trim(0)
