"""Axis ranges of the figure of Linear regression, which do not depend on the numbers of records and features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.experiments import regression
from dpcore.experiments.regression import FEATURES_GRID, SAMPLES_GRID, Problem, RegressionParams
from ui.live import Axis

__all__ = ["Frame", "frame_of"]

_TICKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Axis ranges for a data set, which suit all numbers of records and features.

    - ``half``, ``low`` and ``high``: half-width, bottom and top of the panel with the parabola.
    - ``error``: range of the errors.
    - ``price``: largest excess error.
    - ``centre``: intercept and slope in the middle of the contour plot.
    """

    half: float
    low: float
    high: float
    error: tuple[float, float]
    price: float
    centre: tuple[float, float]

    def loss_axis(self) -> Axis:
        """Return a logarithmic axis of errors that contains the error of the best fit and the error of a constant."""
        low, high = self.error
        ticks = tuple(tick for tick in _TICKS if low <= tick <= high)
        return Axis(range=self.error, log=True, ticks=ticks)


def frame_of(problem: Problem, params: RegressionParams) -> Frame:
    """Return the axis ranges for a data set, if the figure shows the feature that ``params`` selects."""
    grid = {min(d, problem.dataset.n_features): d for d in FEATURES_GRID}
    settings = [
        problem.setting(params.but(n_samples=SAMPLES_GRID[-1], n_features=d)) for d in grid.values()
    ]
    spans = np.array([_span(setting) for setting in settings])
    best = min(float(setting.test.mse(setting.best)) for setting in settings)
    guess = settings[0].guess_mse
    places = np.array([setting.best[:2] for setting in settings])
    centre = (places.min(axis=0) + places.max(axis=0)) / 2
    return Frame(
        half=float(spans[:, 0].max()), low=float(spans[:, 1].min()), high=float(spans[:, 2].max()),
        # A target that the features give exactly has no error: the axis of its logarithm ends above 0.
        error=(max(0.85 * best, 1e-6 * guess, 1e-12), max(8 * guess, 4 * best, 1e-9)),
        price=max(1.6 * (guess - best), 0.2 * best),
        centre=(float(centre[0]), float(centre[1])),
    )  # fmt: skip


def _span(setting: regression.Setting) -> tuple[float, float, float]:
    """Return half-width, bottom and top of the panel that shows the objective (a parabola) for ``setting``."""
    sums, n = setting.train, setting.n_samples
    a, b = regression.along(sums.quadratic, sums.linear, setting.best)
    square, line = max(float(a) / n, 1e-6), float(b) / n
    half = float(np.clip(2.2 * abs(line) / square, 1.0, 3.0))
    top = 0.8 * square * half**2 + abs(line) * half * 0.5
    return half, -max(3.0 * line**2 / square, 0.45 * top), top
