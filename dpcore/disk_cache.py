"""What has been computed is kept on disk: written in one move, checked when read, never older than the code.

Files are numpy's ``.npz`` with a checksum, read without pickle. A folder that cannot be written to, a full
disk, a damaged file cost only the time to compute it again: nothing is raised.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._packed import Unpackable, pack, unpack
from dpcore._types import AnyArray

__all__ = [
    "ENVIRONMENT", "MAX_BYTES", "SHIPPED", "fingerprint", "folder", "is_keepable", "is_whole", "places",
    "read", "read_arrays", "result_file", "tidy", "writable", "write", "write_arrays",
]  # fmt: skip

ENVIRONMENT = "DPCORE_CACHE"
SHIPPED = "DPCORE_PREPARED"
"""Names a second folder of results, made with an image of the app and only read."""
MAX_BYTES = 2**30
"""Bound on the results in the folder; the least recently written go first, those of other code before all."""
_WEEK, _HOUR = 7 * 86_400.0, 3_600.0
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "torch", "dp-accounting")
_DAMAGED = (
    OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, ImportError, IndexError,
    RecursionError, NotImplementedError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def folder() -> Path:
    """Return the folder that DPCORE_CACHE names, or else ``dpcore`` in the user's cache folder."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "dpcore"


def places() -> list[Path]:
    """Return the folders with results: the one that is written to, then what came with the app."""
    shipped = os.environ.get(SHIPPED)
    return [folder() / "results", *([Path(shipped) / "results"] if shipped else [])]


@lru_cache(maxsize=8)
def fingerprint(*packages: str) -> str:
    """Return a digest of the source of ``dpcore``, of other packages, and of the libraries' versions.

    What other code has made is not found.
    """
    found = hashlib.sha256(f"{platform.python_version()} {platform.machine()}".encode())
    for library in _LIBRARIES:
        found.update(f"{library} {_version(library)}\n".encode())
    for package in ("dpcore", *sorted(set(packages) - {"dpcore"})):
        for path in _sources(package):
            text = path.read_bytes()
            found.update(f"{package} {path.name} {len(text)}\n".encode() + text)
    return found.hexdigest()[:16]


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def _sources(package: str) -> list[Path]:
    spec = find_spec(package)
    roots = spec.submodule_search_locations if spec else None
    if not roots:
        raise ValueError(f"{package!r} is no package whose source could be read.")
    files = [path for root in roots for path in Path(root).rglob("*")]
    return sorted(path for path in files if path.suffix in (".py", ".npz"))


def result_file(name: str, key: object, *, packages: tuple[str, ...] = ()) -> Path:
    """Return where the result ``name`` lies, or would: by the ``repr`` of its key and the code's digest."""
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
    there = Path(fingerprint(*packages)) / f"{name}-{digest}.npz"
    found = (place / there for place in places())
    return next((file for file in found if file.exists()), places()[0] / there)


def is_whole(name: str) -> bool:
    """Return whether the result ``DIGEST/FILE`` lies in one of the folders, undamaged."""
    return any(read_arrays(place / name) is not None for place in places())


def writable(file: Path) -> Path:
    """Return where a result is written that was looked for, or is damaged, at ``file``."""
    return places()[0] / file.parent.name / file.name


def read(file: Path) -> Any:
    """Return the value in a file, or None when it is absent or damaged."""
    arrays = read_arrays(file)
    try:
        return None if arrays is None else unpack(arrays)
    except _DAMAGED:
        return None


def is_keepable(value: object) -> bool:
    """Return whether there is nothing in a value that is not kept, such as a function."""
    try:
        pack(value)
    except Unpackable:
        return False
    return True


def write(file: Path, value: object) -> bool:
    """Write a value of numbers, texts, arrays and dataclasses; False when it cannot be kept."""
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
        return arrays if intact else None
    except _DAMAGED:
        return None


def write_arrays(file: Path, arrays: Mapping[str, AnyArray], *, small: bool = False) -> bool:
    """Write arrays so that a reader finds the whole file or none; False when the disk cannot be written to."""
    save: Any = np.savez_compressed if small else np.savez
    name = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            name = part.name
            save(part, checksum=_checksum(arrays.values()), **arrays)
        os.replace(name, file)
    except OSError:
        _remove(Path(name) if name else None)
        return False
    return True


def _checksum(arrays: Iterable[AnyArray]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return found.hexdigest()


def tidy(*current: str, max_bytes: int = MAX_BYTES) -> int:
    """Remove what nobody reads any more, and the oldest results beyond a bound; return the bytes left.

    Parameters
    ----------
    current : str
        Digests of the code whose results stay: of other code they go after a week, or when room is needed.
    max_bytes : int
        What all results together may take.
    """
    now, kept = time.time(), []
    for file in sorted((folder() / "results").rglob("*")):
        try:
            facts = file.stat()
        except OSError:
            continue
        if file.is_dir():
            continue
        foreign = file.parent.name not in current
        old = now - facts.st_mtime
        if (file.suffix == ".part" and old > _HOUR) or (foreign and old > _WEEK):
            _remove(file)
        else:
            kept.append((not foreign, facts.st_mtime, facts.st_size, file))
    total = sum(size for _, _, size, _ in kept)
    for _, _, size, file in sorted(kept):
        if total <= max_bytes:
            break
        _remove(file)
        total -= size
    _remove_empty(folder() / "results")
    return total


def _remove(file: Path | None) -> None:
    try:
        if file is not None:
            file.unlink(missing_ok=True)
    except OSError:
        return


def _remove_empty(place: Path) -> None:
    for folder_of_code in place.glob("*/"):
        try:
            folder_of_code.rmdir()  # only when nothing is left in it
        except OSError:
            continue
