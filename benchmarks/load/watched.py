"""Running server that is monitored: memory, threads, files, processor time, and accountant calls."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.load import counted
from tests.browser.serving import started

__all__ = ["ROOT", "Server", "running", "version"]

ROOT = Path(__file__).resolve().parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A running application, given by its address and its processes, which are measured in /proc (Linux)."""

    def __init__(self, address: str, pids: list[int], calls: Path | None = None) -> None:
        self.address, self.pids, self._calls = address, pids, calls

    def cpu(self) -> float:
        """Return the processor seconds used so far by the application's processes and their child processes."""
        return sum(self._cpu(pid) + _of_children(pid) for pid in self.pids)

    def usage(self) -> dict[str, float]:
        """Return current and largest memory (MB), and numbers of threads and open files."""
        found = [_status(pid) for pid in self.pids]
        return {
            "rss_mb": round(sum(row["VmRSS"] for row in found) / 1024),
            "peak_mb": round(sum(row["VmHWM"] for row in found) / 1024),
            "threads": sum(row["Threads"] for row in found),
            "files": sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in self.pids),
        }

    def calls(self) -> dict[str, Any]:
        """Return number and seconds of the accountant calls so far, separately for scripts and background jobs."""
        if self._calls is None:
            return {}
        script, job, seconds, job_seconds = np.fromfile(self._calls, float)[:4].tolist()
        return {"script": script, "job": job, "script_s": seconds, "job_s": job_seconds}

    @staticmethod
    def _cpu(pid: int) -> float:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS  # its own, and of children that have ended


def _of_children(pid: int) -> float:
    total = 0.0
    for child in _with_children(pid)[1:]:
        with suppress(FileNotFoundError, ProcessLookupError):  # its parent counts what has ended
            total += Server._cpu(child)
    return total


def _with_children(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
                found.extend(map(int, task.read_text().split()))
    return found


def _status(pid: int) -> dict[str, int]:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    wanted = ("VmRSS", "VmHWM", "Threads")
    return {
        name: int(rest.split()[0])
        for name, _, rest in (line.partition(":") for line in lines)
        if name in wanted
    }


@contextmanager
def running(
    script: Path = ROOT / "app.py", *, calls: bool = False, ahead: bool = False
) -> Iterator[Server]:
    """Run an application in a new process.

    - ``calls``: whether accountant calls are counted.
    - ``ahead``: whether the application draws its pages in advance, as under `make app`. If not, the cost of
      each page can be measured separately.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "calls" if calls else None
        command, extra = ["-m", "streamlit"], {"DPCORE_AHEAD": "1" if ahead else ""}
        if file is not None:
            np.zeros(4).tofile(file)
            command, extra = [counted.__file__], {counted.FILE: str(file)}
        with started(script, command=command, environment=extra) as (address, process):
            yield Server(address, [process.pid], file)


def version() -> str:
    """Return the measured commit, followed by "+" if files have changed since."""
    told = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*told, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    changed = subprocess.run([*told, "status", "--porcelain"], capture_output=True, text=True)
    return commit.stdout.strip() + ("+" if changed.stdout.strip() else "")
