"""Message and exit status of a program that is stopped with Ctrl-C."""

from __future__ import annotations

import sys
from functools import cache

__all__ = ["INTERRUPTED", "say_stopped"]

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 plus the number of the signal."""


@cache
def say_stopped() -> None:
    """Print that the process was stopped, at the first call only."""
    print("Stopped.", file=sys.stderr, flush=True)
