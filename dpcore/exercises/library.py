"""The exercises there are: those of the project, or of a lecturer's folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from dpcore.exercises.exercise import Exercise
from dpcore.exercises.node import ExerciseError
from dpcore.exercises.schema import read

__all__ = ["ENVIRONMENT", "folder", "load_all", "load_folder"]

ENVIRONMENT = "DPCORE_EXERCISES"
_MOST = 200


def folder() -> Path:
    """Return the folder of the exercises: the variable DPCORE_EXERCISES, or the project's own."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else Path(__file__).resolve().parents[2] / "assets" / "exercises"


def load_folder(path: Path) -> dict[str, Exercise]:
    """Return all exercises of a folder by their keys, in the order of their names.

    Raises
    ------
    ExerciseError
        When there is no such folder, nothing in it, or a file of it cannot be used.
    """
    if not path.is_dir():
        raise ExerciseError(
            f"{path} is no folder: name one with exercises, files that end in .yaml."
        )
    files = sorted(path.glob("*.yaml"))
    if not 1 <= len(files) <= _MOST:
        raise ExerciseError(
            f"{path} has {len(files)} exercises: 1 to {_MOST} files *.yaml are allowed."
        )
    found = {}
    for file in files:
        if file.stat().st_size > 256_000:
            raise ExerciseError(
                f"{file.name} is too large: at most 64,000 signs are read. Shorten it."
            )
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            raise ExerciseError(f"{file.name} is not UTF-8: save it as such.") from None
        found[file.stem] = read(text, file.name)
    return found


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Mapping[str, Exercise]:
    return load_folder(path)


def load_all() -> Mapping[str, Exercise]:
    """Return all exercises of `folder` by their keys, read once a process."""
    return _loaded(folder())
