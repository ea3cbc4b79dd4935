"""Two worlds: one person's record replaced by another, and what a spy makes of the fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.regression.fits import draw, moved
from dpcore.experiments.regression.params import RegressionParams
from dpcore.experiments.regression.problem import Setting
from dpcore.regression import SufficientStatistics

__all__ = ["SEPARABILITY_EDGES", "NeighbouringRuns", "neighbouring_runs", "person_row"]

Floats = NDArray[np.float64]
SEPARABILITY_EDGES = np.linspace(-5, 5, 26)


@dataclass(frozen=True, kw_only=True, eq=False)
class NeighbouringRuns:
    """Fits with the person's own record and with the replaced one; m draws, E = 50 ε.

    ``here`` and ``there`` (m, E, D) coefficients, noise drawn anew in each; ``home`` and ``away``
    (2,) the person on the map; ``best_there`` (D,) least squares in the other world;
    ``here_counts`` and ``there_counts`` (E, 25) shares of a spy's scores in `SEPARABILITY_EDGES`;
    ``guessed`` (E,) the share of right guesses on draws the spy had not seen.
    """

    here: Floats
    there: Floats
    home: Floats
    away: Floats
    best_there: Floats
    here_counts: Floats
    there_counts: Floats
    guessed: Floats

    @property
    def tries(self) -> int:
        """Return how many guesses the share is of: the fits that the spy had not seen."""
        return 2 * (len(self.here) - len(self.here) // 2)


def person_row(setting: Setting, percent: int) -> int:
    """Return the row of the person at a rank in percent, most unusual first."""
    X, y = setting.some
    rows = np.column_stack([np.ones(len(X)), X])
    unusual = np.abs(rows @ setting.best - y) * np.linalg.norm(rows, axis=1)
    ranked = np.argsort(-unusual, kind="stable")
    return int(ranked[round(percent / 100 * (len(ranked) - 1))])


def neighbouring_runs(
    setting: Setting, params: RegressionParams, here: Floats, n_draws: int | None = None
) -> NeighbouringRuns:
    """Return both worlds; ``here`` (m, E, D) are the fits of the data as they are.

    They are the first of ``n_draws`` draws when that is given.

    The person's first feature and target move, inside the bounds; the other features stay.
    """
    X, y = setting.some
    row = person_row(setting, params.person)
    x = np.concatenate([[1.0], X[row]])
    u = x.copy()
    u[1] = np.clip(u[1] + params.person_dx, -1, 1)
    v = float(np.clip(y[row] + params.person_dy, -1, 1))
    sums = moved(setting, (x, float(y[row])), (u, v))
    there = _there(setting, params, sums, (row, u[1:], v), (n_draws or len(here), len(here)))
    scores, other = _spy(here, there)
    right = (scores > 0).mean(0) + (other <= 0).mean(0)
    return NeighbouringRuns(
        here=here, there=there, home=np.array([x[1], y[row]]), away=np.array([u[1], v]),
        best_there=sums.solve(), here_counts=_counts(scores), there_counts=_counts(other),
        guessed=right / 2,
    )  # fmt: skip


def _there(
    setting: Setting,
    params: RegressionParams,
    sums: SufficientStatistics,
    record: tuple[int, Floats, float],
    draws: tuple[int, int],
) -> Floats:
    records = None
    if params.method == "descent":  # it goes through the records themselves
        X, y = setting.scaled()
        X[record[0]], y[record[0]] = record[1], record[2]
        records = X, y
    found, _ = draw(
        sums, params, setting, world=1, n_draws=draws[0], keep=draws[1], records=records
    )
    return found[: draws[1], :-1]


def _spy(here: Floats, there: Floats) -> tuple[Floats, Floats]:
    """Scores of the second half of the draws by a line trained on the first half, (m/2, E) each."""
    half = len(here) // 2
    a, b = here[:half], there[:half]
    pooled = np.concatenate([a - a.mean(0), b - b.mean(0)]).transpose(1, 0, 2)
    # Draws far out would rule the direction: they are pulled in to a few medians.
    size = np.median(np.abs(pooled), axis=1, keepdims=True) + 1e-12
    pooled = np.clip(pooled, -4 * size, 4 * size)
    spread = np.swapaxes(pooled, 1, 2) @ pooled / (2 * half)
    ridge = 1e-6 * np.trace(spread, axis1=1, axis2=2)[:, None, None] + 1e-18
    way = np.median(a, axis=0) - np.median(b, axis=0)
    weight = np.linalg.solve(spread + ridge * np.eye(spread.shape[-1]), way[..., None])[..., 0]
    middle = (np.median(a, axis=0) + np.median(b, axis=0)) / 2
    scores = [np.einsum("med,ed->me", part[half:] - middle, weight) for part in (here, there)]
    # Heavy tails again: the unit of a score is its median size.
    width = np.median(np.abs(np.concatenate(scores)), axis=0) / 0.6745 + 1e-300
    return scores[0] / width, scores[1] / width


def _counts(scores: Floats) -> Floats:
    bins = len(SEPARABILITY_EDGES) - 1
    width = SEPARABILITY_EDGES[1] - SEPARABILITY_EDGES[0]
    place = np.clip((scores - SEPARABILITY_EDGES[0]) / width, 0, bins - 1).astype(int)
    found = np.zeros((scores.shape[1], bins))
    np.add.at(found, (np.arange(scores.shape[1]), place), 1.0 / len(scores))
    return found
