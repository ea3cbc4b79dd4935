"""Run the whole table on threads, processes or a Dask cluster, with a journal and the time left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from dpcore import _checks
from dpcore.experiments.table1.engine import work_through, write
from dpcore.experiments.table1.recipes import DATA, MODELS, RECIPES, Recipe
from dpcore.experiments.table1.work import Task

__all__ = ["Settings", "run", "tasks"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the table holds: data sets, models, recipes by name, repeats × folds, seed, where from.

    ``data_dir`` is a folder that every worker can read, as ``data_home`` of `datasets.load`.
    """

    data: tuple[str, ...] = DATA
    models: tuple[str, ...] = MODELS
    recipes: tuple[str, ...] = tuple(RECIPES)
    n_repeats: int = 5
    n_folds: int = 5
    seed: int = 1
    data_dir: str | None = None
    change: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, allowed in (("data", DATA), ("models", MODELS), ("recipes", tuple(RECIPES))):
            for value in getattr(self, name):
                _checks.one_of(name, value, allowed)
        _checks.integer("n_repeats", self.n_repeats, low=1)
        _checks.integer("n_folds", self.n_folds, low=1, high=5)
        _checks.integer("seed", self.seed, low=0)

    def recipe(self, name: str) -> Recipe:
        """Return a recipe with this run's changes (a shorter training, say)."""
        return replace(RECIPES[name], **self.change)

    def mark(self) -> dict[str, Any]:
        """Return what a number depends on: seed and recipes, not how many of them were asked for."""
        return {"seed": self.seed, "recipes": {n: asdict(self.recipe(n)) for n in sorted(RECIPES)}}


def tasks(settings: Settings) -> list[Task]:
    """Return every piece of the table, the first repeat of all cells before the second."""
    return [
        Task(
            data=data, model=model, name=name, recipe=settings.recipe(name), repeat=repeat,
            fold=fold, seed=settings.seed, data_dir=settings.data_dir,
        )
        for repeat in range(settings.n_repeats)
        for fold in range(settings.n_folds)
        for data in settings.data
        for model in settings.models
        for name in settings.recipes
    ]  # fmt: skip


def run(
    settings: Settings,
    out: Path,
    *,
    backend: str = "processes",
    n_jobs: int = 1,
    scheduler: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> list[dict[str, Any]]:
    """Run what the journal beside ``out`` does not hold yet, and write the whole table to ``out``.

    Workers that die take nothing with them but the tasks they held, which are run again.

    Parameters
    ----------
    settings : Settings
        What to run.
    out : Path
        A .csv or .parquet file; the journal is the same name with ``.journal`` added.
    backend : "threads", "processes" or "dask"
        Where tasks run.
    n_jobs : int
        Workers; with dask, the tasks in flight.
    scheduler : str or None
        Address of a Dask scheduler; only with dask.
    tell : callable or None
        Told each line of progress; stderr otherwise.

    Returns
    -------
    list of dict
        One row per task and ε.

    Raises
    ------
    ValueError
        When an argument is not allowed, or the journal is locked or of other settings.
    """
    found = work_through(
        tasks(settings), settings.mark(), out, backend=backend, n_jobs=n_jobs,
        scheduler=scheduler, tell=tell,
    )  # fmt: skip
    rows = [row for _, some in found for row in some]
    write(rows, out)
    return rows
