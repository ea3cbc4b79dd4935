"""Disk cache of results: atomic writes, checksums, keys from the digest of the code that computes them.

Files are numpy's ``.npz`` with a checksum, read without pickle. Read-only folders, full disks and
damaged files raise no error: the result is computed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._serialize import Unpackable, pack, unpack
from dpcore._types import AnyArray

__all__ = [
    "ENVIRONMENT", "MAX_BYTES", "SHIPPED", "folder", "is_keepable", "is_whole", "places", "read", "read_arrays",
    "result_file", "tidy", "writable", "write", "write_arrays",
]  # fmt: skip

ENVIRONMENT = "DPCORE_CACHE"
SHIPPED = "DPCORE_PREPARED"
"""Names a second folder of results, made with an image of the app and only read."""
MAX_BYTES = 2**30
"""Bound on the results in the folder; the least recently used go first."""
_MONTH, _HOUR = 30 * 86_400.0, 3_600.0
_DAMAGED = (
    OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, ImportError, IndexError,
    RecursionError, NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def folder() -> Path:
    """Return the cache folder: DPCORE_CACHE, or else ``dpcore`` in the user's cache folder."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "dpcore"


def places() -> list[Path]:
    """Return the cache folders: first the writable one, then the one shipped with the app."""
    shipped = os.environ.get(SHIPPED)
    return [folder() / "results", *([Path(shipped) / "results"] if shipped else [])]


def result_file(name: str, key: object, *, code: str) -> Path:
    """Return the path of a result, whether or not it exists.

    Parameters
    ----------
    name : str
        Readable name, with which the file name begins.
    key : object
        Values that the result depends on, compared by their ``repr``.
    code : str
        The digest of the code that computes it, see `dpcore.code_digest`.
    """
    digest = hashlib.sha256(f"{code} {key!r}".encode()).hexdigest()[:24]
    file = f"{name}-{digest}.npz"
    found = (place / file for place in places())
    return next((path for path in found if path.exists()), places()[0] / file)


def is_whole(name: str) -> bool:
    """Return whether a file of this name exists undamaged in one of the folders."""
    return any(read_arrays(place / name) is not None for place in places())


def writable(file: Path) -> Path:
    """Return the path for writing a missing or damaged result."""
    return places()[0] / file.name


def read(file: Path) -> Any:
    """Return the value in a file, or None when it is absent or damaged."""
    arrays = read_arrays(file)
    try:
        return None if arrays is None else unpack(arrays)
    except _DAMAGED:
        return None


def is_keepable(value: object) -> bool:
    """Return whether a value can be serialised; a function cannot, for example."""
    try:
        pack(value)
    except Unpackable:
        return False
    return True


def write(file: Path, value: object) -> bool:
    """Write a value of numbers, texts, arrays and dataclasses; return False if it cannot be serialised or written."""
    try:
        arrays = pack(value)
    except Unpackable:
        return False
    return write_arrays(file, arrays, small=True)


def read_arrays(file: Path) -> dict[str, AnyArray] | None:
    """Return the arrays in a file by name, or None when it is absent or damaged."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files if name != "checksum"}
            intact = str(found["checksum"]) == _checksum(arrays.values())
    except _DAMAGED:
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # used now: `tidy` goes by it
    return arrays if intact else None


def write_arrays(file: Path, arrays: Mapping[str, AnyArray], *, small: bool = False) -> bool:
    """Write arrays atomically; return False if the disk cannot be written to."""
    save: Any = np.savez_compressed if small else np.savez
    name = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            name = part.name
            save(part, checksum=_checksum(arrays.values()), **arrays)
        os.replace(name, file)
    except OSError:
        if name:
            _remove(Path(name))
        return False
    return True


def _checksum(arrays: Iterable[AnyArray]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return found.hexdigest()


def tidy(*, max_bytes: int = MAX_BYTES) -> int:
    """Remove results unused for a month, and the least recently used ones beyond a size limit.

    Parameters
    ----------
    max_bytes : int
        Bound on all results together.

    Returns
    -------
    int
        The bytes that are left.
    """
    now, files = time.time(), []
    for file in sorted((folder() / "results").rglob("*.*")):
        with contextlib.suppress(OSError):
            facts = file.stat()
            limit = _HOUR if file.suffix == ".part" else _MONTH
            if now - facts.st_mtime > limit:
                file.unlink(missing_ok=True)
            else:
                files.append((facts.st_mtime, facts.st_size, file))
    total = sum(size for _, size, _ in files)
    for _, size, file in sorted(files):
        if total <= max_bytes:
            break
        _remove(file)
        total -= size
    return total


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
