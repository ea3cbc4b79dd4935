"""Generators that run in a worker process, whose memory is freed when it ends (torch needs much memory).

After its work a worker process waits some seconds for the next generator, which then need not load torch again.
The worker process ends when its parent process ends, even if the parent is killed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["in_worker_process"]

T = TypeVar("T")
_ROOT = Path(__file__).resolve().parent.parent
_LOOK, _KEPT = 0.1, 20.0  # seconds between two checks; for which a process waits for more work


def in_worker_process(
    function: Callable[..., Iterator[T]],
    *args: Any,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[T]:
    """Yield the values that the generator ``function(*args, progress=...)`` yields in a worker process.

    Parameters
    ----------
    function : callable
        A top-level generator function of a module; the worker process imports it by name.
    *args
        Arguments of the function. Arguments and yielded values are copied between the processes.
    progress, check : callables
        ``progress`` is called here with the fraction and the text that the function reports. ``check`` is
        called several times a second; if it raises, the worker process is killed.

    Raises
    ------
    RuntimeError
        When the worker process ends before its work is done. Exceptions of the function are raised
        here as well.
    """
    if os.name != "posix":  # a line to another process is inherited there alone
        yield from function(*args, progress=progress, check=check)
        return
    process, resting = _taken(), False
    try:
        process.line.send((function.__module__, function.__qualname__, args))
        for kind, content in process.messages(check):
            if kind == "value":
                yield content
            elif kind == "progress":
                progress(*content)
            else:
                resting = True
                if content is not None:
                    raise content
    finally:
        _put_back(process) if resting else process.end()


class _Process:
    """Worker process, and the pipe that connects this process with it."""

    def __init__(self) -> None:
        self.line, its = Pipe()
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        nowhere = subprocess.DEVNULL
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(its.fileno())], pass_fds=[its.fileno()],
                env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)},
                stdin=nowhere, stdout=nowhere, stderr=nowhere,
            )  # fmt: skip

    def messages(self, check: Callable[[], None]) -> Iterator[tuple[str, Any]]:
        """Yield the messages of the worker process up to the one that marks the end of its work."""
        kind = ""
        while kind != "end":
            while not self.line.poll(_LOOK):
                check()
            check()
            try:
                kind, content = self.line.recv()
            except (EOFError, OSError) as error:
                raise RuntimeError("The process that did the work has ended.") from error
            yield kind, content

    def end(self) -> None:
        """Kill the worker process."""
        self.line.close()
        self._process.kill()
        self._process.wait()


_resting: list[_Process] = []


def _taken() -> _Process:
    with contextlib.suppress(IndexError):
        return _resting.pop()
    return _Process()


def _put_back(process: _Process) -> None:
    _resting.append(process)
    late = threading.Timer(_KEPT, _retire, [process])
    late.daemon = True
    late.start()


def _retire(process: _Process) -> None:
    with contextlib.suppress(ValueError):  # it works again, and rests anew after that
        _resting.remove(process)
        process.end()


def _work(line: Connection) -> None:
    while True:
        module, name, args = line.recv()
        error = None
        try:
            tell = lambda part, text: line.send(("progress", (part, text)))  # noqa: E731
            for value in getattr(import_module(module), name)(*args, progress=tell):
                line.send(("value", value))
        except OSError:
            raise
        except Exception as raised:
            error = raised
        line.send(("end", error))


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(10)
    with contextlib.suppress(EOFError, OSError):  # nobody is there any more
        _work(Connection(int(sys.argv[1])))
