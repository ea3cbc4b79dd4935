"""What the figure of Autoencoder shows now, in a few plain sentences."""

from __future__ import annotations

import math

import numpy as np

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams
from dpcore.experiments.grids import EPSILON_GRID
from ui.live import Text
from ui.runner import PageState
from ui.words.numbers import show

__all__ = ["meaning", "measured"]

_INVENTED = (
    "These digits are invented: none of them is a real picture. A network that learns from them gets {useful} "
    "real digits right; one that learns from real digits gets {taught_real}."
)


def meaning(state: PageState[AutoencoderParams]) -> Text:
    """Return what attackers found, for every ε and kind; of the generator, what its digits teach."""
    params = state.params
    if params.real:
        known = state["synthetic"] is not None
        return Text(strings=[_INVENTED if known else "The digits are being invented."])
    size = len(state["pictures"].problem.everyone)
    return Text(strings=measured(params, state["attacks"], size), dims=("epsilon", "kind"))


def measured(params: AutoencoderParams, found: Attacks | None, size: int) -> list[str]:
    """Return the sentences for every ε and kind, row-major, from the levels that were tried."""
    found = found or autoencoder.nothing_found()
    at = autoencoder.place_of(EPSILON_GRID, params.delta, autoencoder.LEVELS)
    names = ("alone", "informed", "batch", "cancelled")
    tables = {name: _between(getattr(found, name), at) for name in names}
    return [
        _measured(size, {name: float(table[e, k]) for name, table in tables.items()})
        for e in range(len(EPSILON_GRID))
        for k in range(len(KINDS))
    ]


def _measured(size: int, here: dict[str, float]) -> str:
    """Until the slow attacker has looked, a batch is judged by who only compares by eye."""
    slow = math.isfinite(here["cancelled"])
    return autoencoder.sentence(
        show(size, "d"),
        here["alone"],
        here["informed"],
        here["cancelled" if slow else "batch"],
        who="an attacker who has the network" if slow else "somebody who compares by eye",
        waits="" if slow else "An attacker who has the network is still at work.",
    )


def _between(table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Rows of a table (V, 3) at fractional places (E,), linear between them as the browser does."""
    low = np.minimum(at.astype(int), len(table) - 1)
    high = np.minimum(low + 1, len(table) - 1)
    part = (at - low)[:, None]
    return np.asarray(np.where(part == 0, table[low], (1 - part) * table[low] + part * table[high]))
