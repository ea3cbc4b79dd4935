"""The paper's sweep over C, E and q, in the protocol of its table, and what it says.

Brinkrolf, Berger and Hammer (2018, section 4) try ten C in [0.05, 2], ten E in [10, 100] and twenty q in
[0.0005, 0.1] on Motion, and report the standard deviation of the test error over each at three ε. They do not
say how the values are spaced, nor whether the others stay fixed: here C and q are geometric, E goes in tens,
and the others stay at 0.5, 50 and 0.01, unless the whole product of 2,000 settings is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dpcore import accounting
from dpcore.experiments.table1.means import Row, means
from dpcore.experiments.table1.recipes import DELTA, INIT_SHARE, Recipe
from dpcore.experiments.table1.run import Settings
from dpcore.experiments.table1.work import Task

__all__ = [
    "AXES",
    "CENTRE",
    "COLUMNS",
    "PRINTED_SPREAD",
    "RECIPES_OF_SWEEP",
    "SWEEP_EPSILONS",
    "Setting",
    "best",
    "broken",
    "rows_of",
    "settings",
    "spread",
    "summary",
    "sweep_tasks",
]  # fmt: skip

SWEEP_EPSILONS = (0.75, 1.0, 2.5)
RECIPES_OF_SWEEP = ("paper", "tight")


class Setting(NamedTuple):
    """C, E and q of one training."""

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
"""Standard deviations of the test error on Motion at the three ε (section 4 of the paper)."""
COLUMNS = ("data", "model", "recipe", *Setting._fields, "epsilon")


def settings(whole: bool = False, epochs: Collection[float] | None = None) -> list[Setting]:
    """Return the 40 settings that differ from the centre in one value, or all 2,000, or those with some E."""
    if whole:
        every = (Setting(*values) for values in itertools.product(*AXES.values()))
        return [one for one in every if epochs is None or one.epochs in epochs]
    return [CENTRE._replace(**{name: value}) for name, values in AXES.items() for value in values]


def sweep_tasks(
    asked: Settings, whole: bool = False, epochs: Collection[float] | None = None
) -> list[Task]:
    """Return every piece of the sweep for the data, models, recipes, repeats and folds asked for.

    All C of an E and a q are one piece: σ and lots depend on E and q alone, so that they are trained side by
    side. E cannot be read along one training, since the printed σ and the falling step depend on it.
    ``epochs`` leaves only these E of the ``whole``.
    """
    return [
        Task(
            data=data, model=model, name=f"{name} {','.join(f'{c:g}' for c in clips)} {e:g} {q:g}",
            recipe=_recipe(asked.recipe(name), e, q), repeat=repeat, fold=fold, seed=asked.seed,
            data_dir=asked.data_dir, clips=clips,
        )
        for data in asked.data
        for model in asked.models
        for name in asked.recipes
        for repeat in range(asked.n_repeats)
        for (e, q), clips in _side_by_side(settings(whole, epochs)).items()
        for fold in range(asked.n_folds)
    ]  # fmt: skip


def _side_by_side(wanted: Iterable[Setting]) -> dict[tuple[float, float], tuple[float, ...]]:
    """The values of C that go with each E and q."""
    found: dict[tuple[float, float], tuple[float, ...]] = {}
    for one in dict.fromkeys(wanted):
        key = one.epochs, one.sample_rate
        found[key] = (*found.get(key, ()), one.clip_norm)
    return found


def _recipe(recipe: Recipe, epochs: float, sample_rate: float) -> Recipe:
    return replace(recipe, epochs=epochs, sample_rate=sample_rate, epsilons=SWEEP_EPSILONS)


def rows_of(found: Iterable[tuple[Task, list[dict[str, Any]]]]) -> list[Row]:
    """Return the rows of finished tasks, each with its C, E and q."""
    return [
        {**row, "recipe": task.name.split()[0], "epochs": task.recipe.epochs,
         "sample_rate": task.recipe.sample_rate}
        for task, rows in found for row in rows
    ]  # fmt: skip


def summary(rows: Iterable[Row]) -> list[Row]:
    """Return mean, deviation and number of the test errors of each setting, model and data set.

    With ``steps_epsilon``, what the steps really cost (PLD) where 0.8 ε is claimed.
    """
    return [row | {"steps_epsilon": _cost(row)} for row in means(rows, COLUMNS)]


def _cost(row: Row) -> float:
    steps = max(1, round(row["epochs"] / row["sample_rate"]))
    found = accounting.epsilon(
        noise_multiplier=row["noise_multiplier"],
        sample_rate=row["sample_rate"],
        n_steps=steps,
        delta=DELTA,
    )
    return float(f"{found:.4g}")


def broken(found: Iterable[Row], epsilon: float) -> list[tuple[Setting, float]]:
    """Return the settings whose steps cost more than 0.8 ε with the printed σ, the worst first, with that cost."""
    costs = {
        Setting(*(row[name] for name in Setting._fields)): row["steps_epsilon"] for row in found
        if row["recipe"] == "paper" and row["epsilon"] == epsilon
    }  # fmt: skip
    claimed = (1 - INIT_SHARE) * epsilon
    worse = [(setting, cost) for setting, cost in costs.items() if cost > 1.005 * claimed]
    return sorted(worse, key=lambda one: -one[1])


def spread(found: Sequence[Row], data: str, model: str, recipe: str) -> dict[str, list[float]]:
    """Return the standard deviation of the mean errors over the values of C, E and q, at each ε.

    Parameters
    ----------
    found : sequence of dict
        What `summary` returned.
    data, model, recipe : str
        Which of them.

    Returns
    -------
    dict of str to list
        By the name of what varies, in the order of ``SWEEP_EPSILONS``; NaN where nothing was run.
    """
    mine = [
        row for row in found if (row["data"], row["model"], row["recipe"]) == (data, model, recipe)
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


def best(found: Sequence[Row], data: str, model: str, recipe: str, epsilon: float) -> Row | None:
    """Return the row of the smallest mean error, None where nothing was run.

    Choosing it looks at private results: no ε here pays for that.
    """
    mine = [
        row for row in found
        if (row["data"], row["model"], row["recipe"], row["epsilon"]) == (data, model, recipe, epsilon)
    ]  # fmt: skip
    return min(mine, key=lambda row: row["error"], default=None)
