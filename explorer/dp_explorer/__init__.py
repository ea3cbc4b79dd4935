"""DP Explorer as an installed application, the program ``dp-explorer``.

This folder holds the application's own packages ``pages`` and ``ui``, which have these names in the program alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["main"]


def main(words: Sequence[str] | None = None) -> int:
    """Run ``dp-explorer``; return its exit status.

    ``words`` are the command and its options; None stands for the command line of the process.
    """
    home = str(Path(__file__).resolve().parent)
    sys.path.insert(0, home)
    # For the processes that this one starts.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when numpy is loaded

    from pages.__main__ import main as run

    return run(words, prog="dp-explorer")
