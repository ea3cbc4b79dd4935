"""Exclusive lock on an open file, acquired through a call of the operating system."""

from __future__ import annotations

import os
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

__all__ = ["try_lock"]

_PLACE = 2**30  # Windows locks bytes, and refuses to read locked ones: lock one past the text


def try_lock(file: IO[Any]) -> bool:
    """Lock a file until it is closed; return False if the file is already locked.

    On POSIX the lock is advisory. Python in a browser has no file locks. Because only one process exists there, the
    result is then always True.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     try_lock(file)
    True
    """
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            _lock_byte(file.fileno(), msvcrt)
    except OSError:
        return False
    return True


def _lock_byte(descriptor: int, system: Any) -> None:
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _PLACE, os.SEEK_SET)
    try:
        system.locking(descriptor, system.LK_NBLCK, 1)
    finally:
        os.lseek(descriptor, place, os.SEEK_SET)
