"""Command ``python -m pages exercises check``: check the exercises in a folder, and the figures that they name."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dpcore._command import Progress
from dpcore.exercises import faults, load_folder
from dpcore.exercises.paths import load_paths
from ui.exercises.files import folder

__all__ = ["add_to", "run"]


def add_to(commands: Any) -> None:
    """Add the parser of ``exercises`` to the subparsers ``commands`` of ``python -m pages``."""
    parser = commands.add_parser(
        "exercises",
        help="check a folder of exercises, each over all its parameters",
        description="Exit code 1 when an exercise has a fault.",
    )
    parser.add_argument("action", choices=("check",))
    parser.add_argument(
        "folder", nargs="?", type=Path, help="files *.yaml (default: those of the app)"
    )


def run(args: argparse.Namespace) -> int:
    """Check all exercises of a folder; return 1 if any exercise has a fault, else 0."""
    from pages.exercises import checked

    place = args.folder or folder()
    exercises = load_folder(place)
    load_paths(place, exercises.keys())
    complaints, progress = [], Progress(len(exercises))
    for key, one in exercises.items():
        complaints += [*faults(one), *checked.faults(one)]
        progress.step(key)
    for fault in complaints:
        print(fault)
    draws = sum(len(exercise.draws) for exercise in exercises.values())
    print(
        f"{len(exercises)} exercises, {draws} draws: {'no' if not complaints else len(complaints)} faults."
    )
    return 1 if complaints else 0
