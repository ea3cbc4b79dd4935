"""Digests of data files, by which changes of the files are detected."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from dpcore.datasets import catalogue, regression
from dpcore.datasets._folder import folder
from dpcore.datasets.external import EXTERNAL

__all__ = ["mark"]


def mark(name: str, *, data_home: str | os.PathLike[str] | None = None) -> str | None:
    """Return a digest of the files of a data set, which changes if the files change.

    Parameters
    ----------
    name : str
        A name from `dpcore.datasets.names` or `dpcore.datasets.regression_names`. Any other name is treated as that
        of generated data.
    data_home : path, optional
        The data folder; by default the value of the environment variable ``DPCORE_DATA``.

    Returns
    -------
    str or None
        The digest. It is "" for data that are generated or included in a package, and None if no file is found or a
        file cannot be read.

    Examples
    --------
    >>> mark("iris")
    ''
    """
    if name in catalogue.names():
        embedded = name not in EXTERNAL
        places = [f"{name}.npz"] if not name.startswith("mnist") else ["mnist.npz", "mnist-idx"]
    elif name in regression.regression_names():
        embedded, places = (
            regression.regression_info(name).embedded,
            list(regression.FILES.get(name, ())),
        )
    else:
        embedded, places = True, []
    if embedded:
        return ""
    home = folder(data_home)
    files = [file for place in places for file in _files(home / place)] if home else []
    try:
        return _digest(files) if files else None
    except OSError:  # the file exists but cannot be read: loading it raises the error
        return None


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return sorted(file for file in place.iterdir() if file.is_file())
    return [place] if place.is_file() else []


def _digest(files: list[Path]) -> str:
    facts = [(file, file.stat()) for file in files]
    marks = [_of_file(file, fact.st_size, fact.st_mtime_ns) for file, fact in facts]
    return hashlib.sha256(" ".join(marks).encode()).hexdigest()[:16]


@lru_cache(maxsize=32)
def _of_file(file: Path, size: int, changed: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
