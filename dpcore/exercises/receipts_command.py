"""Command ``python -m dpcore receipts check``: verify receipts that students handed in."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpcore.exercises import receipts
from dpcore.exercises.node import ExerciseError

__all__ = ["add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the command to the subcommands of an argparse parser."""
    parser = commands.add_parser(
        "receipts",
        help="tell which receipts of a file are valid",
        description="Exit code 1 when one is not. The key is that of the server: the variable "
        f"{receipts.KEY}, or the file that {receipts.KEY_FILE} names.",
    )
    parser.add_argument("action", choices=("check",))
    parser.add_argument("file", type=Path, help="a text file with a receipt a line")


def run(args: argparse.Namespace) -> int:
    """Check a file of receipts and return the exit code: 0 if there are receipts and all are valid, else 1.

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
    for number, receipt, sentence in receipts.check(receipts.read_lines(args.file), key.secret):
        print(f"line {number}: {sentence}")
        n_all, n_valid = n_all + 1, n_valid + (receipt is not None)
    print(f"{n_valid} of {n_all} receipts are valid.")
    return 0 if n_all and n_valid == n_all else 1
