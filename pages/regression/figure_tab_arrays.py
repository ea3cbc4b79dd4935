"""The arrays behind the tabs of Linear regression: methods, splits of ε, two worlds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import (
    METHODS,
    Comparison,
    Fits,
    NeighbouringRuns,
    Setting,
    Shares,
)
from ui.figure_kit.common import array
from ui.figure_kit.estimates import rate_arrays
from ui.live import Array

__all__ = [
    "Floats",
    "nothing",
    "of_method",
    "of_methods",
    "of_neighbouring_runs",
    "of_splits",
    "of_trials",
    "price_of",
]


Floats = NDArray[np.float64]


N_EPSILON = len(EPSILON_GRID)


def nothing(*shape: int) -> Floats:
    return np.full((N_EPSILON, *shape), np.nan)


def of_method(setting: Setting, found: Comparison | None, name: str) -> dict[str, Array]:
    """Return the arrays of one method in the comparison; NaN where it is not known."""
    made: dict[str, Array] = {}
    for which in ("test", "train"):
        known = getattr(found, which).get(name) if found else None
        low, middle, high = np.full((3, N_EPSILON), np.nan) if known is None else known
        made[f"{which}_{name}"] = array(middle)
        made[f"{which}_{name}_now"] = array(middle, "epsilon")
        made[f"{which}_{name}_span"] = array(np.stack([low, high], -1), "epsilon")
    best_test = float(setting.test.mse(setting.best))
    price = price_of(found.ideal_test.get(name, np.nan) if found else np.nan, best_test)
    whole = (found.test[name][1] if found and name in found.test else nothing()) - best_test
    made[f"price_{name}"] = array([0.0, price])
    made[f"noise_{name}"] = array(np.stack([np.full(N_EPSILON, price), whole], -1), "epsilon")
    return made


def of_methods(setting: Setting, fits: Fits | None, found: Comparison | None) -> dict[str, Array]:
    made: dict[str, Array] = {}
    for name in METHODS:
        made |= of_method(setting, found, name)
    for which in ("test", "train"):
        own = np.full((3, N_EPSILON), np.nan) if fits is None else fits.quantiles(which)
        for name, values in zip(("low", "middle", "high"), own, strict=True):
            made[f"{which}_{name}"] = array(values)
    own_share = nothing() if fits is None else fits.indefinite.mean(axis=0)
    for name in ("printed", "tight", "joint", "gaussian"):
        share = found.indefinite.get(name) if found else None
        made[f"share_{name}"] = array(nothing() if share is None else share)
    made["share_own"] = array(own_share)
    return made


def of_splits(found: Shares | None, tried: Floats | None) -> dict[str, Array]:
    if found is None:
        return {}
    return {
        "variance": array(found.variance),
        "tried_variance": array(np.column_stack([regression.TRIED, found.tried_variance])),
        "tried_labels": Array(np.zeros(len(regression.TRIED), np.int32), (None,)),
        "excess": array(found.excess[0] / found.excess[0].min()),
        "least_share": array(found.least),
        **{f"mark_{name}": array(at) for name, at in found.marks.items()},
        **of_trials(tried),
    }


def of_trials(tried: Floats | None) -> dict[str, Array]:
    """Return the arrays of the median errors (E, 12) at the shares tried; NaN for None."""
    trial = nothing(len(regression.TRIED)) if tried is None else tried
    best = trial.argmin(axis=1) if tried is not None else np.zeros(N_EPSILON, int)
    x = np.broadcast_to(regression.TRIED, trial.shape)
    return {
        "tried_error": array(np.stack([x, trial], -1), "epsilon"),
        "tried_line": array(trial, "epsilon"),
        "tried_best": array(regression.TRIED[best], "epsilon"),
        "tried_least": array(trial[np.arange(N_EPSILON), best], "epsilon"),
    }


def of_neighbouring_runs(setting: Setting, found: NeighbouringRuns | None) -> dict[str, Array]:
    if found is None:
        return {}
    edge = np.array([[-1.0], [1.0]])
    base = setting.centre[2:]
    lines = {}
    for name, theta in (("here", setting.best), ("there", found.best_there)):
        lines[f"{name}_line"] = array((theta[0] + theta[2:] @ base + theta[1] * edge)[:, 0])
    made = {
        f"{name}_points": array(
            np.clip(getattr(found, name)[:40, :, :2], -99, 99).transpose(1, 0, 2), "epsilon"
        )
        for name in ("here", "there")
    }
    n = min(len(found.here), 40)
    return {
        **lines,
        **made,
        "world_labels": Array(np.zeros(n, np.int32), (None,)),
        "person_away": array(found.away[None]),
        "person_home": array(found.home[None]),
        "one": Array(np.zeros(1, np.int32), (None,)),
        "here_counts": array(found.here_counts, "epsilon"),
        "there_counts": array(found.there_counts, "epsilon"),
        **rate_arrays("guessed", found.guessed, found.tries, "epsilon"),
    }


def price_of(ideal: float, best: float) -> float:
    """What the method alone costs, without the rounding of the computer."""
    return 0.0 if abs(ideal - best) < 1e-9 * best else ideal - best
