"""Command line of the application: ``python -m pages``, or ``dp-explorer`` if the application is installed.

Without a command it serves the pages, see ``serve --help``. Of the commands' modules, only that of the running
command is imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from types import ModuleType

import dpcore
from dpcore._console import print_utf8
from dpcore._missing import MissingPackage
from dpcore.datasets import DataError
from dpcore.journal import Refused
from pages.commands import prepare
from ui.server import interrupt

__all__ = ["main"]

# Each module has ``add_to`` and ``run``.
_COMMANDS = {
    "serve": "pages.commands.serve",
    "prepare": "pages.commands.prepare",
    "handout": "pages.commands.handout",
    "site": "pages.commands.site",
    "exercises": "pages.commands.exercises",
    "receipts": "dpcore.exercises.receipts_command",
}
_USUAL = "serve"


def _module(name: str) -> ModuleType:
    return import_module(_COMMANDS[name])


def _parser(
    prog: str = "python -m pages", names: Collection[str] = tuple(_COMMANDS)
) -> argparse.ArgumentParser:
    """Return the parser of the commands in ``names``, after their modules are imported."""
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    parser.add_argument("--version", action="version", version=f"DP Explorer {dpcore.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in names:
        _module(name).add_to(commands)
    return parser


def main(
    words: Sequence[str] | None = None,
    *,
    work: prepare.Work = prepare.of_pages,
    prog: str = "python -m pages",
) -> int:
    """Run one command of ``python -m pages``; return its exit status.

    The status is 2, after a message on stderr, if the command cannot start, and 130 if it is interrupted.

    Parameters
    ----------
    words : sequence of str, optional
        The command and its options. None stands for the command line of the process (``sys.argv``). Without a
        command, the pages are served.
    work : callable
        Function that returns the tasks that the command ``prepare`` carries out.
    prog : str
        Name of the program in its help and messages.
    """
    print_utf8()
    given = list(sys.argv[1:] if words is None else words)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        given = [_USUAL, *given]
    names = given[:1] if given[0] in _COMMANDS else () if given[0] == "--version" else _COMMANDS
    args = _parser(prog, names).parse_args(given)
    try:
        if args.command == "prepare":
            return prepare.run(args, work)
        status: int = _module(args.command).run(args)
        return status
    except (Refused, DataError, MissingPackage) as error:
        print(f"{prog.rpartition(' ')[2]}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        interrupt.say_stopped()
        return interrupt.INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
