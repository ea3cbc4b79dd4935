"""Real servers in processes that have imported nothing of the project before they start.

Where the system can fork, they are forked from a process that has imported the libraries, and so start fast.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.serving import free_port, wait_for

__all__ = ["served_by_a_fork"]

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = [
    "streamlit.web.bootstrap", "streamlit.web.cli", "streamlit.testing.v1", "pandas", "plotly.graph_objects",
    "scipy.signal", "scipy.stats", "sklearn.base", "sklearn.utils.validation", "yaml",
]  # fmt: skip


class _Forked:
    """A forked process with the methods that `wait_for` calls."""

    def __init__(self, words: list[str]) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(LIBRARIES)  # once, before the first of them
        self.process = context.Process(target=_serve, args=[words], daemon=True)
        self.process.start()

    def poll(self) -> int | None:
        return self.process.exitcode

    @property
    def returncode(self) -> int | None:
        return self.process.exitcode


def _serve(words: list[str]) -> None:
    if known := {"dpcore", "pages", "ui"} & set(sys.modules):
        raise RuntimeError(f"{known} is there before the first request")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(ROOT)
    sys.argv = words
    from streamlit.web.cli import main

    main()


@contextmanager
def served_by_a_fork(script: Path) -> Iterator[str]:
    """Run a Streamlit script on a free port in a forked process; yield its address; end it by its own process id."""
    port = free_port()
    options = ("--server.headless=true", f"--server.port={port}", "--server.address=127.0.0.1")
    server = _Forked(["streamlit", "run", str(script), *options])
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/_stcore/health", server)
        yield address
    finally:
        server.process.terminate()
        server.process.join(20)
        assert server.process.exitcode is not None
