"""The sentences of the autoencoder lab: odds between two people, and what attackers measured."""

from __future__ import annotations

import math

import numpy as np

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, Pair
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import odds_bound
from ui import live
from ui.autoencoder import Answer
from ui.figures import common

__all__ = ["measured", "pair_odds", "real_odds"]


# Hidden units that the noise switches off hide a little more than the distance of the codes says.
_REACH = {"output": "really reaches", "hidden": "can reach", "both": "reaches about"}


def real_odds(params: AutoencoderParams) -> live.Text:
    """Return the odds sentence of the generator, at every ε."""
    return common.odds(EPSILON_GRID, params.delta)


def pair_odds(params: AutoencoderParams, pair: Pair) -> live.Text:
    """Return what the claim would allow and what two people really face, for every ε and kind."""
    table = pair.epsilon[:, DELTA_GRID.index(params.delta)]
    strings = [
        f"You know it was one of two people, and guess at 50 : 50. If the claim held, the picture could "
        f"move your odds to at most {_odds(epsilon)}; between these two it {_REACH[kind]} "
        f"{_odds(float(table[e, k]))}."
        for e, epsilon in enumerate(EPSILON_GRID)
        for k, kind in enumerate(KINDS)
    ]
    return live.Text(strings=strings, dims=("epsilon", "kind"))


def measured(params: AutoencoderParams, answer: Answer) -> live.Text:
    """Return the sentences made of what attackers found on these pictures, for every ε and kind."""
    found, size = answer.attacks, len(answer.problem.everyone)
    if found is None:
        found = autoencoder.nothing_found()
    at = autoencoder.place_of(EPSILON_GRID, params.delta, autoencoder.LEVELS)
    names = ("alone", "informed", "batch", "cancelled", "area")
    tables = {name: _between(getattr(found, name), at) for name in names}
    strings = []
    for e in range(len(EPSILON_GRID)):
        for k in range(len(KINDS)):
            here = {name: float(table[e, k]) for name, table in tables.items()}
            batch = here["cancelled"] if math.isfinite(here["cancelled"]) else here["batch"]
            strings.append(
                autoencoder.sentence(size, here["alone"], here["informed"], batch, here["area"])
            )
    return live.Text(strings=strings, dims=("epsilon", "kind"))


def _between(table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Rows of a table (V, 3) at fractional places (E,), linear between them as the browser does."""
    low = np.minimum(at.astype(int), len(table) - 1)
    high = np.minimum(low + 1, len(table) - 1)
    part = (at - low)[:, None]
    return np.where(part == 0, table[low], (1 - part) * table[low] + part * table[high])


def _odds(epsilon: float) -> str:
    top = odds_bound(epsilon)
    if top > 0.9995:
        return "more than 99.9 : 0.1"
    share = math.ceil(top * 1000 - 1e-9) / 10
    return f"{share:g} : {100 - share:.3g}"
