"""The sentences of the live figure of the autoencoder page: odds between two people, and what an audit shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Audit, AutoencoderParams, Problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from ui import live
from ui.words.numbers import percent_at_most, short, show
from ui.words.odds import beyond, bound_shown, is_certain
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures, Shown

__all__ = ["audited", "pair_odds", "real_odds"]


# Hidden units that the noise switches off hide a little more than the distance of the codes says.
_REACH = {"output": "can be", "hidden": "can be", "both": "are, by our estimate,"}


def real_odds(params: AutoencoderParams, problem: Problem) -> live.Text:
    """Return the odds sentence of the generator, at every ε."""
    return people(autoencoder.guarantees(params, problem))


def audited(found: Audit, promised: Sequence[Guarantee]) -> live.Text:
    """Return what an attack on the generator demonstrates, for every ε."""
    known = zip(promised, found.certified, strict=True)
    strings = [_demonstrated(one, float(least)) for one, least in known]
    return live.Text(strings=strings, dims=("epsilon",))


def _demonstrated(promised: Guarantee, certified: float) -> str:
    if math.isnan(certified):
        return "We are attacking this claim. What the attack demonstrates appears here."
    least = f"at least ε = {show(certified, '.2g')}" if certified > 0 else "nothing (ε ≥ 0)"
    verdict = (
        f"That is not more than the promised ε = {short(promised.epsilon)}: the promise survives."
        if certified <= promised.epsilon
        else f"That is more than the promised ε = {short(promised.epsilon)}: the promise is refuted."
    )
    return (
        f"We attack the promise with {show(autoencoder.TRIALS, 'd')} releases with the picture that stands out most, "
        f"and as many without. What an attack can demonstrate: {least}, with confidence "
        f"{show(autoencoder.CONFIDENCE, '.0%')}. {verdict}"
    )


def pair_odds(params: AutoencoderParams, answer: Shown) -> live.Text:
    """Return what two pictures really face and what the claim would allow, for every ε and kind."""
    problem = answer.problem
    faced = autoencoder.pair_guarantees(params, problem, answer.pair)
    strings = [
        _pair_sentence(one, kind)
        for one, kind in zip(faced, KINDS * len(EPSILON_GRID), strict=True)
    ]
    along = {
        name: _pair_along(name, params, problem, each) for name, each in answer.previews.items()
    }
    bounds = [bound_shown(one) for one in faced]
    return live.Text(strings=strings, dims=("epsilon", "kind"), bounds=bounds, along=along)


def _pair_along(
    name: str, p: AutoencoderParams, problem: Problem, each: Sequence[Pictures]
) -> live.Text:
    """The same sentence for every value of a control, at the present ε, δ and kind."""
    at = EPSILON_GRID.index(p.epsilon) * len(KINDS) + KINDS.index(p.kind)
    faced = [autoencoder.pair_guarantees(p, problem, one.pair)[at] for one in each]
    strings = [_pair_sentence(one, p.kind) for one in faced]
    return live.Text(strings=strings, dims=(name,), bounds=[bound_shown(one) for one in faced])


def _pair_sentence(faced: Guarantee, kind: str) -> str:
    return (
        f"{_allowed(faced)} What is true of two pictures: suppose somebody {{before}} that the release shows the "
        f"first and not the second. After seeing it they {_REACH[kind]} {{after}}{beyond(faced)}"
    )


def _allowed(faced: Guarantee) -> str:
    """What the claim would allow, were it true."""
    claim = replace(faced, epsilon=faced.claimed_epsilon or 0.0)
    start, top = (
        f"If the claimed ε = {short(claim.epsilon)} were true, somebody who thinks it is 50 to 50",
        claim.odds(),
    )
    if is_certain(top):
        return f"{start} could become practically certain."
    return f"{start} could get to {percent_at_most(top)} at most, but for rare results."
