"""What bounds that were read from a table cost: a few far values make them wide, and noise is made for all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from dpcore.estimate import Difference, Estimate, difference
from dpcore.experiments.choose.costs import one_draw
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem

__all__ = ["FarValues", "far_values"]

_TRIES, _LEFT_OUT = 11, 0.01


@dataclass(frozen=True, kw_only=True)
class FarValues:
    """The error with bounds that leave out the lowest and highest 1 % of each column, beside the present one."""

    method: str
    wide: Estimate
    narrow: Estimate
    more: Difference


def far_values(
    problem: Problem, params: ChooseParams, check: Callable[[], None] = lambda: None
) -> FarValues:
    """Return the counterfactual of bounds read from the table, at the ε of the parameters, by a quick method.

    11 tries with each, with the same noise. The narrow bounds are read from the same table: no release may use
    them either.
    """
    data = problem.dataset
    low, high = np.quantile(data.X, (_LEFT_OUT, 1 - _LEFT_OUT), axis=0)
    flat = high <= low
    ends: Any = {"low": np.where(flat, data.low, low), "high": np.where(flat, data.high, high)}
    narrow = Problem(replace(cast(Any, data), **ends))
    method = "softmax" if problem.classifies else "adassp"
    errors = []
    for one in (problem, narrow):
        for draw in range(_TRIES):
            check()
            losses = one_draw(
                one, method, np.array([params.epsilon]), params.delta, 100 * params.seed + draw
            )
            errors.append(float(one.typical(losses.mean())))
    wide, close = errors[:_TRIES], errors[_TRIES:]
    return FarValues(
        method=method,
        wide=Estimate.of(wide, over="noise", direction="lower"),
        narrow=Estimate.of(close, over="noise", direction="lower"),
        more=difference(wide, close, over="noise", direction="lower"),
    )
