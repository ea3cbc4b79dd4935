"""Made-up data that look like a declared table: from its bounds, classes and number of records alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import Dataset
from dpcore.experiments.choose.problem import Problem

__all__ = ["N_LOOKALIKES", "lookalike"]

N_LOOKALIKES = 3
"""How many tables are made up, each by another rule: the method is chosen on their mean."""
_MOST_MADE, _TESTED = 5_000, 500
_SPREAD, _SHARPNESS, _SCATTER = 0.5, 2.0, 0.15


def lookalike(problem: Problem, number: int) -> Problem:
    """Return made-up data with the declared facts of a problem: nothing is read from its records.

    Features are normal of spread ½ on the scaled box [-1, 1]^d, put on its edge beyond. A class is the largest of
    k random linear scores with Gumbel noise; a number is a random linear one with normal noise. The rule is drawn
    anew for every ``number``.

    Parameters
    ----------
    problem : Problem
        Of it are taken: the number of columns, bounds, list of classes or range of the target, unit, and the
        declared number of records (at most 5000 are made).
    number : int
        Which of the tables; the same number and facts give the same records.

    Returns
    -------
    Problem
        With 500 further records to test on.
    """
    data, d = problem.dataset, problem.n_features
    n = min(problem.n_declared, _MOST_MADE)
    rng = np.random.default_rng((number, 12, d, n, problem.n_classes))
    inside = np.clip(_SPREAD * rng.standard_normal((n + _TESTED, d)), -1, 1)
    y: NDArray[Any]
    if isinstance(data, Dataset):
        weights = rng.standard_normal((d, problem.n_classes))
        scores = inside @ weights / (_SPREAD * np.linalg.norm(weights, axis=0))
        y = (_SHARPNESS * scores + rng.gumbel(size=scores.shape) / 2).argmax(axis=1)
        # Every declared class has a record in both parts, as a method may ask.
        y[: problem.n_classes] = y[n : n + problem.n_classes] = np.arange(problem.n_classes)
    else:
        weights = rng.standard_normal(d)
        line = _SPREAD * inside @ weights / np.linalg.norm(weights)
        made = np.clip(line + _SCATTER * rng.standard_normal(n + _TESTED), -1, 1)
        y = problem.bounds.unscale_target(made)
    X = data.low + (inside + 1) / 2 * (data.high - data.low)
    parts = {"X": X[:n], "y": y[:n], "X_test": X[n:], "y_test": y[n:]}
    facts = {
        "name": "lookalike", "title": "Made-up data", "source": "made up",
        "description": "Made up from declared facts.",
    }  # fmt: skip
    return Problem(replace(cast(Any, data), **parts, **facts), own=problem.own)
