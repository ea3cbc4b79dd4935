"""Exercise files: those of the application, or those in a lecturer's folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from dpcore.exercises import Exercise, load_folder

__all__ = ["ENVIRONMENT", "folder", "load_all"]

ENVIRONMENT = "DPCORE_EXERCISES"
_OWN = Path(__file__).resolve().parents[2] / "assets" / "exercises"


def folder() -> Path:
    """Return the folder of exercises: that in the environment variable DPCORE_EXERCISES, or the application's own."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else _OWN


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Mapping[str, Exercise]:
    return load_folder(path)


def load_all() -> Mapping[str, Exercise]:
    """Return all exercises in `folder`, by their keys; cached for the process."""
    return _loaded(folder())
