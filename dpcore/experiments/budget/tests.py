"""What a spy can find out from a whole composition: the trade-off between the two errors."""

from __future__ import annotations

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Floats
from dpcore.accounting import Event, pld, rdp
from dpcore.experiments.budget.ledger import BEYOND

__all__ = ["tradeoff"]


def tradeoff(event: Event, alpha: ArrayLike) -> NDArray[np.float64]:
    """Return the smallest miss rate of any test of D against D' from all releases of an event.

    β(α) = max over ε of max(0, 1 - δ(ε) - e^ε α), with δ(ε) by PLD (Dong, Roth and Su 2022, Prop. 6).

    Parameters
    ----------
    event : Event
        What was released.
    alpha : array (n,)
        False-alarm rates in [0, 1].

    Returns
    -------
    ndarray (n,)
        Never above the true curve; add-or-remove neighbours, either direction.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> tradeoff(LaplaceEvent(1.0), [0.1]).round(2).tolist()
    [0.73]
    """
    a = np.asarray(alpha, float)
    if pld.is_free(event):
        return 1 - a
    rough = float(rdp.to_epsilon(rdp.curve(event), 1e-6))
    if rough > BEYOND:
        return np.maximum(math.exp(-rough) * (1 - 1e-6 - a), 0.0)  # from that one pair (ε, δ)
    found = pld.distribution(
        event, neighbouring="add_remove", width=min(max(2e-4 * rough, 1e-5), 1e-2)
    )
    epsilons = np.linspace(0, max(rough, 0.1), 400)
    deltas = np.array(found.get_delta_for_epsilon(epsilons), float)
    ways = 1 - deltas[:, None] - np.exp(epsilons)[:, None] * a
    back = np.exp(-epsilons)[:, None] * (1 - deltas[:, None] - a)
    return cast(Floats, np.maximum(np.maximum(ways, back).max(axis=0), 0.0))
