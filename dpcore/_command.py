"""Checks and progress lines that the commands of the command line share."""

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
    """One command of the command line, as two functions.

    ``add_arguments`` adds the arguments of the command to a parser. ``run`` runs the command and returns its exit
    code.
    """

    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def require(package: str, command: str, *, extra: str) -> None:
    """Raise Refused unless the package that a command needs is installed.

    The message contains the pip command that installs the package with the optional dependencies ``dpcore[extra]``.
    """
    if importlib.util.find_spec(package) is None:
        raise Refused(
            f"{command} needs {package}, which is not installed: pip install 'dpcore[{extra}]'."
        )


def require_folder(option: str, folder: str | Path) -> None:
    """Raise Refused unless ``folder``, which was given for the option ``option``, is an existing folder."""
    if not Path(folder).is_dir():
        raise Refused(
            f"{option} {folder} is not a folder: give one that exists, or leave {option} out."
        )


def require_writable(file: Path) -> None:
    """Raise Refused unless a file can be written.

    Missing folders of the file are created. A file that exists is not changed.
    """
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
    """Printer of progress lines with the remaining time, estimated from the mean time of the finished tasks.

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
        """Count a finished task, described by ``name``, and report the remaining time."""
        self._done += 1
        left = (time.monotonic() - self._begun) / self._done * (self._total - self._done)
        minutes, seconds = divmod(round(left), 60)
        self._tell(f"{self._done:5d}/{self._total}  {minutes:d}:{seconds:02d} left  {name}")
        if self._done == self._total and self._tell is show:
            end_line()


def show(line: str) -> None:
    """Print a progress line on stderr; on a terminal it overwrites the progress line before."""
    if not sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)
        return
    columns = 79
    with suppress(OSError):
        columns = os.get_terminal_size(sys.stderr.fileno()).columns - 1
    print(f"\r{line[:columns]:<{columns}}", end="", file=sys.stderr, flush=True)


def end_line() -> None:
    """Print a line break on a terminal, so that the next message stands below the line that `show` overwrites."""
    if sys.stderr.isatty():
        print(file=sys.stderr, flush=True)
