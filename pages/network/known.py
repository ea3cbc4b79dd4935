"""Private networks trained so far, and the network shown at each ε."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import NetworkParams, Sweep, Training

if TYPE_CHECKING:
    from ui.runner import Before, PageState

__all__ = ["Known", "known"]

_POINTS = 2  # of a curve, from which on it is one


@dataclass(frozen=True, kw_only=True, eq=False)
class Known:
    """Private networks trained so far, one for each of K increasing values ``epsilons``, K ≥ 1.

    - ``accuracy`` (K, m + 1): test accuracy after epochs 0, 1, ..., m, or NaN for epochs that are not trained. m is
      at least the number of epochs of the current parameters.
    - ``reads`` (K, n): predicted classes of the n displayed digits.
    - ``before``: the parameters of the trainings if they differ from the current ones, else None.
    """

    epsilons: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    reads: NDArray[np.uint8]
    before: NetworkParams | None = None

    @property
    def nearest(self) -> NDArray[np.intp]:
        """Index of the network whose ε is nearest on the log scale, for each ε of the slider."""
        ratios = np.log(self.epsilons) - np.log(EPSILON_GRID)[:, None]
        places: NDArray[np.intp] = np.abs(ratios).argmin(1)
        return places

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Whether a network was trained for exactly this ε with the current parameters, for each ε of the slider."""
        here: NDArray[np.bool_] = self.epsilons[self.nearest] == np.array(EPSILON_GRID)
        return here & (self.before is None)


def known(state: PageState[NetworkParams]) -> Known | None:
    """Return the networks trained with the current parameters or, if there are none, with the previous parameters.

    Return None if there are neither.
    """
    params = state.params
    if is_curve(state["private"]) or state["sweep"] is not None:
        return _joined(params, params, state["private"], state["sweep"])
    sweep, private = state.before.get("sweep"), state.before.get("private")
    last: Before | None = private or sweep
    if last is None:
        return _joined(params, params, state["private"], None)
    former: NetworkParams = last.params
    return _joined(
        params, former, None if private is None else private.value,
        sweep.value if sweep is not None and _same(sweep.params, former) else None,
    )  # fmt: skip


def is_curve(training: Training | None) -> bool:
    """Return whether a training has enough epochs to be drawn as a curve."""
    return training is not None and len(training.accuracy) >= _POINTS


def _same(one: NetworkParams, other: NetworkParams) -> bool:
    """Return whether two parameter sets are equal or differ only in ε."""
    return one.but(epsilon=1.0) == other.but(epsilon=1.0)


def _joined(
    params: NetworkParams,
    of: NetworkParams,
    private: Training | None,
    sweep: Sweep | None,
) -> Known | None:
    """Return the networks of a sweep over ε together with the ``private`` network of a single ε.

    All networks were trained with the parameters ``of``. An unfinished private network is left out, unless it
    is the only network.
    """
    by_epsilon: dict[float, tuple[NDArray[np.float64], NDArray[np.uint8]]] = {}
    if sweep is not None:
        rows = zip(sweep.accuracy, sweep.reads, strict=True)
        by_epsilon = dict(zip(sweep.epsilons.tolist(), rows, strict=True))
    if private is not None and (not by_epsilon or len(private.accuracy) > of.epochs):
        by_epsilon[of.epsilon] = private.accuracy, private.reads
    if not by_epsilon:
        return None
    places = sorted(by_epsilon)
    curves = [by_epsilon[e][0] for e in places]
    accuracy = np.full((len(places), max(params.epochs + 1, *map(len, curves))), np.nan)
    for row, curve in zip(accuracy, curves, strict=True):
        row[: len(curve)] = curve
    return Known(
        epsilons=np.array(places),
        accuracy=accuracy,
        reads=np.array([by_epsilon[e][1] for e in places], np.uint8),
        before=None if of is params else of,
    )
