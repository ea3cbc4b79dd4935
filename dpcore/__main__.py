"""Command line of the library, with the commands ``dpcore epsilon``, ``dpcore audit``, ``dpcore table1`` and more.

Only the module of the command that was called is imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from dpcore import __version__
from dpcore._command import Command, require, require_folder, require_writable
from dpcore._console import print_utf8
from dpcore._missing import MissingPackage
from dpcore.journal import Refused

__all__ = ["main"]


class _Entry(NamedTuple):
    module: str  # has COMMANDS with this command
    help: str
    needs_pandas: bool = False


_TABLE1 = "dpcore.experiments.table1.command"
_ENTRIES = {
    "epsilon": _Entry("dpcore._steps_command", "the ε of noisy steps: σ, q, T, δ are given"),
    "noise": _Entry("dpcore._steps_command", "the noise multiplier σ for an ε: q, T, δ are given"),
    "audit": _Entry(
        "dpcore.audit.command",
        "attack every claimed ε; started again with the same --out, it goes on where it was",
    ),
    "receipts": _Entry(
        "dpcore.exercises.receipts_command",
        "tell which receipts of a file are valid, and the points of each pseudonym",
    ),
    "mnist-network": _Entry(
        "dpcore.experiments.network.mnist",
        "train a convolutional network on MNIST by DP-SGD; started again, it goes on where it was",
    ),
    "verdicts": _Entry(
        "dpcore.experiments.formulas.verdicts",
        "compute the verdict on every printed formula from its evidence",
    ),
    "table1": _Entry(
        _TABLE1, "run the paper's Table 1; started again, it goes on where it was", True
    ),
    "table1-page": _Entry(_TABLE1, "make the page of a finished table", True),
    "figure1": _Entry(
        _TABLE1, "run the paper's Figure 1, error against ε; started again, it goes on", True
    ),
    "sweep": _Entry(
        _TABLE1, "run the paper's sweep over C, E and q; started again, it goes on", True
    ),
    "matrix-noise": _Entry(
        "dpcore.experiments.matrix.noise",
        "measure the readings of the paper's noise on the finished matrix",
    ),
}


def _command(name: str) -> Command:
    return cast(Command, import_module(_ENTRIES[name].module).COMMANDS[name])


def _program() -> str:
    """Return the text with which the program was called: ``dpcore`` or ``python -m dpcore``."""
    return "dpcore" if Path(sys.argv[0]).stem == "dpcore" else "python -m dpcore"


def _parser(names: Sequence[str] = tuple(_ENTRIES)) -> argparse.ArgumentParser:
    """Return a parser that knows the names of all commands, but only the arguments of the commands in ``names``."""
    parser = argparse.ArgumentParser(
        prog=_program(), description="Differential privacy for learning.",
        epilog="Exit code: 0 done, 1 a claim is broken or something could not be prepared, 2 refused, "
        "130 interrupted.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"dpcore {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, entry in _ENTRIES.items():
        one = commands.add_parser(name, help=entry.help)
        if name in names:
            _command(name).add_arguments(one)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run one command of the command line and return its exit code.

    The code is 0 for success and 1 when the command reports a failure, such as a refuted claim. It is 2 for invalid
    arguments, data or files and 130 for an interruption; in both cases a message is printed on stderr.
    """
    print_utf8()
    given = sys.argv[1:] if words is None else list(words)
    name = next((word for word in given if not word.startswith("-")), "")
    args = argparse.Namespace()
    try:
        _parser((name,)).parse_args(given, args)
        _check(args)
        return _command(args.command).run(args)
    except KeyboardInterrupt:
        print(f"dpcore: {_interrupted(args)}", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"dpcore: {_failed_file(error)}", file=sys.stderr)
        return 2
    except (ValueError, MissingPackage) as error:
        if not _is_refusal(error):
            raise
        print(f"dpcore: {error}", file=sys.stderr)
        return 2


def _check(args: argparse.Namespace) -> None:
    """Raise Refused if a package or folder is missing or a result file cannot be written, before any work is done."""
    if _ENTRIES[args.command].needs_pandas:
        require("pandas", args.command, extra="table1")
    if getattr(args, "data_dir", None):
        require_folder("--data-dir", args.data_dir)
    for name in ("out", "means", "csv"):
        file = getattr(args, name, None)
        if file is not None:
            require_writable(file)
            if file.suffix == ".parquet":
                require("pyarrow", f"{args.command} with a .parquet file", extra="table1")


def _is_refusal(error: Exception) -> bool:
    if isinstance(error, Refused | MissingPackage):
        return True
    from dpcore.datasets import DataError

    return isinstance(error, DataError)


def _failed_file(error: OSError) -> str:
    name = f"{error.filename}: " if error.filename else ""
    return f"{name}{error.strerror or error}. Check the file, or name another one."


def _interrupted(args: argparse.Namespace) -> str:
    """Return the message for an interrupted command; it names the file with the finished results, if there is one."""
    out = getattr(args, "out", None)
    if out is not None:
        for kept in (out.with_name(out.name + ".journal"), out.with_suffix(".parts")):
            if kept.exists():
                return f"interrupted. {kept} has what is finished: the same command goes on there."
    return "interrupted: nothing was kept."


if __name__ == "__main__":
    sys.exit(main())
