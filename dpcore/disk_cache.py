"""Disk cache of results; file names depend on a digest of the code, and folders on the platform.

Files are numpy's ``.npz`` with a checksum. They are written atomically and read without pickle. Read-only folders,
full disks and damaged files raise no error. A result that cannot be read is computed again.
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
"""Environment variable with a second, read-only folder of results; an image or a wheel of the app contains it.

Its results count on every platform: where libraries have other versions, they may round differently.
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
    """Return the cache folder: DPCORE_CACHE, or ``dpcore`` in the user's cache folder.

    DPCORE_CACHE is an environment variable.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return (Path(base) if base else usual) / "dpcore"


def places() -> list[Path]:
    """Return the folders that contain results: the writable one of this platform, then those shipped with the app."""
    shipped = os.environ.get(SHIPPED)
    ours = platform_digest()
    return [_results(folder()) / ours, *(_by_platform(Path(shipped), ours) if shipped else [])]


def _results(home: Path) -> Path:
    return home / "results"


def _by_platform(home: Path, first: str) -> list[Path]:
    """Return the folders of results in a cache folder, that of the platform ``first`` in front."""
    try:
        found = [place for place in _results(home).iterdir() if place.is_dir()]
    except OSError:
        return []
    return sorted(found, key=lambda place: (place.name != first, place.name))


def result_file(name: str, key: object, *, code: str) -> Path:
    """Return the path of the file of a result, whether or not the file exists.

    Parameters
    ----------
    name : str
        Readable beginning of the file name.
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
    """Return whether a folder of results contains an undamaged file with this name."""
    return any(read_arrays(place / name) is not None for place in places())


def writable(file: Path) -> Path:
    """Return the path in the writable folder for a file that is missing or damaged."""
    return places()[0] / file.name


def read(file: Path) -> Any:
    """Return the value in a file, or None if the file is missing or damaged."""
    arrays = read_arrays(file)
    try:
        return None if arrays is None else unpack(arrays)
    except _DAMAGED:
        return None


def is_keepable(value: object) -> bool:
    """Return whether a value can be serialised; a value with a function cannot, for example."""
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
    """Write arrays by name to a file, atomically; return False if the disk cannot be written to."""
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
    """Remove results that were not used for a month, and least recently used ones beyond ``max_bytes``.

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
