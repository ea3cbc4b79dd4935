"""What commands of the command line share: checks before any work, and lines of progress."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dpcore.journal import Refused

__all__ = ["Command", "Progress", "require", "require_folder", "require_writable", "show"]


class Command(NamedTuple):
    """Command of a module: a function that adds its arguments to a parser, and one that runs it."""

    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def require(package: str, command: str, *, extra: str) -> None:
    """Raise Refused unless a package that a command needs is installed; ``extra`` is the extra that installs it."""
    if importlib.util.find_spec(package) is None:
        raise Refused(
            f"{command} needs {package}, which is not installed: pip install 'dpcore[{extra}]'."
        )


def require_folder(option: str, folder: str | Path) -> None:
    """Raise Refused unless ``folder``, the value of an option, is a folder."""
    if not Path(folder).is_dir():
        raise Refused(
            f"{option} {folder} is not a folder: give one that exists, or leave {option} out."
        )


def require_writable(file: Path) -> None:
    """Raise Refused unless a file can be written; missing folders are created, existing files unchanged."""
    existed = file.exists()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab"):
            pass
        if not existed:
            file.unlink()
    except OSError as error:
        raise Refused(
            f"{file} cannot be written: {error.strerror or error}. Name another file."
        ) from error


class Progress:
    """Lines of progress with the remaining time, estimated from the mean time of the finished tasks.

    Parameters
    ----------
    total : int
        Number of tasks.
    tell : callable
        Called with each line; by default `show`.
    """

    def __init__(self, total: int, tell: Callable[[str], None] | None = None) -> None:
        self._total, self._done = total, 0
        self._begun, self._tell = time.monotonic(), tell or show

    def step(self, name: str) -> None:
        """Count a finished task and tell the remaining time; ``name`` describes the task."""
        self._done += 1
        left = (time.monotonic() - self._begun) / self._done * (self._total - self._done)
        minutes, seconds = divmod(round(left), 60)
        self._tell(f"{self._done:5d}/{self._total}  {minutes:d}:{seconds:02d} left  {name}")
        if self._done == self._total and self._tell is show:
            end_line()


def show(line: str) -> None:
    """Print a line of progress on stderr: overwrite one line on a terminal, print every line elsewhere."""
    if not sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)
        return
    columns = 79
    with suppress(OSError):
        columns = os.get_terminal_size(sys.stderr.fileno()).columns - 1
    print(f"\r{line[:columns]:<{columns}}", end="", file=sys.stderr, flush=True)


def end_line() -> None:
    """End the line that `show` overwrites on a terminal, so that the next message stands below it."""
    if sys.stderr.isatty():
        print(file=sys.stderr, flush=True)
