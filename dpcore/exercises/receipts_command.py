"""Command ``python -m dpcore receipts check``: verify receipts of students."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from types import MappingProxyType

from dpcore._command import Command
from dpcore.exercises import receipts
from dpcore.exercises.node import ExerciseError

__all__ = ["COMMANDS", "add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the command to the subcommands of an argparse parser."""
    _add_arguments(
        commands.add_parser(
            "receipts",
            help="tell which receipts of a file are valid, and the points of each pseudonym",
        )
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Exit code 1 when one is not. The key is that of the server: the variable "
        f"{receipts.KEY}, the file that {receipts.KEY_FILE} names, or receipts.key in the server's cache folder."
    )
    parser.add_argument("action", choices=("check",))
    parser.add_argument("file", type=Path, help="a text file with a receipt a line")
    parser.add_argument("--csv", type=Path, help="write the points of each pseudonym to this file")


def run(args: argparse.Namespace) -> int:
    """Check a file of receipts; return 0 if there are receipts and all are valid, else 1.

    Lines with a fault, or with a second receipt for the same exercise, are printed. A table of points by pseudonym is
    printed too; beside the best score it has the other scores of receipts for the same exercise.

    Raises
    ------
    ExerciseError
        When the server's key is not known, or a file cannot be read or written.
    """
    key = receipts.known_key()
    if key is None:
        raise ExerciseError(
            f"the server's key is not known here: give it in {receipts.KEY}, or name its file in "
            f"{receipts.KEY_FILE}. A server without these two keeps its key in its cache folder, as "
            f"{receipts.key_file().name}."
        )
    found: list[receipts.Receipt] = []
    seen, n_all = set(), 0
    for number, receipt, sentence in receipts.check(receipts.read_lines(args.file), key.secret):
        n_all += 1
        who = receipt and (receipt.course, receipt.pseudonym, receipt.exercise)
        if who is None or who in seen:
            print(f"line {number}: {sentence}")
        if receipt is not None:
            found.append(receipt)
            seen.add(who)
    table, lower = receipts.points(found), receipts.lower_scores(found)
    for line in _lines(table, lower):
        print(line)
    if args.csv:
        _write(table, lower, args.csv)
    print(f"{len(found)} of {n_all} receipts are valid.")
    return 0 if n_all and len(found) == n_all else 1


_Who = tuple[str, str]
_Table = dict[_Who, dict[str, float]]
_Lower = dict[_Who, dict[str, list[float]]]


def _lines(table: _Table, lower: _Lower) -> list[str]:
    """Return the table of points as lines of text, in columns."""
    rows = [("course", "pseudonym", "points", "exercises")] if table else []
    for who, scores in table.items():
        others = lower.get(who, {})
        each = [
            f"{key} {score:g}{_also(others.get(key, []))}" for key, score in sorted(scores.items())
        ]
        rows.append((*who, f"{sum(scores.values()):g}", ", ".join(each)))
    wide = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:3]]
    return [
        f"{course:{wide[0]}}  {name:{wide[1]}}  {total:>{wide[2]}}  {exercises}"
        for course, name, total, exercises in rows
    ]


def _also(lower: list[float]) -> str:
    return f" (also {_listed(lower)})" if lower else ""


def _listed(scores: list[float]) -> str:
    return " and ".join(f"{score:g}" for score in scores)


def _write(table: _Table, lower: _Lower, file: Path) -> None:
    """Write the table of points as CSV, with one column per exercise.

    For exercises with several receipts, the last column has the scores below the best one.
    """
    keys = sorted({key for scores in table.values() for key in scores})
    try:
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.writer(opened, lineterminator="\n")
            writer.writerow(["course", "pseudonym", "points", *keys, "lower_scores"])
            for who, scores in table.items():
                each = [f"{scores[key]:g}" if key in scores else "" for key in keys]
                others = sorted(lower.get(who, {}).items())
                also = "; ".join(f"{key} {_listed(found)}" for key, found in others)
                writer.writerow([*who, f"{sum(scores.values()):g}", *each, also])
    except OSError as error:
        raise ExerciseError(
            f"{file} cannot be written: {error.strerror}. Name another file."
        ) from None


COMMANDS = MappingProxyType({"receipts": Command(_add_arguments, run)})
"""The command of this module, by name."""
