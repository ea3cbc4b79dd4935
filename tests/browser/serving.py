"""A real application on a free port, and a real Chromium, for tests, benchmarks and screenshots."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

__all__ = ["LAUNCH", "chromium", "free_port", "served", "served_together", "started", "wait_for"]

ROOT = Path(__file__).resolve().parents[2]
# DPCORE_SERVED_BY=tests.as_windows lets journeys meet what Windows lacks.
COMMAND = ("-m", os.environ.get("DPCORE_SERVED_BY", "streamlit"))
LAUNCH = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium() -> str | None:
    """Return the path of the system's Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


def free_port() -> int:
    """Return a port on which no process listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(
    script: Path,
    *options: str,
    command: Sequence[str] = COMMAND,
    port: int | None = None,
) -> Iterator[str]:
    """Run a Streamlit script on a free port; yield its address; end it by its own process id."""
    with started(script, *options, command=command, port=port) as (address, _):
        yield address


@contextmanager
def served_together(script: Path, folder: Path) -> Iterator[str]:
    """Run a Streamlit script as `served` does, with one server for all processes that name the same folder.

    The first process starts the server, and ends it when all other processes have finished.
    """
    try:
        import fcntl
    except ImportError:  # Windows: each process has a server of its own
        with served(script) as address:
            yield address
        return
    note = folder / "address.txt"
    with (folder / "users.lock").open("a") as users, ExitStack() as stack:
        fcntl.flock(users, fcntl.LOCK_SH)
        with (folder / "start.lock").open("a") as start:
            fcntl.flock(start, fcntl.LOCK_EX)
            starts = not note.exists()
            if starts:
                note.write_text(stack.enter_context(served(script)), "utf-8")
        yield note.read_text("utf-8")
        if starts:
            fcntl.flock(users, fcntl.LOCK_EX)
            note.unlink()


@contextmanager
def started(
    script: Path,
    *options: str,
    command: Sequence[str] = COMMAND,
    environment: Mapping[str, str] | None = None,
    port: int | None = None,
    root: Path = ROOT,
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a Streamlit script as `served` does; yield its address and its process.

    ``environment`` has additional environment variables, and ``root`` is the folder of the project.
    """
    port = free_port() if port is None else port
    whole = [sys.executable, *command, "run", str(script), "--server.headless=true",
               f"--server.port={port}", "--server.address=127.0.0.1", *options]  # fmt: skip
    known = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(root), **(environment or {})}
    process = subprocess.Popen(
        whole, cwd=root, env=known, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    told = (option.partition("=") for option in options)
    prefix = "".join(f"/{value}" for name, _, value in told if name == "--server.baseUrlPath")
    address = f"http://127.0.0.1:{port}{prefix}"
    try:
        wait_for(f"{address}/_stcore/health", process)
        yield address, process
    finally:
        process.terminate()
        process.wait(20)


class Process(Protocol):
    """A server's process, as far as `wait_for` uses it."""

    @property
    def returncode(self) -> int | None:
        """Exit code of the process, or None while it runs."""

    def poll(self) -> int | None:
        """Check whether the process has ended; return its exit code, or None while it runs."""


def wait_for(url: str, process: Process) -> None:
    """Wait until a server answers at ``url``.

    On a busy machine the imports of the application alone can take a minute.
    """
    for _ in range(1200):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended by itself with code {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError("the app did not answer within five minutes")
