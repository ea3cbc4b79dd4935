"""Disk cache of results; a file name contains a digest of the code, and a folder name a digest of the platform.

Files have numpy's format ``.npz`` and contain a checksum. They are written atomically and read without pickle.
Read-only folders, full disks and damaged files raise no error; callers compute a result again if it cannot be read.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._platform import platform_digest
from dpcore._serialize import Unpackable, pack, unpack
from dpcore._types import AnyArray

__all__ = [
    "ENVIRONMENT", "MAX_BYTES", "SHIPPED", "folder", "is_keepable", "is_whole", "places", "read", "read_arrays",
    "result_file", "tidy", "writable", "write", "write_arrays",
]  # fmt: skip

ENVIRONMENT = "DPCORE_CACHE"
SHIPPED = "DPCORE_PREPARED"
"""Environment variable that names a second, read-only cache folder, which is shipped with the app.

The results in it are used on every platform, although a platform with other library versions may round differently.
"""
MAX_BYTES = 2**30
"""Largest total size of the results in the folder, in bytes.

The least recently used results are deleted first.
"""
_MONTH, _HOUR = 30 * 86_400.0, 3_600.0
_DAMAGED = (
    OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, ImportError, IndexError,
    RecursionError, NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def folder() -> Path:
    """Return the cache folder.

    It is the value of the environment variable DPCORE_CACHE, or by default ``dpcore`` in the user's cache folder.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return (Path(base) if base else usual) / "dpcore"


def places() -> list[Path]:
    """Return the folders of results: first the writable folder of this platform, then those shipped with the app."""
    shipped = os.environ.get(SHIPPED)
    ours = platform_digest()
    return [_results(folder()) / ours, *(_by_platform(Path(shipped), ours) if shipped else [])]


def _results(home: Path) -> Path:
    return home / "results"


def _by_platform(home: Path, first: str) -> list[Path]:
    """Return the folders of results in a cache folder, starting with the one of the platform ``first``."""
    try:
        found = [place for place in _results(home).iterdir() if place.is_dir()]
    except OSError:
        return []
    return sorted(found, key=lambda place: (place.name != first, place.name))


def result_file(name: str, key: object, *, code: str) -> Path:
    """Return the path of the file that stores a result, or would store it.

    Parameters
    ----------
    name : str
        Readable first part of the file name.
    key : object
        Values that the result depends on. Two keys with the same ``repr`` are equal.
    code : str
        Digest of the code that computes the result, see `dpcore.code_digest`.
    """
    digest = hashlib.sha256(f"{code} {key!r}".encode()).hexdigest()[:24]
    file = f"{name}-{digest}.npz"
    paths = (place / file for place in places())
    return next((path for path in paths if path.exists()), places()[0] / file)


def is_whole(name: str) -> bool:
    """Return whether any folder of results contains an undamaged file with the name ``name``."""
    return any(read_arrays(place / name) is not None for place in places())


def writable(file: Path) -> Path:
    """Return the path in the writable folder of results that has the same file name as ``file``."""
    return places()[0] / file.name


def read(file: Path) -> Any:
    """Return the value in a file, or None if the file is missing or damaged."""
    arrays = read_arrays(file)
    try:
        return None if arrays is None else unpack(arrays)
    except _DAMAGED:
        return None


def is_keepable(value: object) -> bool:
    """Return whether a value can be serialised; a value that contains a function, for example, cannot."""
    try:
        pack(value)
    except Unpackable:
        return False
    return True


def write(file: Path, value: object) -> bool:
    """Write a value to a file; return False if this fails.

    The value may consist of numbers, strings, arrays, dataclasses, lists, tuples and dictionaries.
    """
    try:
        arrays = pack(value)
    except Unpackable:
        return False
    return write_arrays(file, arrays, small=True)


def read_arrays(file: Path) -> dict[str, AnyArray] | None:
    """Return the arrays in a file by name, or None if the file is missing or damaged."""
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
    """Write named arrays to a file, atomically; return False if this fails.

    If ``small`` is True, the file is compressed.
    """
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
    """Delete results that were not used for a month, and then, if the rest is too large, the least recently used.

    Parameters
    ----------
    max_bytes : int
        Largest total size in bytes of the remaining results.

    Returns
    -------
    int
        Total size in bytes of the remaining results.
    """
    now, files = time.time(), []
    for file in sorted(_results(folder()).rglob("*.*")):
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
