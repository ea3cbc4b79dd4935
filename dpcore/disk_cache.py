"""Disk cache of results, with atomic writes, checksums, and file names that depend on a digest of the code.

Files are numpy's ``.npz`` with a checksum and are read without pickle. Read-only folders, full disks and damaged
files raise no error: a result that cannot be read is computed again.
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
    """Return the cache folder: the environment variable DPCORE_CACHE, or ``dpcore`` in the user's cache folder."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "dpcore"


def places() -> list[Path]:
    """Return the folders of results: first the writable one, then the one shipped with the app, if any."""
    shipped = os.environ.get(SHIPPED)
    return [folder() / "results", *([Path(shipped) / "results"] if shipped else [])]


def result_file(name: str, key: object, *, code: str) -> Path:
    """Return the path of the file of a result, whether or not the file exists.

    Parameters
    ----------
    name : str
        Readable name with which the file name begins.
    key : object
        Values that the result depends on, compared by their ``repr``.
    code : str
        Digest of the code that computes the result, see `dpcore.code_digest`.
    """
    digest = hashlib.sha256(f"{code} {key!r}".encode()).hexdigest()[:24]
    file = f"{name}-{digest}.npz"
    paths = (place / file for place in places())
    return next((path for path in paths if path.exists()), places()[0] / file)


def is_whole(name: str) -> bool:
    """Return whether an undamaged file of this name exists in one of the folders of results."""
    return any(read_arrays(place / name) is not None for place in places())


def writable(file: Path) -> Path:
    """Return the path at which to write a result whose file is missing or damaged, in the writable folder."""
    return places()[0] / file.name


def read(file: Path) -> Any:
    """Return the value in a file, or None if the file is absent or damaged."""
    arrays = read_arrays(file)
    try:
        return None if arrays is None else unpack(arrays)
    except _DAMAGED:
        return None


def is_keepable(value: object) -> bool:
    """Return whether a value can be serialised; a value that contains a function cannot, for example."""
    try:
        pack(value)
    except Unpackable:
        return False
    return True


def write(file: Path, value: object) -> bool:
    """Write a value of numbers, texts, arrays and dataclasses to a file; return False if this fails."""
    try:
        arrays = pack(value)
    except Unpackable:
        return False
    return write_arrays(file, arrays, small=True)


def read_arrays(file: Path) -> dict[str, AnyArray] | None:
    """Return the arrays in a file by their names, or None if the file is absent or damaged."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files if name != "checksum"}
            intact = str(archive["checksum"]) == _checksum(arrays.values())
    except _DAMAGED:
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # used now: `tidy` goes by it
    return arrays if intact else None


def write_arrays(file: Path, arrays: Mapping[str, AnyArray], *, small: bool = False) -> bool:
    """Write arrays by their names to a file, atomically; return False if the disk cannot be written to."""
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
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return digest.hexdigest()


def tidy(*, max_bytes: int = MAX_BYTES) -> int:
    """Remove results that were not used for a month, and the least recently used ones beyond a size limit.

    Parameters
    ----------
    max_bytes : int
        Largest total size of all results.

    Returns
    -------
    int
        Total size in bytes of the remaining results.
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
