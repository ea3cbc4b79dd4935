"""Accuracy of private prototypes over many random draws.

The loss of accuracy is split into parts that are due to noise, clipping and small steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.estimate import Difference, draws_to_separate, median_interval
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID
from dpcore.experiments.relevance import Outcomes, Problem, RelevanceParams, index_table
from ui.figure_kit.common import array
from ui.figure_kit.estimates import causes, difference_arrays, median_arrays, unknown_arrays
from ui.live import Array, Text
from ui.words import text

if TYPE_CHECKING:
    from dpcore.experiments.matrix import Line as MatrixLine
    from dpcore.experiments.matrix import MatrixOutcomes
    from dpcore.experiments.relevance import Line
    from dpcore.experiments.relevance.training import Levels
    from ui.runner import PageState

__all__ = [
    "NAMES",
    "Draws",
    "causes_in_words",
    "draw_arrays",
    "draws_of",
    "estimate_arrays",
    "median_noise_costs",
    "while_moving",
]

Floats = NDArray[np.float64]
NAMES = ("right", "privacy_cost", "noise_cost", "clipping_cost", "steps_cost")
_OVER = "noise and lots"
T = text.load_text(__file__)


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Test accuracies of D trainings with independent noise and lots (random batches).

    - ``private`` (D, K): accuracies at the K noise levels ``nodes``.
    - ``clipped`` (D,): accuracies of the same steps on the same lots, with clipping but without noise.
    - ``plain`` (D,): accuracies of the same steps without clipping and noise.
    - ``best``: accuracy of a training on all records at once; NaN until it is computed.
    """

    nodes: Floats
    private: Floats
    clipped: Floats
    plain: Floats
    best: float

    @property
    def n(self) -> int:
        """Number of trainings D."""
        return len(self.private)

    def differences(self) -> dict[str, Floats]:
        """Return the change of accuracy by each cause, in each of D trainings; a loss is negative.

        - "privacy_cost" (D, K): change by clipping and noise together, at each of K noise levels.
        - "noise_cost" (D, K): change by noise, at each of K noise levels.
        - "clipping_cost" (D,): change by clipping.
        - "steps_cost" (D,): change by small steps on lots (random batches), compared with a training
          on all records at once.
        """
        return {
            "privacy_cost": self.private - self.plain[:, None],
            "noise_cost": self.private - self.clipped[:, None],
            "clipping_cost": self.clipped - self.plain,
            "steps_cost": self.plain - self.best,
        }

    def medians_at_epsilons(self, params: RelevanceParams) -> Floats:
        """Return the median accuracy at every ε of the slider, as the figure's readout displays it.

        Medians are interpolated between noise levels.
        """
        return np.interp(
            self._places(params), np.arange(len(self.nodes)), np.median(self.private, axis=0)
        )

    def at_epsilons(self, params: RelevanceParams) -> Draws:
        """Return the draws with accuracies (D, n_epsilon) at every ε of the slider.

        Accuracies are interpolated between noise levels.
        """
        places, known = self._places(params), np.arange(len(self.nodes))
        private = np.array([np.interp(places, known, row) for row in self.private])
        return replace(self, nodes=places, private=private)

    def _places(self, params: RelevanceParams) -> Floats:
        """Return the fractional index among the noise levels for every ε of the slider."""
        where = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
        return np.asarray(index_table(params, self.nodes)[:, *where], float)


def draws_of(problem: Problem, outcomes: Outcomes | MatrixOutcomes | None) -> Draws | None:
    """Return the accuracies of all random draws of a prototype page; None before there are any."""
    if outcomes is None:
        return None
    return Draws(
        nodes=outcomes.nodes,
        private=1 - outcomes.errors,
        clipped=1 - outcomes.method_errors,
        plain=1 - outcomes.plain_errors,
        best=1 - problem.best_error if problem.best_known else float("nan"),
    )


def median_noise_costs(draws: Draws, params: RelevanceParams) -> list[float]:
    """Return the median loss of accuracy by noise at every ε of the slider, as a fraction."""
    change = draws.at_epsilons(params).differences()["noise_cost"]
    return [float(cost) for cost in -np.median(change, axis=0)]


def while_moving(state: PageState[Any]) -> dict[str, Text]:
    """Return the texts that are shown while a slider moves, by slider.

    The texts state that the numbers belong to the displayed draw. Only sliders with precomputed
    arrays (previews) have such a text.
    """
    return {name: Text(strings=[T("meaning.moving")]) for name in state.previews()}


def estimate_arrays(draws: Draws | None, epochs: int | None = None) -> dict[str, Array]:
    """Return the median and middle 80 % of the accuracy, and the loss by each cause with its interval.

    The arrays have the axis "v" (noise levels), and are NaN without draws. If the number of epochs
    E is a dimension of the figure, ``epochs`` is its current value, and there are estimates for
    this value only.
    """
    if draws is None:
        return unknown_arrays(*NAMES)
    change = draws.differences()
    arrays = {
        **median_arrays("right", draws.private, "v"),
        **difference_arrays("privacy_cost", change["privacy_cost"], "v"),
        **difference_arrays("noise_cost", change["noise_cost"], "v"),
        **difference_arrays("clipping_cost", change["clipping_cost"]),
        **difference_arrays("steps_cost", change["steps_cost"]),
    }
    return (
        arrays if epochs is None else {name: _only_at(epochs, one) for name, one in arrays.items()}
    )


def draw_arrays(levels: Levels | Line | MatrixLine, best: Array, *dims: str) -> dict[str, Array]:
    """Return the accuracies of one draw, and the changes of accuracy by cause.

    The causes are noise, clipping, both of these together (the privacy cost), and small steps.

    - ``levels``: errors of three trainings: private, with clipping only, without clipping and
      noise. The errors of the private training have the axes ``dims``. The errors of the other two
      may lack the first axis.
    - ``best``: accuracy of a training on all records at once.
    """
    private, method, plain = (
        1 - np.asarray(errors, float)
        for errors in (levels.errors, levels.method_errors, levels.plain_errors)
    )
    reached = best.values.astype(float).reshape(*best.values.shape, 1)
    shared = dims[private.ndim - plain.ndim :]
    return {
        "accuracy": array(private, *dims),
        "method": array(method, *shared),
        "plain": array(plain, *shared),
        "privacy_cost_draw": array(private - plain, *dims),
        "noise_cost_draw": array(private - method, *dims),
        "clipping_cost_draw": array(method - plain, *shared),
        "steps_cost_draw": array(plain - reached, *shared),
    }


def _only_at(epochs: int, known: Array) -> Array:
    values = np.full((len(EPOCHS_GRID), *known.values.shape), np.nan, np.float32)
    values[EPOCHS_GRID.index(epochs)] = known.values
    return Array(values, ("epochs", *known.dims))


def causes_in_words(draws: Draws | None, params: RelevanceParams) -> list[str]:
    """Return, for every ε, a sentence on the losses by noise, clipping and small steps.

    Return [] for too few draws.
    """
    if draws is None or draws.n < draws_to_separate():
        return []
    change = draws.at_epsilons(params).differences()
    noise, clipping, steps = (_each(change[name]) for name in NAMES[2:])
    others = [(T("meaning.clipping"), clipping[0])]
    if np.isfinite(draws.best):
        others.append((T("meaning.steps"), steps[0]))
    return [causes([(T("meaning.noise"), one), *others]) for one in noise]


def _each(changes: Floats) -> Sequence[Difference]:
    """Return the median difference over D trainings, with its confidence interval.

    ``changes`` is (D,) for a single difference, or (D, E) for a difference at each of E values of ε.
    """
    columns = changes.reshape(len(changes), -1)
    values, (lows, highs) = np.median(columns, axis=0), median_interval(columns)
    return [
        Difference(
            value=float(value), low=float(low), high=float(high), n_draws=len(columns), coverage=0.95,
            over=_OVER, direction="higher",
        )
        for value, low, high in zip(values, lows, highs, strict=True)
    ]  # fmt: skip
