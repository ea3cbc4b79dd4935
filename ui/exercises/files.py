"""Exercise files: one main folder, and additional sets for several lecturers.

The main folder is the application's own or a lecturer's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from dpcore.exercises import Exercise, ExerciseError, load_folder
from dpcore.exercises.paths import LearningPath, load_paths
from dpcore.exercises.receipts import known_key

__all__ = [
    "ENVIRONMENT", "SETS", "Sets", "check_settings", "folder", "in_set", "load_all", "load_all_paths", "load_sets",
    "set_of",
]  # fmt: skip

ENVIRONMENT = "DPCORE_EXERCISES"
SETS = "DPCORE_EXERCISE_SETS"  # a folder with a folder of exercises for each set: ?set=NAME
_OWN = Path(__file__).resolve().parents[2] / "assets" / "exercises"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, kw_only=True)
class Sets:
    """Usable sets of exercises by name, their learning paths, and reasons why other sets cannot be used."""

    exercises: Mapping[str, Mapping[str, Exercise]]
    paths: Mapping[str, Mapping[str, LearningPath]]
    faults: Mapping[str, str]


def folder() -> Path:
    """Return the folder of exercises: the value of the variable DPCORE_EXERCISES, or the application's folder."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else _OWN


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Mapping[str, Exercise]:
    return load_folder(path)


@lru_cache(maxsize=4)
def _paths(path: Path) -> Mapping[str, LearningPath]:
    return load_paths(path, _loaded(path).keys())


def check_settings() -> None:
    """Check the folder of exercises and the key for receipts, to report a wrong setting when the server starts.

    Receipts are signed confirmations of solved exercises.

    Raises
    ------
    ExerciseError
        When the folder that DPCORE_EXERCISES names, or the configured key that signs receipts, cannot
        be used.
    """
    if os.environ.get(ENVIRONMENT):
        load_all_paths()
    known_key()


def load_all_paths(name: str = "") -> Mapping[str, LearningPath]:
    """Return the learning paths of the set ``name`` by key; by default those in `folder`.

    The result is cached for the process.
    """
    return load_sets().paths.get(name, {}) if name else _paths(folder())


@lru_cache(maxsize=4)
def _sets(path: Path | None) -> Sets:
    """Return the sets of exercises in the subfolders of a folder; there are none without a folder.

    Keys of exercises have the form ``set.key``.
    """
    exercises, paths, faults = {}, {}, {}
    for place in _entries(path) if path else ():
        if not place.is_dir() or not _NAME.fullmatch(place.name):
            continue
        try:
            found = load_folder(place)
            ways = load_paths(place, found.keys())
        except ExerciseError as error:
            faults[place.name] = str(error).replace(str(place), place.name)
        else:
            keys = {key: f"{place.name}.{key}" for key in found}
            exercises[place.name] = {keys[k]: replace(one, key=keys[k]) for k, one in found.items()}
            paths[place.name] = {
                key: replace(way, exercises=tuple(keys[k] for k in way.exercises))
                for key, way in ways.items()
            }
    return Sets(exercises=exercises, paths=paths, faults=faults)


def _entries(path: Path) -> list[Path]:
    """Return the entries of a folder, sorted; none if the folder cannot be read."""
    try:
        return sorted(path.iterdir())
    except OSError as error:
        print(f"{SETS}: {type(error).__name__}", flush=True)
        return []


def load_sets() -> Sets:
    """Return the sets in the folder that DPCORE_EXERCISE_SETS names.

    The result is cached.
    """
    return _sets(_sets_folder())


def _sets_folder() -> Path | None:
    named = os.environ.get(SETS)
    return Path(named) if named else None


def load_all() -> Mapping[str, Exercise]:
    """Return the exercises in `folder` and in all sets, by key.

    The result is cached for the process.
    """
    return _all(folder(), _sets_folder())


@lru_cache(maxsize=4)
def _all(path: Path, sets: Path | None) -> Mapping[str, Exercise]:
    found = dict(_loaded(path))
    for exercises in _sets(sets).exercises.values():
        found |= exercises
    return found


def set_of(key: str) -> str:
    """Return the name of the set that contains an exercise.

    The name is "" for an exercise outside of sets.
    """
    return key.rpartition(".")[0]


def in_set(keys: Iterable[str], name: str) -> list[str]:
    """Return the keys of the exercises that a teacher with the set ``name`` can choose from.

    The exercises in this set come first, then those that are in no set. Exercises in other sets are left out.
    """
    own = (key for key in keys if set_of(key) in ("", name))
    return sorted(own, key=lambda key: not set_of(key))
