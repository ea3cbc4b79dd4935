"""The command line: ``python -m dpcore audit``, ``exercises``, ``prepare``, ``receipts``, ``table1`` and more."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dpcore import handout, prepare
from dpcore.audit import command as audit
from dpcore.datasets import DataError
from dpcore.exercises import command as exercises
from dpcore.experiments.matrix import readings
from dpcore.experiments.network import command as network
from dpcore.experiments.table1 import RECIPES, Settings, page, read, run
from dpcore.experiments.table1.recipes import DATA, MODELS
from dpcore.journal import Refused

_ELSEWHERE = {
    "audit": audit.run,
    "prepare": prepare.run,
    "handout": handout.run,
    "exercises": exercises.run_exercises,
    "receipts": exercises.run_receipts,
    "mnist-network": network.run,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dpcore", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    audit.add_to(commands)
    prepare.add_to(commands)
    handout.add_to(commands)
    exercises.add_to(commands)
    network.add_to(commands)
    table = commands.add_parser(
        "table1", help="run the paper's Table 1; started again, it goes on where it was"
    )
    table.add_argument("--data-dir", help="folder with segment.npz, har.npz, mnist.npz")
    table.add_argument("--out", type=Path, required=True, help="a .csv or .parquet file")
    table.add_argument("--backend", choices=("threads", "processes", "dask"), default="processes")
    table.add_argument("--scheduler", help="address of a Dask scheduler, tcp://...: implies dask")
    table.add_argument("--jobs", type=int, default=2, help="workers (default: 2)")
    for name, allowed in (("data", DATA), ("models", MODELS), ("recipes", tuple(RECIPES))):
        table.add_argument(f"--{name}", nargs="+", choices=allowed, default=list(allowed))
    table.add_argument("--repeats", type=int, default=5)
    table.add_argument("--folds", type=int, default=5, help="of the five, how many are run")
    table.add_argument("--seed", type=int, default=1)
    report = commands.add_parser("table1-page", help="make the page of a finished table")
    report.add_argument("--results", type=Path, required=True, help="what table1 wrote")
    report.add_argument("--out", type=Path, required=True, help="a Markdown file")
    noise = commands.add_parser(
        "matrix-noise", help="measure the readings of the paper's noise on the finished matrix"
    )
    noise.add_argument("--data-dir", help="folder with har.npz, mnist.npz")
    noise.add_argument("--out", type=Path, required=True, help="a .csv file")
    noise.add_argument("--data", nargs="+", choices=readings.DATA, default=list(readings.DATA))
    noise.add_argument("--folds", type=int, choices=range(1, 6), default=5)
    return parser


def _settings(given: argparse.Namespace) -> Settings:
    try:
        return Settings(
            data=tuple(given.data), models=tuple(given.models), recipes=tuple(given.recipes),
            n_repeats=given.repeats, n_folds=given.folds, seed=given.seed, data_dir=given.data_dir,
        )  # fmt: skip
    except ValueError as error:
        raise Refused(str(error)) from error


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; 2 and a sentence on stderr when it cannot begin as it was asked for.

    1 when an audit found a claim broken.
    """
    given = _parser().parse_args(words)
    try:
        if given.command in _ELSEWHERE:
            return _ELSEWHERE[given.command](given)
        if given.command == "table1":
            run(
                _settings(given), given.out, backend="dask" if given.scheduler else given.backend,
                n_jobs=given.jobs, scheduler=given.scheduler,
            )  # fmt: skip
        elif given.command == "matrix-noise":
            rows = readings.make_readings(
                given.data, given.data_dir, n_folds=given.folds, tell=print
            )
            readings.write_readings(rows, given.out)
        else:
            given.out.write_text(page(read(given.results)), encoding="utf-8")
    except (Refused, DataError) as error:
        print(f"dpcore: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
