"""Journal of a long run, a file with one line for every finished task.

The journal survives a crash. A task counts as finished when its line is written completely and synced to disk. When
the file is opened, an incomplete last line is removed. Tasks that have a line need not run again. A lock prevents two
runs from using the same file. A run that finishes no task leaves no file.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dpcore.file_lock import try_lock

__all__ = ["Journal", "Refused"]


class Refused(ValueError):
    """Error: a run cannot start as requested; the message gives the reason and the remedy."""


class Journal:
    """Context manager that appends the results of finished tasks to a file; the results of a task are its rows.

    Parameters
    ----------
    path : Path
        File of the journal. It is created if it is missing, and deleted at the end if no task has finished.
    settings : dict
        Settings that the results depend on. An existing file with other settings is refused.

    Attributes
    ----------
    done : dict[str, list[dict]]
        Rows of each finished task, by its key.

    Raises
    ------
    Refused
        When another run has locked the file, or the file was written with other settings.
    """

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self._path = path
        words = json.dumps(settings, sort_keys=True, default=str)
        self._mark = hashlib.sha256(words.encode()).hexdigest()[:16]
        self.done: dict[str, list[dict[str, Any]]] = {}
        self._has_settings = False

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self._path, "a+b")
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def add(self, key: str, rows: list[dict[str, Any]]) -> bool:
        """Write the rows of a finished task; return False, and write nothing, if the task already has rows."""
        if key in self.done:
            return False
        if not self._has_settings:
            self._write({"settings": self._mark})
            self._has_settings = True
        self._write({"key": key, "rows": rows})
        self.done[key] = rows
        return True

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of all finished tasks, sorted by the tasks' keys."""
        return [row for key in sorted(self.done) for row in self.done[key]]

    def _lock(self) -> None:
        if not (try_lock(self._file) and self._is_in_place()):
            raise Refused(
                f"{self._path.name} is in use by another run: wait for it, or give another --out."
            )

    def _is_in_place(self) -> bool:
        """Return whether the path still leads to the open file; another run may have deleted this file meanwhile."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _read(self) -> None:
        self._file.seek(0)
        whole = self._file.read()
        end = whole.rfind(b"\n") + 1
        self._file.truncate(end)
        lines = [json.loads(line) for line in whole[:end].splitlines()]
        if len(lines) == 1:  # settings without a task say nothing
            self._file.truncate(0)
            lines = []
        self._has_settings = bool(lines)
        if lines and lines[0].get("settings") != self._mark:
            raise Refused(
                f"{self._path.name} was written with other settings or by another version of the "
                "program: give another --out, or remove it."
            )
        self.done = {line["key"]: line["rows"] for line in lines[1:]}

    def _close(self) -> None:
        # Deleted before it is unlocked, so that no other run can have it by then. Windows deletes no open file.
        if not self._has_settings:
            with suppress(OSError):
                self._path.unlink()
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
