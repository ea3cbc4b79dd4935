"""``python -m dpcore table1``, ``table1-page``, ``figure1`` and ``sweep``: the paper's trainings run again."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from dpcore.experiments.table1 import settings_sweep
from dpcore.experiments.table1.report import (
    FIGURE_EPSILONS,
    RECIPES_OF_FIGURE,
    Row,
    figure_means,
    page,
    read,
)
from dpcore.experiments.table1.run import Settings, run, work_through, write
from dpcore.experiments.table1.settings_sweep import save_whole
from dpcore.experiments.table1.training import DATA, MODELS, RECIPES
from dpcore.journal import Refused

__all__ = [
    "COMMANDS",
    "add_to",
]

_CELLS = (("data", DATA), ("models", MODELS))


def add_to(commands: Any) -> None:
    """Add the commands to a parser's."""
    table = commands.add_parser(
        "table1", help="run the paper's Table 1; started again, it goes on where it was"
    )
    _add_run(table, tuple(RECIPES), repeats=5)
    report = commands.add_parser("table1-page", help="make the page of a finished table")
    report.add_argument("--results", type=Path, required=True, help="what table1 wrote")
    report.add_argument("--out", type=Path, required=True, help="a Markdown file")
    report.add_argument(
        "--seeds", type=Path, required=True, help="means of other seeds, as docs/table1_seeds.csv"
    )
    curves = commands.add_parser(
        "figure1", help="run the paper's Figure 1, error against ε; started again, it goes on"
    )
    _add_run(curves, RECIPES_OF_FIGURE, repeats=1)
    sweep = commands.add_parser(
        "sweep", help="run the paper's sweep over C, E and q; started again, it goes on"
    )
    _add_run(sweep, settings_sweep.RECIPES_OF_SWEEP, repeats=1)
    sweep.add_argument(
        "--whole", action="store_true",
        help="every combination of the values (2,000 settings), not one value at a time (40); "
        "--means may then end in .npz: small, and what the file holds of other models stays",
    )  # fmt: skip
    sweep.add_argument(
        "--epochs", type=int, nargs="+", metavar="E", help="with --whole: only these E"
    )


def _add_run(parser: argparse.ArgumentParser, recipes: tuple[str, ...], repeats: int) -> None:
    parser.add_argument("--data-dir", help="folder with segment.npz, har.npz, mnist.npz")
    parser.add_argument("--out", type=Path, required=True, help="a .csv or .parquet file")
    parser.add_argument("--backend", choices=("threads", "processes", "dask"), default="processes")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, tcp://...: implies dask")
    parser.add_argument("--jobs", type=int, default=2, help="workers (default: 2)")
    for name, allowed in (*_CELLS, ("recipes", recipes)):
        parser.add_argument(f"--{name}", nargs="+", choices=allowed, default=list(allowed))
    parser.add_argument("--repeats", type=int, default=repeats, help=f"(default: {repeats})")
    parser.add_argument("--folds", type=int, default=5, help="of the five, how many are run")
    parser.add_argument("--seed", type=int, default=1)
    if repeats == 1:
        parser.add_argument(
            "--means", type=Path,
            help="also the means of all runs, a .csv file; what it holds of other models stays",
        )  # fmt: skip


def _settings(given: argparse.Namespace, **change: Any) -> Settings:
    try:
        return Settings(
            data=tuple(given.data), models=tuple(given.models), recipes=tuple(given.recipes),
            n_repeats=given.repeats, n_folds=given.folds, seed=given.seed, data_dir=given.data_dir,
            change=change,
        )  # fmt: skip
    except ValueError as error:
        raise Refused(str(error)) from error


def _where(given: argparse.Namespace) -> dict[str, Any]:
    backend = "dask" if given.scheduler else given.backend
    return {"backend": backend, "n_jobs": given.jobs, "scheduler": given.scheduler}


def _run_table(given: argparse.Namespace) -> int:
    run(_settings(given), given.out, **_where(given))
    return 0


def _make_page(given: argparse.Namespace) -> int:
    given.out.write_text(page(read(given.results), read(given.seeds)), encoding="utf-8")
    return 0


def _run_figure(given: argparse.Namespace) -> int:
    rows = run(_settings(given, epsilons=FIGURE_EPSILONS), given.out, **_where(given))
    return _with_means(rows, figure_means, given)


def _run_sweep(given: argparse.Namespace) -> int:
    asked = _settings(given)
    wanted = settings_sweep.sweep_tasks(asked, given.whole, _epochs(given))
    mark = {**asked.mark(), "sweep": settings_sweep.SWEEP_EPSILONS}
    rows = settings_sweep.rows_of(work_through(wanted, mark, given.out, **_where(given)))
    write(rows, given.out)
    if given.whole and given.means and given.means.suffix == ".npz":
        save_whole(rows, given.means)
        return 0
    return _with_means(rows, settings_sweep.summary, given)


def _epochs(given: argparse.Namespace) -> list[int] | None:
    values = settings_sweep.AXES["epochs"]
    if given.epochs and not (given.whole and set(given.epochs) <= set(values)):
        raise Refused(
            f"--epochs goes with --whole and takes some of {', '.join(f'{e:g}' for e in values)}."
        )
    return cast("list[int] | None", given.epochs)


def _with_means(
    rows: list[Row], mean: Callable[[list[Row]], list[Row]], given: argparse.Namespace
) -> int:
    if given.means:
        new = mean(rows)
        old = read(given.means) if given.means.exists() else []
        run = {_curve(row) for row in new}
        write([row for row in old if _curve(row) not in run] + new, given.means)
    return 0


def _curve(row: Row) -> tuple[Any, ...]:
    return row["data"], row["model"], row["recipe"]


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "table1": _run_table, "table1-page": _make_page, "figure1": _run_figure, "sweep": _run_sweep,
}  # fmt: skip
"""What each command runs."""
