"""What a program says and returns when it is stopped with Ctrl-C."""

from __future__ import annotations

import sys
from functools import cache

__all__ = ["INTERRUPTED", "say_stopped"]

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 and the number of the signal."""


@cache
def say_stopped() -> None:
    """Print, once in a process, that it was stopped."""
    print("Stopped.", file=sys.stderr, flush=True)
