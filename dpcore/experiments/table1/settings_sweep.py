"""Sweep over clipping norm C, epochs E and sampling rate q.

One setting is varied at a time, as in the paper, or all 2,000 settings are run. The results of all
settings are stored in a compact file.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore.experiments.table1.run import Settings
from dpcore.experiments.table1.training import DELTA, INIT_SHARE, Recipe, Row, Task, means

__all__ = [
    "AXES",
    "CENTRE",
    "COLUMNS",
    "PRINTED_SPREAD",
    "RECIPES_OF_SWEEP",
    "SWEEP_EPSILONS",
    "Setting",
    "WholeCurve",
    "best",
    "break_counts",
    "broken",
    "read_whole",
    "rows_of",
    "save_whole",
    "settings",
    "spread",
    "summary",
    "sweep_tasks",
]

SWEEP_EPSILONS = (0.75, 1.0, 2.5)
RECIPES_OF_SWEEP = ("paper", "tight")


class Setting(NamedTuple):
    """Clipping norm C, number of epochs E and sampling rate q of one training."""

    clip_norm: float
    epochs: float
    sample_rate: float


def _geometric(low: float, high: float, n: int) -> tuple[float, ...]:
    return tuple(float(f"{value:.3g}") for value in np.geomspace(low, high, n))


CENTRE = Setting(0.5, 50, 0.01)
AXES: dict[str, tuple[float, ...]] = {
    "clip_norm": _geometric(0.05, 2, 10),
    "epochs": tuple(range(10, 101, 10)),
    "sample_rate": _geometric(0.0005, 0.1, 20),
}
PRINTED_SPREAD = {
    "clip_norm": (0.1275, 0.0412, 0.0062),
    "epochs": (0.0361, 0.0081, 0.0060),
    "sample_rate": (0.0899, 0.0370, 0.0062),
}
"""Published standard deviations of the test error on Motion at three ε, by the varied setting.

They are from section 4 of the paper by Brinkrolf et al.
"""
COLUMNS = ("data", "model", "recipe", *Setting._fields, "epsilon")


def settings(whole: bool = False, epochs: Collection[float] | None = None) -> list[Setting]:
    """Return the 40 settings that vary one value at a time; with ``whole``, all 2,000 settings.

    ``epochs``: with ``whole``, return only the settings with E among these values.
    """
    if whole:
        every = (Setting(*values) for values in itertools.product(*AXES.values()))
        return [one for one in every if epochs is None or one.epochs in epochs]
    return [CENTRE._replace(**{name: value}) for name, values in AXES.items() for value in values]


def sweep_tasks(
    run_settings: Settings, whole: bool = False, epochs: Collection[float] | None = None
) -> list[Task]:
    """Return all tasks of the sweep for the data, models, recipes, repeats and folds of ``run_settings``.

    There is one task for each pair of E and q. The task trains the models for all values of C in
    parallel, since their noise multiplier σ and batches depend only on E and q. Different E need
    separate trainings, since the σ of the paper's formula and the decreasing step size depend on E.

    ``epochs``: with ``whole``, only these values of E.
    """
    return [
        Task(
            data=data, model=model, name=f"{name} {','.join(f'{c:g}' for c in clips)} {e:g} {q:g}",
            recipe=_recipe(run_settings.recipe(name), e, q), repeat=repeat, fold=fold, seed=run_settings.seed,
            data_dir=run_settings.data_dir, clips=clips,
        )
        for data in run_settings.data
        for model in run_settings.models
        for name in run_settings.recipes
        for repeat in range(run_settings.n_repeats)
        for (e, q), clips in _side_by_side(settings(whole, epochs)).items()
        for fold in range(run_settings.n_folds)
    ]  # fmt: skip


def _side_by_side(wanted: Iterable[Setting]) -> dict[tuple[float, float], tuple[float, ...]]:
    """Return the values of C for each (E, q) of the given settings.

    Models with the same E and q are trained in parallel.
    """
    clips: dict[tuple[float, float], tuple[float, ...]] = {}
    for one in dict.fromkeys(wanted):
        key = one.epochs, one.sample_rate
        clips[key] = (*clips.get(key, ()), one.clip_norm)
    return clips


def _recipe(recipe: Recipe, epochs: float, sample_rate: float) -> Recipe:
    return replace(recipe, epochs=epochs, sample_rate=sample_rate, epsilons=SWEEP_EPSILONS)


def rows_of(results: Iterable[tuple[Task, list[dict[str, Any]]]]) -> list[Row]:
    """Return the rows of finished tasks, with recipe, E and q added to each."""
    return [
        {**row, "recipe": task.name.split()[0], "epochs": task.recipe.epochs,
         "sample_rate": task.recipe.sample_rate}
        for task, rows in results for row in rows
    ]  # fmt: skip


def summary(rows: Iterable[Row]) -> list[Row]:
    """Return mean, standard deviation and number of the test errors for each setting, model and data set.

    ``steps_epsilon`` in a row is the actual ε of the steps by PLD; the paper claims 0.8 ε.
    """
    return [row | {"steps_epsilon": _cost(row)} for row in means(rows, COLUMNS)]


def _cost(row: Row) -> float:
    steps = max(1, round(row["epochs"] / row["sample_rate"]))
    epsilon = accounting.epsilon(
        noise_multiplier=row["noise_multiplier"],
        sample_rate=row["sample_rate"],
        n_steps=steps,
        delta=DELTA,
    )
    return float(f"{epsilon:.4g}")


def broken(rows: Iterable[Row], epsilon: float) -> list[tuple[Setting, float]]:
    """Return the settings whose steps cost more than the claimed 0.8 ε, with the cost of the steps.

    An excess of at most 0.5 % is ignored. The steps have the σ of the paper's formula. The most
    expensive settings come first.
    """
    costs = {
        Setting(*(row[name] for name in Setting._fields)): row["steps_epsilon"] for row in rows
        if row["recipe"] == "paper" and row["epsilon"] == epsilon
    }  # fmt: skip
    claimed = (1 - INIT_SHARE) * epsilon
    worse = [(setting, cost) for setting, cost in costs.items() if cost > 1.005 * claimed]
    return sorted(worse, key=lambda one: -one[1])


def spread(rows: Sequence[Row], data: str, model: str, recipe: str) -> dict[str, list[float]]:
    """Return the standard deviation of the mean error over C, over E and over q, at each ε.

    While one setting varies, the others have their default values.

    Parameters
    ----------
    rows : sequence of dict
        Result of `summary`.
    data, model, recipe : str
        Names of data set, model and recipe.

    Returns
    -------
    dict of str to list
        Standard deviations in the order of ``SWEEP_EPSILONS``, by the name of the varied setting.
        NaN if fewer than two of its values were run.
    """
    mine = [
        row for row in rows if (row["data"], row["model"], row["recipe"]) == (data, model, recipe)
    ]
    return {name: [_deviation(mine, name, epsilon) for epsilon in SWEEP_EPSILONS] for name in AXES}


def _deviation(rows: Sequence[Row], name: str, epsilon: float) -> float:
    others = {k: v for k, v in CENTRE._asdict().items() if k != name}
    errors = [
        row["error"] for row in rows
        if row["epsilon"] == epsilon and row[name] in AXES[name]
        and all(row[k] == v for k, v in others.items())
    ]  # fmt: skip
    return float(np.std(errors)) if len(errors) > 1 else float("nan")


def best(rows: Sequence[Row], data: str, model: str, recipe: str, epsilon: float) -> Row | None:
    """Return the row with the smallest mean error at ε, or None if there is no row.

    Only rows with the given data set, model and recipe are compared. The choice is based on private
    results. Its privacy cost is not included in any ε.
    """
    mine = [
        row for row in rows
        if (row["data"], row["model"], row["recipe"], row["epsilon"]) == (data, model, recipe, epsilon)
    ]  # fmt: skip
    return min(mine, key=lambda row: row["error"], default=None)


Curve = tuple[str, str, str]
"""Names of a curve's data set, model and recipe."""
_UNIT = 1e-4  # of a stored error: a tenth of the deviation between folds, or less
_NONE = 65_535


@dataclass(frozen=True, kw_only=True, eq=False)
class WholeCurve:
    """Mean test errors of one model and recipe on a data set, for all 2,000 settings.

    - ``errors`` (3, 10, 10, 20): errors by ε, C, E and q, rounded to 0.0001, NaN where not run.
    - ``runs``: number of folds over which each error is averaged.
    """

    errors: NDArray[np.float64]
    runs: int

    def spread(self, name: str) -> list[float]:
        """Return the standard deviation of the error over the values of one setting, at each ε.

        ``name`` is the key of C, E or q in `AXES`. For fixed values of the two other settings, a
        standard deviation is computed if all values of this setting were run. The result is the
        average of these standard deviations, or NaN if there are none.
        """
        deviations = self.errors.std(axis=1 + list(AXES).index(name))
        there = np.isfinite(deviations)
        sums = np.where(there, deviations, 0).sum(axis=(1, 2))
        return [
            float(total / n) if n else float("nan")
            for total, n in zip(sums, there.sum(axis=(1, 2)), strict=True)
        ]

    @property
    def n_settings(self) -> int:
        """Number of the 2,000 settings that were run."""
        return int(np.isfinite(self.errors[0]).sum())

    def best(self, epsilon: float) -> tuple[Setting, float]:
        """Return the setting with the smallest mean error at an ε of `SWEEP_EPSILONS`, and this error."""
        errors = self.errors[SWEEP_EPSILONS.index(epsilon)]
        place = np.unravel_index(np.nanargmin(errors), errors.shape)
        values = (float(axis[k]) for axis, k in zip(AXES.values(), place, strict=True))
        return Setting(*values), float(errors[place])


def save_whole(rows: Iterable[Row], path: Path) -> None:
    """Write the mean errors of all settings in the given rows to a .npz file.

    If the file exists, its curves without new rows are kept. In a curve with new rows, the stored
    errors of settings without new rows are kept if they are means over the same number of runs as the
    new errors.

    Parameters
    ----------
    rows : iterable of dict
        Rows as `rows_of` returns them. A setting with fewer runs than others counts as not run.
    path : Path
        A .npz file.
    """
    arrays: dict[str, NDArray[np.generic]] = {}
    if path.exists():
        with np.load(path) as old:
            arrays = {name: old[name] for name in old.files}
    sums: dict[Curve, NDArray[np.float64]] = {}
    shape = (2, len(SWEEP_EPSILONS), *map(len, AXES.values()))
    for row in rows:
        curve = row["data"], row["model"], row["recipe"]
        at = (
            SWEEP_EPSILONS.index(row["epsilon"]),
            *(axis.index(row[name]) for name, axis in AXES.items()),
        )
        totals = sums.setdefault(curve, np.zeros(shape))
        totals[(0, *at)] += row["error"]
        totals[(1, *at)] += 1
    for curve, (total, number) in sums.items():
        runs = int(number.max())
        whole = np.where(number == runs, np.rint(total / np.maximum(number, 1) / _UNIT), _NONE)
        name, size = " ".join(curve), " ".join((*curve, "runs"))
        if name in arrays and int(arrays[size]) == runs:
            whole = np.where(number == 0, arrays[name], whole)
        arrays[name], arrays[size] = whole.astype(np.uint16), np.array(runs)
    arrays.setdefault("cost", _costs())
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def _costs() -> NDArray[np.float32]:
    """Return a lower bound (3, 10, 20) on the actual ε of the steps divided by the claimed 0.8 ε.

    The steps have the σ of the paper's formula. Axes: ε, E and q.
    """
    share = 1 - INIT_SHARE
    return np.array([
        [[_printed_cost(share * epsilon, e, q) / (share * epsilon) for q in AXES["sample_rate"]]
         for e in AXES["epochs"]]
        for epsilon in SWEEP_EPSILONS
    ], np.float32)  # fmt: skip


def _printed_cost(claimed: float, epochs: float, sample_rate: float) -> float:
    steps = max(1, round(epochs / sample_rate))
    sigma = accounting.paper_noise_multiplier(
        claimed, DELTA, sample_rate=sample_rate, n_steps=steps
    )
    cost, more = (
        accounting.epsilon(
            noise_multiplier=times * sigma, sample_rate=sample_rate, n_steps=steps, delta=DELTA
        )
        for times in (1, 1.01)
    )
    # The smallest σ is out of reach of the tight account, and its bound is far away: a little more noise
    # costs less, so that this is what the steps cost at least.
    return more if cost > 10 * more else cost


@lru_cache(maxsize=2)
def read_whole(path: Path) -> tuple[Mapping[Curve, WholeCurve], NDArray[np.float64]]:
    """Return the curves in a file of `save_whole`, and the ratios (3, 10, 20) of actual to claimed ε.

    The steps have the σ of the paper's formula. Axes of the ratios: ε, E and q. For the one setting
    with a σ too small for the tight accountant, the ratio is a lower bound.
    """
    with np.load(path) as file:
        curves: dict[Curve, WholeCurve] = {}
        for name in file.files:
            words = name.split()
            if len(words) == 3:
                stored = file[name].astype(float)
                errors = np.where(stored == _NONE, np.nan, stored * _UNIT)
                key = words[0], words[1], words[2]
                curves[key] = WholeCurve(errors=errors, runs=int(file[f"{name} runs"]))
        return curves, file["cost"].astype(float)


def break_counts(costs: NDArray[np.float64]) -> list[int]:
    """Return how many of the 2,000 settings cost more than the claimed ε, with the paper's σ, at each ε.

    ``costs`` (3, 10, 20): ratio of actual to claimed ε, by ε, E and q. The ratio does not depend on
    C.
    """
    return [int((some > 1.005).sum()) * len(AXES["clip_norm"]) for some in costs]
