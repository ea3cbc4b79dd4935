"""The paper's Figure 1: test error against ε, both models, all three data sets.

The figure's values are not printed. What is printed of its curves is Table 1: three ε for each of the six,
and the same trainings without privacy (SGD).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dpcore.experiments.table1.means import Row, means
from dpcore.experiments.table1.recipes import EPSILONS

__all__ = ["FIGURE_EPSILONS", "RECIPES_OF_FIGURE", "curve", "figure_means"]

FIGURE_EPSILONS = (
    0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.1, 1.35, 1.5, 1.8, 2.2, 2.5, 3.2, 4.0, 5.0, 6.0,
    7.0, 8.0, 10.0,
)  # fmt: skip
RECIPES_OF_FIGURE = ("paper", "tight")
assert set(EPSILONS) <= set(FIGURE_EPSILONS)


def figure_means(rows: Iterable[Row]) -> list[Row]:
    """Return mean, deviation and number of the test errors at each ε of each curve."""
    return means(rows, ("data", "model", "recipe", "epsilon"))


def curve(found: Sequence[Row], data: str, model: str, recipe: str) -> list[float]:
    """Return the mean error at each of ``FIGURE_EPSILONS``, NaN where nothing was run."""
    known = {
        row["epsilon"]: row["error"] for row in found
        if (row["data"], row["model"], row["recipe"]) == (data, model, recipe)
    }  # fmt: skip
    return [known.get(epsilon, float("nan")) for epsilon in FIGURE_EPSILONS]
