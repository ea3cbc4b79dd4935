"""The one sentence of Linear regression that says what its figure shows now."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpcore.estimate import Difference
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import N_DRAWS, RegressionParams
from pages.regression.figure_arrays import arrays
from ui.figure_kit.estimates import causes
from ui.live import Array, Text
from ui.runner import PageState

__all__ = ["meaning", "said"]

_LOST = (
    "Even without privacy, the fitted line does no better here than always guessing the average."
)
_LATER = "We are still computing which lines could be published."
_SAYS = (
    (0.03, "A published line is typically off by {private_off}, about as much as without privacy."),
    (0.3, "A published line is typically off by {private_off}, and by {best_off} without privacy."),
    (1.0, "Privacy costs much here: a published line is typically off by {private_off}, and by {best_off} without "
     "privacy."),
    (math.inf, "Always guessing the average beats a typical published line."),
)  # fmt: skip


def meaning(state: PageState[RegressionParams]) -> Text:
    """Return the sentence for every ε, and for every number of people while that handle moves."""
    fits, problem = state["fits"], state.problem
    if fits is None or problem is None:
        return Text(strings=[_LATER])
    setting = problem.setting(state.params)
    numbers = arrays(state.params, setting, {"fits": fits})
    strings = [_at(numbers, at, len(fits.test)) for at in range(len(EPSILON_GRID))]
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
            strings=[_at(nodes.get(value), at, N_DRAWS) for value in controls[name].grid or ()],
            dims=(name,),
        )
        for name, nodes in state.previews("page").items()
    }


def _at(node: Mapping[str, Array] | None, at: int, n_draws: int) -> str:
    """What the numbers at one ε say: how far off a line is, and what noise and method add to that."""
    if node is None:
        return _LATER

    def number(name: str) -> float:
        values = node[name].values
        return float(values[at] if values.ndim else values)

    first = said(*(number(f"{name}_off") for name in ("private", "best", "guess")))
    if first == _LOST:
        return first
    method = number("method_off")
    noise = _difference(
        number("noise_off"), number("noise_off_low"), number("noise_off_high"), n_draws
    )
    told = causes(
        [("the noise", noise), ("the method itself", _difference(method, method, method, n_draws))],
        code="cost",
        what="lines",
    )
    return f"{first} {told}"


def _difference(value: float, low: float, high: float, n_draws: int) -> Difference:
    return Difference(
        value=value,
        low=low,
        high=high,
        n_draws=n_draws,
        coverage=0.95,
        over="noise",
        direction="lower",
    )
