"""Learning paths: ordered selections of exercises, declared in the file ``paths.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from dpcore.exercises.library import read_file
from dpcore.exercises.node import ExerciseError, Node

__all__ = ["FILE", "LearningPath", "load_paths"]

FILE = "paths.toml"
_MOST = 20


@dataclass(frozen=True, kw_only=True)
class LearningPath:
    """Learning path: its key, its title, and the keys of its exercises in order."""

    key: str
    title: str
    exercises: tuple[str, ...]


def load_paths(folder: Path, exercises: Collection[str]) -> Mapping[str, LearningPath]:
    """Return the learning paths of a folder by key; none if it has no file ``paths.toml``.

    Parameters
    ----------
    folder : Path
        Folder of exercises.
    exercises : collection of str
        Keys of the exercises in the folder.

    Raises
    ------
    ExerciseError
        When the file cannot be used. A path has to name 5 to 8 different exercises of the folder.
    """
    file = folder / FILE
    if not file.is_file():
        return {}
    try:
        content = tomllib.loads(read_file(file))
    except tomllib.TOMLDecodeError as error:
        raise ExerciseError(f"{FILE}: this is not TOML: {error}.") from None
    top = Node(FILE, "", content)
    top.only(("path",))
    paths = [_path(node, exercises) for node in top.get("path").each(1, _MOST)]
    keys = [path.key for path in paths]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise ExerciseError(f"{FILE}: the key {twice[0]!r} stands twice: rename one of the paths.")
    return dict(zip(keys, paths, strict=True))


def _path(node: Node, exercises: Collection[str]) -> LearningPath:
    node.only(("key", "title", "exercises"))
    listed = node.get("exercises").each(5, 8)
    keys = [item.value for item in listed]
    for item in listed:
        if not isinstance(item.value, str) or item.value not in exercises:
            raise item.refused("name an exercise of this folder")
        if keys.count(item.value) > 1:
            raise item.refused("name each exercise once")
    return LearningPath(
        key=node.get("key").key(), title=node.get("title").text(most=120), exercises=tuple(keys)
    )
