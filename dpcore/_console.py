"""Standard streams of a process, which print UTF-8 or serve as pipes to the parent process."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, TextIO

__all__ = ["print_utf8", "take_pipe"]


def print_utf8() -> None:
    """Make this process print UTF-8.

    Without this, Windows encodes output to a file or to another program in a code page that has no ε.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def take_pipe(stream: TextIO, mode: str) -> IO[bytes]:
    """Return the pipe behind a standard stream as a new file, and redirect the stream to the null device.

    There are two reasons for the redirection. The text that libraries print does not disturb the messages in the
    pipe. And on Windows, imports of numpy and scipy would wait while a thread reads from the standard input, since
    their Fortran library inspects this stream when it is loaded (https://github.com/numpy/numpy/issues/24290). The
    null device can always be inspected.
    """
    pipe = os.fdopen(os.dup(stream.fileno()), mode)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    return pipe
