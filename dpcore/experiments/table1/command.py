"""Commands that repeat the trainings of Brinkrolf, Berger and Hammer (2018) and report on them.

The commands are ``python -m dpcore table1``, ``table1-page``, ``figure1`` and ``sweep``. The report
is a page that compares the paper's table with the rows of a run.

Figure 1 of the paper has six curves of the test error over ε, without numbers. Table 1 has the
numbers of each curve at three ε, and the errors of the same trainings without privacy (SGD).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from dpcore._command import Command
from dpcore.experiments.table1 import settings_sweep
from dpcore.experiments.table1.run import Settings, run, work_through, write
from dpcore.experiments.table1.settings_sweep import save_whole
from dpcore.experiments.table1.training import DATA, EPSILONS, MODELS, PRINTED, RECIPES, Row, means
from dpcore.journal import Refused

__all__ = [
    "COMMANDS",
    "FIGURE_EPSILONS",
    "RECIPES_OF_FIGURE",
    "Cell",
    "cells",
    "curve",
    "figure_means",
    "page",
    "read",
    "verdicts",
]

FIGURE_EPSILONS = (
    0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.1, 1.35, 1.5, 1.8, 2.2, 2.5, 3.2, 4.0, 5.0, 6.0,
    7.0, 8.0, 10.0,
)  # fmt: skip
RECIPES_OF_FIGURE = ("paper", "tight")
assert set(EPSILONS) <= set(FIGURE_EPSILONS)


def figure_means(rows: Iterable[Row]) -> list[Row]:
    """Return mean, standard deviation and number of the test errors for every curve of Figure 1 and every ε."""
    return means(rows, ("data", "model", "recipe", "epsilon"))


def curve(rows: Sequence[Row], data: str, model: str, recipe: str) -> list[float]:
    """Return the mean test errors of one curve in Figure 1, at ``FIGURE_EPSILONS``.

    An error is NaN if the training was not run.
    """
    known = {
        row["epsilon"]: row["error"] for row in rows
        if (row["data"], row["model"], row["recipe"]) == (data, model, recipe)
    }  # fmt: skip
    return [known.get(epsilon, float("nan")) for epsilon in FIGURE_EPSILONS]


_NAMES = {"mnist": "MNIST", "har": "Motion", "segment": "Segment"}
_PRIVATE = tuple(name for name, recipe in RECIPES.items() if recipe.noise)
Rule = Callable[[float, float], bool]


def _close(gap: float, spread: float) -> bool:
    return abs(gap) <= spread


def _below(gap: float, spread: float) -> bool:
    return gap < 0


# Of each recipe, what its gap to the printed mean should be, given the printed deviation.
_RULES: dict[str, tuple[Rule, str]] = {
    "bfgs": (lambda gap, spread: abs(gap) <= 0.002, "within 0.002 of the paper"),
    "sgd": (_close, "within one printed standard deviation"),
    "paper": (_close, "within one printed standard deviation"),
    "tight": (_close, "within one printed standard deviation"),
    "projected": (
        lambda gap, spread: gap <= spread / 2,
        "not worse than the paper by more than half a printed standard deviation",
    ),
    "best": (_below, "below the paper's error"),
    "public": (_below, "below the paper's error"),
}
Cell = tuple[float, float, int]
Key = tuple[str, str, str, float]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a finished table from a .csv or .parquet file."""
    import pandas

    load = pandas.read_parquet if path.suffix == ".parquet" else pandas.read_csv
    return [{str(k): v for k, v in row.items()} for row in load(path).to_dict("records")]


def cells(rows: Iterable[dict[str, Any]]) -> dict[Key, Cell]:
    """Return mean, standard deviation and number of the test errors in each table cell.

    Keys are (data, model, recipe, ε). The standard deviation is of a single run's error, as in the
    paper.
    """
    errors: dict[Key, list[float]] = defaultdict(list)
    for row in rows:
        key = (row["data"], row["model"], row["recipe"], float(row["epsilon"]))
        errors[key].append(float(row["error"]))
    return {key: (float(np.mean(v)), float(np.std(v)), len(v)) for key, v in errors.items()}


def verdicts(table: dict[Key, Cell]) -> dict[str, tuple[int, int]]:
    """Return how many cells of the table agree with the paper and how many were run, by recipe.

    The rule for agreement depends on the recipe. It uses the error and the standard deviation that
    the paper prints for the cell.

    - bfgs: our error is within 0.002 of the paper's error;
    - sgd, paper, tight: our error is within one standard deviation of the paper's error;
    - projected: our error is at most half a standard deviation above the paper's error;
    - best, public: our error is below the paper's error.
    """
    counts: dict[str, list[bool]] = defaultdict(list)
    for (data, model, recipe, epsilon), (mean, _, _) in table.items():
        wanted, spread = PRINTED[data, model][epsilon if RECIPES[recipe].noise else recipe]
        counts[recipe].append(_RULES[recipe][0](mean - wanted, spread))
    return {recipe: (sum(v), len(v)) for recipe, v in counts.items()}


def page(rows: list[dict[str, Any]], seeds: list[dict[str, Any]]) -> str:
    """Return the report in Markdown from the ``rows`` of a run.

    ``seeds``: rows with the mean errors of runs with other seeds.
    """
    table = cells(rows)
    parts = [
        _HEAD,
        _private(table),
        _repeats(table, seeds),
        _BETWEEN,
        _plain(table),
        _counts(table),
        _settings(),
        _LIMITS,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _cell(value: tuple[float, ...] | None) -> str:
    return "–" if value is None else f"{value[0]:.4f} ({value[1]:.4f})"


def _table(head: list[str], lines: list[list[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _private(table: dict[Key, Cell]) -> str:
    lines = [
        [
            f"{_NAMES[data]} {model.upper()}", f"{epsilon:g}",
            _cell(PRINTED[data, model][epsilon]),
            *(_cell(table.get((data, model, name, epsilon))) for name in _PRIVATE),
        ]
        for data in DATA for model in MODELS for epsilon in EPSILONS
    ]  # fmt: skip
    titles = [RECIPES[name].title for name in _PRIVATE]
    return _table(["data, model", "ε", "the paper", *titles], lines)


def _repeats(table: dict[Key, Cell], seeds: list[dict[str, Any]]) -> str:
    """Return a Markdown table of the cells that were repeated with further seeds.

    Each line compares a cell's error in the run ``table`` with the cell's errors in the repeats
    ``seeds``, and has the rank of the error among all of these errors.
    """
    means: dict[Key, list[float]] = defaultdict(list)
    for row in seeds:
        means[row["data"], row["model"], row["recipe"], float(row["epsilon"])].append(
            float(row["error"])
        )
    lines = []
    for key, others in means.items():
        data, model, recipe, epsilon = key
        if key not in table:
            continue
        here = table[key][0]
        lines.append([
            f"{_NAMES[data]} {model.upper()}, {RECIPES[recipe].title}", f"{epsilon:g}", f"{here:.4f}",
            f"{np.mean(others):.4f} ({np.std(others, ddof=1):.4f})", f"{min(others):.4f} to {max(others):.4f}",
            f"{1 + sum(one < here for one in others)} of {1 + len(others)}",
        ])  # fmt: skip
    head = [
        "data, model, recipe",
        "ε",
        "above",
        "mean of ten repeats (deviation)",
        "their range",
        "rank of the above",
    ]
    return f"{_REPEATS.strip()}\n\n{_table(head, lines)}"


def _plain(table: dict[Key, Cell]) -> str:
    lines = [
        [
            f"{_NAMES[data]} {model.upper()}",
            *(
                _cell(value)
                for name in ("sgd", "bfgs")
                for value in (PRINTED[data, model][name],
                              table.get((data, model, name, float("inf"))))
            ),
        ]
        for data in DATA for model in MODELS
    ]  # fmt: skip
    return _table(
        ["data, model", "SGD, the paper", "SGD, ours", "BFGS, the paper", "BFGS, ours"], lines
    )


def _counts(table: dict[Key, Cell]) -> str:
    counts = verdicts(table)
    lines = [
        f"- {RECIPES[name].title}: {counts[name][0]} of {counts[name][1]} cells {words}."
        for name, (_, words) in _RULES.items()
        if name in counts
    ]
    sizes = sorted({n for _, _, n in table.values()})
    return "\n".join(["## What came out", "", *lines, f"- Runs per cell: {_span(sizes)}."])


def _span(sizes: list[int]) -> str:
    return (
        "none" if not sizes else " to ".join(dict.fromkeys(str(s) for s in (sizes[0], sizes[-1])))
    )


def _settings() -> str:
    lines = [
        [
            f"`{name}`", recipe.title,
            {"paper": "printed formula", "tight": "PLD of the steps",
             "joint": "PLD of start and steps", None: "none"}[recipe.noise],
            recipe.start if recipe.noise else "class means", "yes" if recipe.project else "no",
            "averaged" if recipe.average else "last",
            *(_rate(recipe, model) for model in MODELS),
        ]
        for name, recipe in RECIPES.items()
    ]  # fmt: skip
    head = [
        "recipe",
        "called here",
        "σ",
        "start",
        "projected",
        "released",
        "η, C (GLVQ)",
        "η, C (GMLVQ)",
    ]
    return "## Settings\n\n" + _table(head, lines) + "\n\n" + _NOTES.strip()


def _rate(recipe: Any, model: str) -> str:
    if recipe.solver == "lbfgs":
        return "–"
    clip = f"C = {recipe.clip_norm[model]:g}" if recipe.noise else "no clipping"
    return f"{recipe.learning_rate[model]:g} {recipe.schedule}, {clip}"


_HEAD = """
# Table 1 of “Differential private relevance learning”, beside ours

Brinkrolf, Berger and Hammer, ESANN 2018. Test error, mean (standard deviation) over 5 × 5-fold
cross-validation: MNIST trains on one fold and is tested on four, the others the other way round.
δ = 10⁻⁵, ε₁ = 0.2 ε, ε₂ = 0.8 ε, q = 0.01, C = 0.5, E = 50 as printed, unless the settings say otherwise.

Made by `python -m dpcore table1-page` from the rows in `table1.csv`, which
`python -m dpcore table1 --data-dir DIR --out FILE --seed 2` wrote. The same command writes the private rows of
Segment and its rows by SGD again. The private rows of MNIST and Motion are older than the present generator of the
noise: run again, they are other draws (405 of Motion: on average 0.0001 less, with a deviation of 0.0038).

## Private
"""
_REPEATS = """
### How much of it is the seed

A cell is the mean of 25 runs of one seed. The whole protocol of Segment GLVQ was run again with ten other seeds
(3 to 12, `table1_seeds.csv`). Where noise decides, the second digit depends on the seed: at ε = 0.75 the table's seed
is the luckiest of eleven for the printed σ, and the mean of the ten repeats is the fairer number. At larger ε the
third digit depends on the seed. Of MNIST and Motion one seed was run. The means of the sweep (`sweep.csv`) are of
five folds: run again with another seed, a cell of Segment GLVQ changed by .054 (standard deviation), at most by .15:
their third and fourth digits are noise.
"""
_BETWEEN = "## Not private"
_NOTES = """
Every recipe uses the same step size on all three data sets. “Tight σ” is that of the steps alone at ε₂; in
“projected” and “our best” start and steps are accounted for together (their privacy loss distributions composed),
which needs 5 to 8 % less noise for the same (ε, δ) after the Laplace start. Schedule, averaging and C of these
recipes were chosen by test errors on folds of seed 1: for GLVQ 29 settings were tried on Segment and 13 on each
other set, for GMLVQ 19 on each. The step size 0.2 of “projected” GLVQ is the one of 0.05, 0.1, 0.15, 0.2 and 0.3
whose worst of nine cells, on average over seeds 1, 3 and 4, is best among those that halve the printed error of
Segment at ε = 0.75. The rows here are of seed 2, whose folds and noise had no part in the choice; the data sets are
the same, so that some optimism is left. Settings of “printed σ”, “tight σ” and SGD come from an earlier search of
the same kind.

Segment GLVQ at ε = 2.5, “projected”, is near its mark of 0.1697: with the noise of before it was 0.1700, where one
standard error of 25 runs is 0.004. With seeds 5 to 12, which had no part in anything (25 runs each of that noise, the
same command with `--data segment --models glvq --recipes projected --seed N`), it was 0.1646 to 0.1684.

No ε pays for any of this, here or in the paper. Shared within a fold: the lots and the unit normals of all recipes
and all ε. “Last” releases the last iterate, “averaged” the running average of the iterates; both and projecting
cost no privacy. The Gaussian start costs (ε₁, δ/2).
"""
_LIMITS = """
## What could not be reproduced, and why

- **PCA to 30 dimensions and min-max scaling of MNIST and Motion are our inference.** The paper does not mention
  them. Without them its BFGS errors do not come out (raw Motion GMLVQ, one fold: 0.022 instead of 0.0897), and its
  Laplace start would have a standard deviation of 10.6 per pixel at ε = 0.75. With them they do.
- **They are computed from the private records, and no ε pays for them**, nor for the min-max scaling of Segment.
  The true cost of the paper's columns, and of ours beside them, is therefore not bounded by the ε at the head of the
  line. Only the column “public basis” is: it looks at no record, and takes 35 low-frequency cosines of a picture on a
  fixed scale, 30 fixed random directions of the motion features, declared bounds of the segments. The difference to
  “our best” is what the unpaid step was worth; random directions are much the weakest of the three.
- **The printed σ does not give the printed errors** where noise matters most (Segment, Motion at ε = 0.75): ours are
  worse there. A σ of about half, which a tight accountant gives, does. Whether the authors used an accountant or half
  the formula cannot be told from the table. The printed recipe at “ε = 0.75, 1.5, 2.5” really costs 0.417, 0.886 and
  1.574 (its two Laplace releases and its steps composed by their privacy loss distributions).
- MNIST GMLVQ by SGD: ours is better than the printed 0.1583. Clipped at C = 0.5, without noise, it is 0.161 (5 runs).
  So from ε = 1.5 on it is the bias of clipping that limits the private columns at C = 0.5, not noise in the matrix as
  the paper supposes; C = 2 (“our best”) removes it.
- Step sizes, their decay, the first Ω (here the identity) and whether prototypes are put back on the domain are not
  given. No projection, of the noisy start either, a linear decay and one step size per model fit best.
- The motion features are re-derived from the raw signals, nearly equal to the published ones.
"""


_COLUMNS = ("data", "model", "recipe", "epsilon", "error")
_CELLS = (("data", DATA), ("models", MODELS))


def _add_table(parser: argparse.ArgumentParser) -> None:
    _add_run(parser, tuple(RECIPES), repeats=5)


def _add_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, required=True, help="what table1 wrote")
    parser.add_argument("--out", type=Path, required=True, help="a Markdown file")
    parser.add_argument(
        "--seeds", type=Path, required=True, help="means of other seeds, as docs/table1_seeds.csv"
    )


def _add_figure(parser: argparse.ArgumentParser) -> None:
    _add_run(parser, RECIPES_OF_FIGURE, repeats=1)


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    _add_run(parser, settings_sweep.RECIPES_OF_SWEEP, repeats=1)
    parser.add_argument(
        "--whole", action="store_true",
        help="every combination of the values (2,000 settings), not one value at a time (40); "
        "--means may then end in .npz: small, and what the file holds of other models stays",
    )  # fmt: skip
    parser.add_argument(
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


def _settings_of(args: argparse.Namespace, **change: Any) -> Settings:
    try:
        return Settings(
            data=tuple(args.data), models=tuple(args.models), recipes=tuple(args.recipes),
            n_repeats=args.repeats, n_folds=args.folds, seed=args.seed, data_dir=args.data_dir,
            change=change,
        )  # fmt: skip
    except ValueError as error:
        raise Refused(str(error)) from error


def _where(args: argparse.Namespace) -> dict[str, Any]:
    """Return where tasks run; raise Refused if an argument for this, or the file for means, is not allowed."""
    _check_means(args)
    if args.jobs < 1:
        raise Refused(f"--jobs {args.jobs} is not allowed: give a whole number of at least 1.")
    backend = "dask" if args.scheduler else args.backend
    return {"backend": backend, "n_jobs": args.jobs, "scheduler": args.scheduler}


def _run_table(args: argparse.Namespace) -> int:
    run(_settings_of(args), args.out, **_where(args))
    return 0


def _make_page(args: argparse.Namespace) -> int:
    results, seeds = _read_table(args.results), _read_table(args.seeds)
    args.out.write_text(page(results, seeds), encoding="utf-8")
    return 0


def _read_table(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file that was given as an argument, or raise Refused if they cannot be used."""
    try:
        rows = read(path)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # pandas and pyarrow derive their errors from it
        raise Refused(f"{path} is no table: {error}") from error
    missing = [name for name in _COLUMNS if rows and name not in rows[0]]
    if missing or not rows:
        what = f"has no column {missing[0]!r}" if missing else "has no rows"
        raise Refused(f"{path} {what}: give a file that table1 --out wrote.")
    return rows


def _check_means(args: argparse.Namespace) -> None:
    means: Path | None = getattr(args, "means", None)
    if means is None:
        return
    whole = getattr(args, "whole", False)
    allowed = (".csv", ".parquet", ".npz") if whole else (".csv", ".parquet")
    if means.suffix not in allowed:
        raise Refused(
            f"--means {means} is not allowed: give a name that ends in {' or '.join(allowed)}."
        )
    if means.suffix != ".npz" and means.exists():
        _read_table(means)


def _run_figure(args: argparse.Namespace) -> int:
    rows = run(_settings_of(args, epsilons=FIGURE_EPSILONS), args.out, **_where(args))
    return _with_means(rows, figure_means, args)


def _run_sweep(args: argparse.Namespace) -> int:
    settings, where = _settings_of(args), _where(args)
    wanted = settings_sweep.sweep_tasks(settings, args.whole, _epochs(args))
    mark = {**settings.mark(), "sweep": settings_sweep.SWEEP_EPSILONS}
    rows = settings_sweep.rows_of(work_through(wanted, mark, args.out, **where))
    write(rows, args.out)
    if args.whole and args.means and args.means.suffix == ".npz":
        save_whole(rows, args.means)
        return 0
    return _with_means(rows, settings_sweep.summary, args)


def _epochs(args: argparse.Namespace) -> list[int] | None:
    values = settings_sweep.AXES["epochs"]
    if args.epochs and not (args.whole and set(args.epochs) <= set(values)):
        raise Refused(
            f"--epochs goes with --whole and takes some of {', '.join(f'{e:g}' for e in values)}."
        )
    return cast("list[int] | None", args.epochs)


def _with_means(
    rows: list[Row], mean: Callable[[list[Row]], list[Row]], args: argparse.Namespace
) -> int:
    if args.means:
        new = mean(rows)
        old = read(args.means) if args.means.exists() else []
        run = {_curve(row) for row in new}
        write([row for row in old if _curve(row) not in run] + new, args.means)
    return 0


def _curve(row: Row) -> tuple[Any, ...]:
    return row["data"], row["model"], row["recipe"]


COMMANDS = MappingProxyType({
    "table1": Command(_add_table, _run_table), "table1-page": Command(_add_page, _make_page),
    "figure1": Command(_add_figure, _run_figure), "sweep": Command(_add_sweep, _run_sweep),
})  # fmt: skip
"""The commands of this module, by name."""
