"""Limit on the open files of the server process.

Each connection of a browser or phone needs an open file.
"""

from __future__ import annotations

import contextlib

__all__ = ["WANTED", "raise_limit"]

WANTED = 16_384
"""Wanted number of open files, for the event streams of all phones and the connections of readers."""


def raise_limit() -> None:
    """Raise the limit on open files as far as the system allows, up to `WANTED`.

    Many systems start a process with a limit of 1,024. The event streams of one network alone would use up all of
    them, and the server could accept no further connection.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
