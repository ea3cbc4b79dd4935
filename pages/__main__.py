"""Command line of the application: ``python -m pages prepare``, ``handout`` and ``exercises``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dpcore.datasets import DataError
from dpcore.journal import Refused
from pages.commands import exercises, handout, prepare

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pages", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in (prepare, handout, exercises):
        command.add_to(commands)
    return parser


def main(words: Sequence[str] | None = None, *, work: prepare.Work = prepare.of_pages) -> int:
    """Run a command; return 2 after a message on stderr if it cannot start.

    Parameters
    ----------
    words : sequence of str, optional
        The command and its options; for None, those of the process (``sys.argv``).
    work : callable
        Function that returns the tasks that the command ``prepare`` carries out.
    """
    args = _parser().parse_args(words)
    try:
        if args.command == "prepare":
            return prepare.run(args, work)
        return {"handout": handout.run, "exercises": exercises.run}[args.command](args)
    except (Refused, DataError) as error:
        print(f"pages: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
