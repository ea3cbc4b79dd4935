"""``python -m dpcore exercises check`` and ``python -m dpcore receipts check``, for lecturers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from dpcore.exercises import receipts
from dpcore.exercises.checking import faults
from dpcore.exercises.exercise import Exercise
from dpcore.exercises.library import folder, load_folder
from dpcore.exercises.node import ExerciseError

FIGURES = "pages.exercises.checked"  # who knows the pages' figures: this package does not

__all__ = ["add_to", "run_exercises", "run_receipts"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands and their options to a parser's commands."""
    exercises = commands.add_parser(
        "exercises",
        help="check a folder of exercises, each over all its parameters",
        description="Exit code 1 when an exercise has a fault.",
    )
    exercises.add_argument("action", choices=("check",))
    exercises.add_argument(
        "folder", nargs="?", type=Path, help="files *.yaml (default: those of the app)"
    )
    given = commands.add_parser(
        "receipts",
        help="tell which receipts of a file are valid",
        description="Exit code 1 when one is not. The key is that of the server: the variable "
        f"{receipts.KEY}, or the file that {receipts.KEY_FILE} names.",
    )
    given.add_argument("action", choices=("check",))
    given.add_argument("file", type=Path, help="a text file with a receipt a line")


def run_exercises(given: argparse.Namespace) -> int:
    """Check a folder; 1 when an exercise has a fault, else 0."""
    found, of_figure = load_folder(given.folder or folder()), _figures()
    told = [fault for one in found.values() for fault in (*faults(one), *of_figure(one))]
    for fault in told:
        print(fault)
    draws = sum(len(exercise.draws) for exercise in found.values())
    print(f"{len(found)} exercises, {draws} draws: {'no' if not told else len(told)} faults.")
    return 1 if told else 0


def _figures() -> Callable[[Exercise], list[str]]:
    """What says which figures cannot be had, where the command is started in the project's folder."""
    sys.path.insert(0, os.getcwd())
    try:
        return cast("Callable[[Exercise], list[str]]", import_module(FIGURES).faults)
    except ImportError:
        print("Figures are not looked at: start from the project's folder.")
        return lambda exercise: []


def run_receipts(given: argparse.Namespace) -> int:
    """Check a file of receipts; 1 when one of them is not valid, or none is there, else 0.

    Raises
    ------
    ExerciseError
        When the server's key is not given, or the file cannot be read.
    """
    key = receipts.server_key()
    if not key.lasting:
        raise ExerciseError(
            f"the server's key is not known here: give it in {receipts.KEY}, or name its file in {receipts.KEY_FILE}."
        )
    n_valid = n_all = 0
    for number, receipt, told in receipts.check(receipts.read_lines(given.file), key.secret):
        print(f"line {number}: {told}")
        n_all, n_valid = n_all + 1, n_valid + (receipt is not None)
    print(f"{n_valid} of {n_all} receipts are valid.")
    return 0 if n_all and n_valid == n_all else 1
