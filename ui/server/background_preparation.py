"""Low-priority process that runs ``python -m pages prepare`` beside the application."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path

__all__ = ["PREPARE", "start", "stop"]

PREPARE = "DPCORE_PREPARE"  # "1" prepares what is missing while the app runs
_ROOT = Path(__file__).resolve().parents[2]
_running: list[subprocess.Popen[bytes]] = []


def start() -> None:
    """Start ``python -m pages prepare`` if `PREPARE` is set.

    The started process ends when this process ends, even if this process is killed.
    """
    if os.environ.get(PREPARE) != "1" or _running:
        return
    command = [sys.executable, "-m", "pages", "prepare", "--background"]
    known = {**os.environ, "OMP_NUM_THREADS": "1"}
    nowhere = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, cwd=_ROOT, env=known, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
        )
    except OSError:
        return  # pages compute what they need
    _running.append(process)
    atexit.register(stop)


def stop() -> None:
    """End the preparing process.

    Results stored so far remain on disk.
    """
    while _running:
        process = _running.pop()
        process.kill()
        process.wait()
