"""CSV parsing in a subprocess with limits on memory and time, for untrusted files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from dpcore.datasets import _parse
from dpcore.datasets._limits import DataError, Limits, checked
from dpcore.datasets._parse import Column
from dpcore.datasets.csv import Table, table_of

__all__ = ["read_csv_in_subprocess"]

_AT_ONCE = threading.BoundedSemaphore(2)  # tables parsed at the same time; others wait


def read_csv_in_subprocess(
    content: bytes,
    *,
    limits: Limits | None = None,
    megabytes: int = 1024,
    seconds: int = 30,
    report: Callable[[float], None] | None = None,
) -> Table:
    """Read an untrusted CSV table in a subprocess with limits on memory and time.

    The result is equal to that of `read_csv`.

    Parameters
    ----------
    content : bytes
        Content of the file. Its size is checked in this process before it is sent to the subprocess.
    limits : Limits, optional
        Limits on the size of the table; by default ``Limits()``.
    megabytes, seconds : int
        Memory and processor time that the subprocess may use. The subprocess is also stopped after 2 ``seconds`` of
        real time.
    report : callable, optional
        Function that is called with the completed fraction, in [0, 1].

    Returns
    -------
    Table
        The parsed table.

    Raises
    ------
    DataError
        When the file is too large, is not a table or has no column of numbers, or when the subprocess exceeds a limit
        or ends without a result.
    """
    limits = limits or Limits()
    checked(content, limits)
    bounds = map(str, (megabytes, seconds, limits.columns))
    command = [sys.executable, "-I", "-S", str(Path(_parse.__file__)), *bounds]
    with _AT_ONCE, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:  # fmt: skip
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        clock = threading.Timer(2 * seconds, end)
        clock.start()
        try:
            columns = _answer(process, content, megabytes, report or (lambda part: None))
        finally:
            clock.cancel()
            process.kill()  # nothing when it has ended by itself
    if columns is None:
        if late.is_set() or process.returncode == -getattr(signal, "SIGXCPU", 0):
            raise _exceeds(f"{seconds} s")
        # Killed from outside, or out of memory where it could not say so any more.
        raise DataError(
            "The process that reads the table ended before it was done. Give the file again. If it ends again, take "
            f"a random sample of the rows, or leave columns out: reading may take {megabytes} MB of memory."
        )
    return table_of(columns, limits)


def _exceeds(most: str) -> DataError:
    return DataError(
        f"Reading the table takes more than {most}, which is all it may take. Take a random sample of its rows, or "
        "leave columns out."
    )


def _answer(
    process: subprocess.Popen[bytes],
    content: bytes,
    megabytes: int,
    report: Callable[[float], None],
) -> list[Column] | None:
    """Send a file to the parsing subprocess; return the columns, or None if the subprocess ended without a result.

    If the subprocess reports a fault of the table or a lack of memory, a DataError is raised.
    """
    assert process.stdin is not None  # both are pipes
    assert process.stdout is not None
    try:
        process.stdin.write(content)
        process.stdin.close()
    except OSError:  # a broken pipe, which Windows reports as an invalid argument
        pass  # the output may say why
    for line in process.stdout:
        news = json.loads(line)
        if "error" in news:
            raise DataError(news["error"])
        if "columns" in news:
            return _unpacked(process.stdout, news)
        if "memory" in news:
            raise _exceeds(f"{megabytes} MB of memory")
        report(news["done"])
    process.wait()
    return None


def _unpacked(stream: BinaryIO | Any, news: dict[str, Any]) -> list[Column] | None:
    rows, columns = int(news["rows"]), []
    for name, kind, numeric, size in news["columns"]:
        blob = stream.read(size)
        if len(blob) != size:
            return None
        values: Any
        if kind == "text":
            known = json.loads(blob[4 * rows :])
            values = [known[code] for code in array("i", blob[: 4 * rows])]
        else:
            values = array("q" if kind == "int" else "d", blob)
        columns.append(Column(name, kind, values, numeric))
    return columns
