"""The sentences of the live figure of the autoencoder page: odds between two people, and what an audit shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Audit, AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import odds_bound
from ui import live
from ui.figure_kit import common
from ui.numbers_in_words import percent_at_most, short, show
from ui.odds import is_certain

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures, Shown

__all__ = ["audited", "pair_odds", "real_odds"]


# Hidden units that the noise switches off hide a little more than the distance of the codes says.
_REACH = {"output": "can be", "hidden": "can be", "both": "are, by our estimate,"}


def real_odds(params: AutoencoderParams) -> live.Text:
    """Return the odds sentence of the generator, at every ε."""
    return common.odds(EPSILON_GRID, params.delta, gaussian=True)


def audited(found: Audit) -> live.Text:
    """Return what an attack on the generator demonstrates, for every ε."""
    known = zip(EPSILON_GRID, found.certified, strict=True)
    strings = [_demonstrated(float(epsilon), float(least)) for epsilon, least in known]
    return live.Text(strings=strings, dims=("epsilon",))


def _demonstrated(epsilon: float, certified: float) -> str:
    if math.isnan(certified):
        return "We are attacking this claim. What the attack demonstrates appears here."
    least = f"at least ε = {show(certified, '.2g')}" if certified > 0 else "nothing (ε ≥ 0)"
    verdict = (
        f"That is not more than the promised ε = {short(epsilon)}: the promise survives."
        if certified <= epsilon
        else f"That is more than the promised ε = {short(epsilon)}: the promise is refuted."
    )
    return (
        f"We attack the promise with {show(autoencoder.TRIALS, 'd')} releases with the person who stands out most, "
        f"and as many without. What an attack can demonstrate: {least}, with confidence "
        f"{show(autoencoder.CONFIDENCE, '.0%')}. {verdict}"
    )


def pair_odds(params: AutoencoderParams, answer: Shown) -> live.Text:
    """Return what two people really face and what the claim would allow, for every ε and kind."""
    table = answer.pair.epsilon[:, DELTA_GRID.index(params.delta)]
    strings = [_pair_sentence(float(epsilon), kind) for epsilon in EPSILON_GRID for kind in KINDS]
    along = {name: _pair_along(name, params, each) for name, each in answer.previews.items()}
    bounds = [float(bound) for bound in table.ravel()]
    return live.Text(strings=strings, dims=("epsilon", "kind"), bounds=bounds, along=along)


def _pair_along(name: str, p: AutoencoderParams, each: Sequence[Pictures]) -> live.Text:
    """The same sentence for every value of a control, at the present ε, δ and kind."""
    at = EPSILON_GRID.index(p.epsilon), DELTA_GRID.index(p.delta), KINDS.index(p.kind)
    strings = [_pair_sentence(p.epsilon, p.kind) for _ in each]
    bounds = [float(one.pair.epsilon[at]) for one in each]
    return live.Text(strings=strings, dims=(name,), bounds=bounds)


def _pair_sentence(epsilon: float, kind: str) -> str:
    return (
        f"{_allowed(epsilon)} What is true of two people: suppose somebody {{before}} that the picture shows the "
        f"first and not the second. After seeing it they {_REACH[kind]} {{after}}"
    )


def _allowed(epsilon: float) -> str:
    claim, top = f"The claimed ε = {short(epsilon)} would let", odds_bound(epsilon)
    if is_certain(top):
        return f"{claim} somebody who thinks it is 50 to 50 become practically certain."
    return f"{claim} nobody who thinks it is 50 to 50 get past {percent_at_most(top)}, but for rare pictures."
