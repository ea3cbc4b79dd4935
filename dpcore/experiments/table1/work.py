"""One piece of the table: one recipe on one data set, model and fold, at every ε at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.datasets.principal import folds
from dpcore.experiments.table1.recipes import Level, Recipe
from dpcore.experiments.table1.records import records
from dpcore.lvq import error_rates, init, matrix, matrix_train, train

__all__ = ["Task", "run_task", "train_and_test"]

Data = tuple[NDArray[np.float32], NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What one worker does at a time; ``key`` names it in the journal.

    ``clips`` are clipping norms that are trained side by side, on the same lots and unit normals; without any
    the recipe's own is.
    """

    data: str
    model: str
    name: str
    recipe: Recipe
    repeat: int
    fold: int
    seed: int
    data_dir: str | None = None
    clips: tuple[float, ...] = ()

    @property
    def key(self) -> str:
        """Data, model, recipe, repeat and fold, joined."""
        return f"{self.data} {self.model} {self.name} {self.repeat} {self.fold}"


def run_task(task: Task) -> list[dict[str, Any]]:
    """Return one row per level: data, model, recipe, ε, σ, repeat, fold, test error, CPU seconds.

    Where the task has clipping norms of its own, a row for each of them and level, with ``clip_norm``.
    """
    began = time.thread_time()
    X, y = records(task.data, task.recipe.basis, task.data_dir)
    rows, others = folds(task.data, y, task.repeat, task.fold, task.seed)
    own = [{"clip_norm": clip} for clip in task.clips] or [{}]
    runs = [(level, clip) for clip in own for level in task.recipe.levels(X.shape[1])]
    errors = train_and_test(
        (X[rows], y[rows]), (X[others], y[others]), task.model, task.recipe,
        tuple(level for level, _ in runs), sgd.Streams.of(task.seed, task.repeat, task.fold),
        [clip["clip_norm"] for _, clip in runs] if task.clips else None,
    )  # fmt: skip
    spent = (time.thread_time() - began) / len(errors)
    return [
        {"data": task.data, "model": task.model, "recipe": task.name, "epsilon": level.epsilon,
         "noise_multiplier": round(level.noise_multiplier, 6), "repeat": task.repeat,
         "fold": task.fold, "error": round(float(error), 6), "seconds": round(spent, 3)} | clip
        for (level, clip), error in zip(runs, errors, strict=True)
    ]  # fmt: skip


def train_and_test(
    known: Data,
    other: Data,
    model: str,
    recipe: Recipe,
    levels: tuple[Level, ...],
    chance: sgd.Streams,
    clips: Sequence[float] | None = None,
) -> NDArray[np.float64]:
    """Return the test error of a recipe at each level, (K,).

    ``known`` and ``other`` are records (n, d) on [-1, 1]^d with their classes (n,); ``clips`` (K,) stands for
    the recipe's clipping norm.
    """
    if recipe.solver == "lbfgs":
        return _optimum(known, other, model)
    X, y = known
    labels = np.arange(int(y.max()) + 1)
    options: dict[str, Any] = {
        "noise_multiplier": [level.noise_multiplier for level in levels],
        "clip_norm": np.inf if recipe.noise is None else clips or recipe.clip_norm[model],
        "learning_rate": recipe.learning_rate[model],
        "expected_lot": recipe.sample_rate * len(X),
        "key": chance.key,
        "snapshots": [recipe.n_steps],
        "schedule": recipe.schedule,
        "average": recipe.average,
        "bounds": (-1.0, 1.0) if recipe.project else None,
    }
    first = init.start(
        *init.class_statistics(X, y, len(labels)),
        count_scale=[level.count_scale for level in levels],
        sum_scale=[level.sum_scale for level in levels],
        kind=recipe.start, rng=chance.start, project=recipe.project,
    )  # fmt: skip
    lots = sgd.poisson_lots(len(X), recipe.sample_rate, recipe.n_steps, chance.lots)
    if model == "glvq":
        found = train.sweep(X, y, first, labels, lots, **options)
        return error_rates(*other, found[:, -1], labels)
    path = matrix_train.sweep(X, y, first, matrix.start(X.shape[1]), labels, lots, **options)
    return matrix.error_rates(*other, path.prototypes[:, -1], path.omegas[:, -1], labels)


def _optimum(known: Data, other: Data, model: str) -> NDArray[np.float64]:
    from dpcore.lvq import GLVQ, GMLVQ

    fitted = (GLVQ if model == "glvq" else GMLVQ)(max_iter=2000).fit(*known)
    return np.array([(fitted.predict(other[0]) != other[1]).mean()])
