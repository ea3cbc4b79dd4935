"""Generator functions that run in a worker process, so that their memory is freed when the process ends.

A worker process waits 20 seconds for the next generator before it ends, so that torch need not be loaded again. It
also ends when its parent process ends, even if the parent is killed. Messages are sent through the standard input and
output of the worker process, the only pipes that a new process gets on every operating system.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from typing import IO, Any, TypeVar

from dpcore._console import take_pipe

__all__ = ["in_worker_process"]

T = TypeVar("T")
_ROOT = Path(__file__).resolve().parent.parent
_LOOK, _KEPT = 0.1, 20.0  # seconds between two checks; for which a process waits for more work
_SIZE_BYTES = 8  # of the number before a message
# Windows has no `os.nice`; elsewhere the process lowers its priority itself.
_LOW_PRIORITY = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)


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
        A generator function defined at the top level of a module; the worker process imports it by name.
    *args
        Arguments of the function. Arguments and yielded values are copied between the processes.
    progress, check : callables
        Functions that this process calls. ``progress`` gets the fraction and the text that ``function`` reports.
        ``check`` is called several times a second; if it raises, the worker process is killed.

    Raises
    ------
    RuntimeError
        When the worker process ends before its work is done.
    Exception
        Any exception that ``function`` raises in the worker process.
    """
    process, resting = _taken(), False
    try:
        process.send((function.__module__, function.__qualname__, args))
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
    """Worker process with a thread that receives its messages."""

    def __init__(self) -> None:
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], creationflags=_LOW_PRIORITY,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        # One message at a time: a worker process that is faster than its reader waits.
        self._received: Queue[bytes | None] = Queue(1)
        self._receiver = threading.Thread(target=self._receive, name="worker", daemon=True)
        self._receiver.start()

    def is_alive(self) -> bool:
        """Return whether the worker process runs."""
        return self._process.poll() is None

    def send(self, request: tuple[str, str, tuple[Any, ...]]) -> None:
        """Send the worker process a function and its arguments."""
        assert self._process.stdin is not None  # a pipe
        content = pickle.dumps(request)
        with contextlib.suppress(OSError):  # it has ended, which `messages` says
            _write(self._process.stdin, content)

    def messages(self, check: Callable[[], None]) -> Iterator[tuple[str, Any]]:
        """Yield the messages of the worker process until the requested generator ends.

        A message is a pair of its kind ("value", "progress" or "end") and its content. ``check`` is called while
        waiting for a message.
        """
        kind = ""
        while kind != "end":
            received = self._next(check)
            if received is None:
                raise RuntimeError("The process that did the work has ended.")
            kind, content = pickle.loads(received)
            yield kind, content

    def _next(self, check: Callable[[], None]) -> bytes | None:
        while True:
            check()
            with contextlib.suppress(Empty):
                return self._received.get(timeout=_LOOK)

    def _receive(self) -> None:
        """Put the messages of the worker process into the queue, and None after the last message."""
        assert self._process.stdout is not None  # a pipe
        content: bytes | None = b""
        while content is not None:
            content = _read(self._process.stdout)
            self._received.put(content)

    def end(self) -> None:
        """Kill the worker process."""
        self._process.kill()
        self._process.wait()
        while self._receiver.is_alive():
            with contextlib.suppress(Empty):  # the receiver may wait for room in the queue
                self._received.get_nowait()
            self._receiver.join(0.01)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what could not be sent
                pipe.close()


_resting: list[_Process] = []


def _taken() -> _Process:
    with contextlib.suppress(IndexError):
        while True:
            process = _resting.pop()
            if process.is_alive():
                return process
            process.end()
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


def _write(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(len(content).to_bytes(_SIZE_BYTES, "big"))
    pipe.write(content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """Return the next message, or None at the end of the pipe."""
    with contextlib.suppress(OSError, ValueError):
        head = pipe.read(_SIZE_BYTES)
        size = int.from_bytes(head, "big")
        content = pipe.read(size)
        return content if len(head) == _SIZE_BYTES and len(content) == size else None
    return None


def _work(requests: SimpleQueue[bytes], out: IO[bytes]) -> None:
    """Run the requested generators one after the other, and write their values, progress and errors to ``out``."""

    def tell(kind: str, content: object) -> None:
        _write(out, pickle.dumps((kind, content)))

    while True:
        module, name, args = pickle.loads(requests.get())
        error = None
        try:
            report = lambda part, text: tell("progress", (part, text))  # noqa: E731
            for value in getattr(import_module(module), name)(*args, progress=report):
                tell("value", value)
        except OSError:
            raise
        except Exception as raised:
            error = raised
        tell("end", error)


def _receive_requests(pipe: IO[bytes], requests: SimpleQueue[bytes]) -> None:
    """Put the requests of the parent process into a queue, and end this process when the parent ends."""
    while (content := _read(pipe)) is not None:
        requests.put(content)
    os._exit(0)


def main() -> None:
    """Serve requests of the parent process until the parent ends."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    requests: SimpleQueue[bytes] = SimpleQueue()
    pipe, out = take_pipe(sys.stdin, "rb"), take_pipe(sys.stdout, "wb")
    threading.Thread(target=_receive_requests, args=[pipe, requests], daemon=True).start()
    with contextlib.suppress(OSError):  # nobody is there any more
        _work(requests, out)


if __name__ == "__main__":
    main()
