"""Standard streams of a process: the encoding of what it prints, and pipes to its parent process."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, TextIO

__all__ = ["print_utf8", "take_pipe"]


def print_utf8() -> None:
    """Let this process print UTF-8.

    Windows takes its own code page when the output goes to a file or another program, and has no ε in it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def take_pipe(stream: TextIO, mode: str) -> IO[bytes]:
    """Return the pipe behind the standard input or output as a file of its own, and lead the stream nowhere.

    What libraries print then does not disturb messages in the pipe. While a thread waits for the standard input on
    Windows, an import of numpy or scipy waits too, since the Fortran library in them looks at the handle at its start
    (https://github.com/numpy/numpy/issues/24290); it may look at the null device.
    """
    pipe = os.fdopen(os.dup(stream.fileno()), mode)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    return pipe
