"""Streamlit's command line with a counter of accountant computations; run it like ``streamlit``.

A call whose result is cached is not counted. A computation that starts others counts once.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

FILE = "DPCORE_BENCH_CALLS"  # of four numbers: calls by scripts, by jobs; their processor seconds
_LOCAL = threading.local()
_LOCK = threading.Lock()


def _count(body: Callable[..., Any], kept: np.memmap[Any, Any]) -> Callable[..., Any]:
    def counted(*args: Any, **named: Any) -> Any:
        if getattr(_LOCAL, "inside", False):
            return body(*args, **named)
        _LOCAL.inside, start = True, time.thread_time()
        try:
            return body(*args, **named)
        finally:
            _LOCAL.inside = False
            job = threading.current_thread().name.startswith("job")
            with _LOCK:
                kept[0 + job] += 1
                kept[2 + job] += time.thread_time() - start

    return counted


def _replaced(function: Any, kept: np.memmap[Any, Any]) -> None:
    """Replace the code of a function by code that also counts its calls, in all modules that have imported it."""
    inner = getattr(function, "__wrapped__", function)
    body = FunctionType(inner.__code__, inner.__globals__, inner.__name__, inner.__defaults__)
    body.__kwdefaults__ = inner.__kwdefaults__
    name = f"_counted_{inner.__name__}"
    inner.__globals__[name] = _count(body, kept)
    space: dict[str, Any] = {}
    exec(f"def stand_in(*args, **named):\n    return {name}(*args, **named)", space)
    inner.__code__ = space["stand_in"].__code__


def main() -> None:
    """Install the counters, and run Streamlit's command line."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from streamlit.web.cli import main as streamlit

    from dpcore import accounting

    kept = np.memmap(os.environ[FILE], float, "r+", shape=(4,))
    for name in (
        "account",
        "epsilon",
        "spent",
        "noise_multiplier",
        "loss_tail",
        "gaussian_tail",
        "optimal",
    ):
        _replaced(getattr(accounting, name), kept)
    streamlit()


if __name__ == "__main__":
    main()
