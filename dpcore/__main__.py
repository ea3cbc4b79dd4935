"""The command line: ``python -m dpcore audit``, ``receipts``, ``table1`` and more."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dpcore.audit import command as audit
from dpcore.datasets import DataError
from dpcore.exercises import receipts_command as receipts
from dpcore.experiments.formulas import verdicts as formulas
from dpcore.experiments.matrix import noise as matrix_noise
from dpcore.experiments.network import mnist as network
from dpcore.experiments.table1 import command as table1
from dpcore.journal import Refused

_ELSEWHERE = {
    "audit": audit.run,
    "receipts": receipts.run,
    "mnist-network": network.run,
    "verdicts": formulas.run,
    **table1.COMMANDS,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dpcore", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    audit.add_to(commands)
    receipts.add_to(commands)
    network.add_to(commands)
    table1.add_to(commands)
    formulas.add_to(commands)
    noise = commands.add_parser(
        "matrix-noise", help="measure the readings of the paper's noise on the finished matrix"
    )
    noise.add_argument("--data-dir", help="folder with har.npz, mnist.npz")
    noise.add_argument("--out", type=Path, required=True, help="a .csv file")
    noise.add_argument(
        "--data", nargs="+", choices=matrix_noise.DATA, default=list(matrix_noise.DATA)
    )
    noise.add_argument("--folds", type=int, choices=range(1, 6), default=5)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run one command of the command line and return its exit code.

    The code is 0 for success, 1 when the command reports a failure (such as a refuted claim), and 2, after a
    message on stderr, for invalid arguments or data.
    """
    args = _parser().parse_args(words)
    try:
        if args.command in _ELSEWHERE:
            return _ELSEWHERE[args.command](args)
        rows = matrix_noise.make_readings(args.data, args.data_dir, n_folds=args.folds, tell=print)
        matrix_noise.write_readings(rows, args.out)
    except (Refused, DataError) as error:
        print(f"dpcore: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
