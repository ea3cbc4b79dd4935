"""The sentences of the live figure of the autoencoder page: odds between two people, and what attackers measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import odds_bound
from ui import live
from ui.figure_kit import common
from ui.numbers_in_words import percent

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures, Shown

__all__ = ["audited", "measured", "pair_odds", "real_odds"]


# Hidden units that the noise switches off hide a little more than the distance of the codes says.
_REACH = {"output": "really reaches", "hidden": "can reach", "both": "reaches about"}


def real_odds(params: AutoencoderParams) -> live.Text:
    """Return the odds sentence of the generator, at every ε."""
    return common.odds(EPSILON_GRID, params.delta, gaussian=True)


def audited(answer: Shown) -> live.Text:
    """Return what an attack on the generator demonstrates, for every ε."""
    found = answer.audit
    known = np.full(len(EPSILON_GRID), np.nan) if found is None else found.certified
    strings = [_demonstrated(float(e), float(c)) for e, c in zip(EPSILON_GRID, known, strict=True)]
    return live.Text(strings=strings, dims=("epsilon",))


def _demonstrated(epsilon: float, certified: float) -> str:
    if math.isnan(certified):
        return "The audit is at work: what an attack can demonstrate appears here."
    trials = (
        f"{autoencoder.TRIALS:,} releases with the person who stands out most and as many without"
    )
    least = f"at least ε = {certified:.2g}" if certified > 0 else "nothing (ε ≥ 0)"
    verdict = (
        f"Less than the promised {epsilon:g}: the promise survives."
        if certified <= epsilon
        else f"More than the promised {epsilon:g}: the promise is refuted."
    )
    return (
        f"What an attack can demonstrate: {least}, with confidence {autoencoder.CONFIDENCE:.0%}, from "
        f"{trials}. {verdict}"
    )


def pair_odds(params: AutoencoderParams, answer: Shown) -> live.Text:
    """Return what the claim would allow and what two people really face, for every ε and kind."""
    table = answer.pair.epsilon[:, DELTA_GRID.index(params.delta)]
    strings = [
        _pair_sentence(epsilon, kind, float(table[e, k]))
        for e, epsilon in enumerate(EPSILON_GRID)
        for k, kind in enumerate(KINDS)
    ]
    along = {name: _pair_along(name, params, each) for name, each in answer.previews.items()}
    return live.Text(strings=strings, dims=("epsilon", "kind"), along=along)


def _pair_along(name: str, p: AutoencoderParams, each: Sequence[Pictures]) -> live.Text:
    """The same sentence for every value of a control, at the present ε, δ and kind."""
    at = EPSILON_GRID.index(p.epsilon), DELTA_GRID.index(p.delta), KINDS.index(p.kind)
    strings = [_pair_sentence(p.epsilon, p.kind, float(one.pair.epsilon[at])) for one in each]
    return live.Text(strings=strings, dims=(name,))


def _pair_sentence(epsilon: float, kind: str, true: float) -> str:
    return (
        "You know it was one of two people, and think it is 50 to 50 which. If the claim held, you could be at "
        f"most {_sure(epsilon)} sure after seeing the picture, but for rare pictures; between these two it "
        f"{_REACH[kind]} {_sure(true)}."
    )


def measured(params: AutoencoderParams, answer: Shown) -> live.Text:
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
            strings.append(_measured(size, here))
    return live.Text(strings=strings, dims=("epsilon", "kind"))


def _measured(size: int, here: dict[str, float]) -> str:
    """Until the slow attacker has looked, a batch is judged by who only compares by eye."""
    slow = math.isfinite(here["cancelled"])
    return autoencoder.sentence(
        size, here["alone"], here["informed"], here["cancelled" if slow else "batch"], here["area"],
        who="who knows the network" if slow else "who compares by eye",
    )  # fmt: skip


def _between(table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Rows of a table (V, 3) at fractional places (E,), linear between them as the browser does."""
    low = np.minimum(at.astype(int), len(table) - 1)
    high = np.minimum(low + 1, len(table) - 1)
    part = (at - low)[:, None]
    return np.asarray(np.where(part == 0, table[low], (1 - part) * table[low] + part * table[high]))


def _sure(epsilon: float) -> str:
    top = odds_bound(epsilon)
    return "more than 99.9 %" if top > 0.9995 else percent(math.ceil(top * 1000 - 1e-9) / 1000)
