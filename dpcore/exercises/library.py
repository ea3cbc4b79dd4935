"""Loading of all exercises in a folder."""

from __future__ import annotations

from pathlib import Path

from dpcore.exercises.exercise import Exercise
from dpcore.exercises.node import ExerciseError
from dpcore.exercises.schema import read

__all__ = ["load_folder", "read_file"]

_MOST = 200


def load_folder(path: Path) -> dict[str, Exercise]:
    """Return all exercises in a folder by key, sorted by file name.

    Raises
    ------
    ExerciseError
        When the folder does not exist or has no exercises, or one of its files cannot be used.
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
    exercises = {}
    for file in files:
        exercises[file.stem] = read(read_file(file), file.name)
    return exercises


def read_file(file: Path) -> str:
    """Return the text of a file in a folder of exercises.

    Raises
    ------
    ExerciseError
        When the file cannot be read or is too large.
    """
    try:
        if not file.is_file():
            raise OSError
        if file.stat().st_size > 256_000:
            raise ExerciseError(
                f"{file.name} is too large: at most 64,000 signs are read. Shorten it."
            )
        return file.read_text("utf-8")
    except OSError:
        raise ExerciseError(
            f"{file.name} cannot be read: put a file there that the server may read, or remove it."
        ) from None
    except UnicodeDecodeError:
        raise ExerciseError(f"{file.name} is not UTF-8: save it as such.") from None
