"""The one sentence of Linear regression that says what its figure shows now."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dpcore.experiments.regression import RegressionParams
from dpcore.grids import EPSILON_GRID
from ui.live import Array, Text
from ui.runner import PageState

__all__ = ["meaning", "said"]

_LOST = (
    "Even without privacy, the fitted line does no better here than saying the average every time."
)
_LATER = "We are still computing which lines could be published."
_SAYS = (
    (0.03, "The noise hardly matters: a published line is off by {private_off}, about as much as without "
     "privacy."),
    (0.3, "The noise shows: a published line is typically off by {private_off}, and by {best_off} without "
     "privacy."),
    (1.0, "The noise does harm: a published line is typically off by {private_off}, and by {best_off} without "
     "privacy."),
    (math.inf, "There is too much noise: saying the average every time beats a typical published line."),
)  # fmt: skip


def meaning(state: PageState[RegressionParams]) -> Text:
    """Return the sentence for every ε, and for every number of people while that handle moves."""
    fits, problem = state["fits"], state.problem
    if fits is None or problem is None:
        return Text(strings=[_LATER])
    setting = problem.setting(state.params)
    bounds = float(setting.test.mse(setting.best)), float(setting.guess_mse)
    losses = np.median(np.sqrt(fits.test), axis=0)
    strings = [said(float(loss), *np.sqrt(bounds)) for loss in losses]
    return Text(strings=strings, dims=("epsilon",), along=_along(state))


def said(private: float, best: float, guess: float) -> str:
    """Return the sentence for the typical errors of a private line, of the best one, of the mean."""
    if best >= guess:
        return _LOST
    share = (private - best) / (guess - best)
    return next(text for limit, text in _SAYS if share < limit)


def _along(state: PageState[RegressionParams]) -> dict[str, Text]:
    """The same for every value of a handle that is drawn ahead, at the present ε."""
    at, controls = EPSILON_GRID.index(state.params.epsilon), state.params.controls()
    return {
        name: Text(
            strings=[_at(nodes.get(value), at) for value in controls[name].grid or ()], dims=(name,)
        )
        for name, nodes in state.previews("page").items()
    }


def _at(node: Mapping[str, Array] | None, at: int) -> str:
    if node is None:
        return _LATER
    numbers = (node["private_off"].values[at], node["best_off"].values, node["guess_off"].values)
    return said(*(float(number) for number in numbers))
