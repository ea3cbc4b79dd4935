"""Interactive figure of the Autoencoder page: released images, attacks on them, readouts and odds."""

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
from pages.autoencoder.arrays import COORDS, arrays, preview_arrays
from pages.autoencoder.controls import CONTROLS
from pages.autoencoder.panels import panels
from pages.autoencoder.shown import Pictures, Shown, shown
from ui import live
from ui.figure_kit import common
from ui.figure_kit.bets import bound_array
from ui.figure_kit.controls import live_controls
from ui.figure_kit.odds_pictogram import people
from ui.figure_kit.outcomes import Someone, breathing, in_picture
from ui.live import Readout
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import is_certain, percent_at_most
from ui.words.odds import belief_shown, beyond, bound_shown, odds_limits

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

T = text.load_text(__file__)
_ASIDE = ("kind", "digit", "draws", "other", "trained_on")  # of noise on the biases only


def figure(state: PageState[AutoencoderParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters.

    While new images are being computed, the previous ones are shown.
    """
    params, wanted_params, answer = (
        state.params,
        state.requested_params or state.params,
        shown(state),
    )
    along, previews = preview_arrays(params, answer.previews)
    with_networks = params.dataset == wanted_params.dataset == "digits"
    known = arrays(params, answer, with_networks=with_networks) | along
    person = _person(params, answer)
    stepping = _stepping(params, answer, person)
    replaced = None
    if stepping:
        promised = autoencoder.guarantees(params, answer.problem)
        known |= {**person.arrays, "bet_bound": bound_array(promised, "epsilon")}
        replaced = person, promised[0]
    return live.Figure(
        controls=_controls(wanted_params),
        values=common.values(wanted_params),
        arrays=known,
        previews=previews,
        coords={}
        if params.real
        else {dim: table for dim, table in COORDS.items() if table in known},
        panels=panels(params, answer, known, replaced),
        readouts=_readouts(params, answer),
        texts=_odds(params, answer),
        breathing=stepping,
        busy=state.busy,
    )


def _person(params: AutoencoderParams, answer: Shown) -> Someone:
    """Return the chosen one of ten pictures, which is replaced in the neighbouring data set."""
    return in_picture(
        params.digit, len(answer.sweep.originals), whose=T("outcomes.digit", digit=params.digit),
        unit=answer.problem.unit, dots="people", control="digit",
    )  # fmt: skip


def _stepping(params: AutoencoderParams, answer: Shown, person: Someone) -> live.Breathing | None:
    """Return the animation that steps through releases of the ten pictures with other noise draws.

    Return None if these releases are not computed.
    """
    if answer.outcomes is None:
        return None
    return breathing(
        len(answer.outcomes.released), T("outcomes.label"), {"released": "outcome_released"},
        at={"epsilon": params.epsilon, "delta": params.delta},
        without={"released": "other_released", "people": "other_people"}, **person.choice,
    )  # fmt: skip


def _controls(params: AutoencoderParams) -> list[live.Control]:
    """Return the controls of the figure.

    If the generator is chosen, the controls of bias noise are left out.
    """
    controls = [*live_controls(CONTROLS, params), common.buttons()]
    if not params.real:
        return controls
    low, high = T.lines("generator.ends")
    return [
        replace(c, hidden=True) if c.name in _ASIDE
        else replace(c, label=T("generator.label"), ends=(low, high))
        if isinstance(c, live.Slider) and c.name == "epsilon" else c
        for c in controls
    ]  # fmt: skip


def _readouts(params: AutoencoderParams, answer: Shown) -> list[Readout]:
    """Return the labelled numbers (readouts) of the figure, starting with attack success and image quality."""
    if params.real:
        return _generator_readouts(answer)
    size = len(answer.problem.everyone)
    alone = Readout(
        value="alone_now", about="private", format="in 100", role="private", depth=Depth.UNDERSTAND
    )
    return [
        T.readout(Readout(value="cancelled_now", about="private", format="in 100", role="danger")),
        T.readout(alone, size=size),
        T.readout(Readout(value="off", format=".0%", depth=Depth.UNDERSTAND)),
        *(_of_networks() if answer.networks is not None else []),
        T.readout(
            Readout(value="true_epsilon", about="private", role="danger", depth=Depth.UNDERSTAND)
        ),
        *_hit_readouts(size),
        T.readout(Readout(value="method_error", format="cost", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="noise_error", format="cost", depth=Depth.UNDERSTAND)),
    ]


def _of_networks() -> list[Readout]:
    """Return the readouts of the reconstruction error and of the ε of networks trained by DP-SGD."""
    tab = T("panels.trained.tab")
    off = Readout(value="trained_off", format=".0%", role="other", tab=tab)
    cost = Readout(value="network_epsilon", about="private", format=".3g", role="other", tab=tab)
    return [T.readout(off), T.readout(cost)]


def _hit_readouts(size: int) -> list[Readout]:
    informed = Readout(value="informed_now", about="private", format=".0%", depth=Depth.UNDERSTAND)
    batch = Readout(
        value="batch_now", about="private", format=".0%", role="private", depth=Depth.UNDERSTAND
    )
    return [
        T.readout(informed, size=size),
        T.readout(batch),
        T.readout(
            Readout(value="averages_now", about="private", format=".0%", depth=Depth.UNDERSTAND)
        ),
        T.readout(Readout(value="area_now", about="private", format=".0%", depth=Depth.UNDERSTAND)),
    ]


def _generator_readouts(answer: Shown) -> list[Readout]:
    taught = [
        T.readout(Readout(value="useful", format="in 100", role="private")),
        T.readout(Readout(value="taught_real", format="in 100")),
        T.readout(Readout(value="method_price", format="points", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="noise_price", format="points", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="ratio", format=".3g", depth=Depth.UNDERSTAND)),
    ]
    attack = Readout(value="demonstrated", about="private", role="danger", depth=Depth.UNDERSTAND)
    return [
        T.readout(Readout(value="epsilon_now", about="private", role="private")),
        *(taught if answer.synthetic else []),
        T.readout(attack, confidence=autoencoder.CONFIDENCE),
    ]


def _odds(params: AutoencoderParams, answer: Shown) -> list[live.Text]:
    """Return the sentences on an attacker's odds, one for every ε and kind of noise.

    If the generator is chosen, a second text compares its promised ε with the lower bound that an attack
    proves.
    """
    if not params.real:
        return [_pair_odds(params, answer)]
    promised = autoencoder.guarantees(params, answer.problem)
    return [people(promised), *([_demonstrated(answer.audit, promised)] if answer.audit else [])]


def _demonstrated(audit: Audit, promised: Sequence[Guarantee]) -> live.Text:
    """Return one sentence per ε that compares the generator's promised ε with a lower bound.

    The lower bound is proved by an attack on the generator.
    """
    known = zip(promised, audit.certified, strict=True)
    strings = [_audit_sentence(one, float(least)) for one, least in known]
    return live.Text(strings=strings, dims=("epsilon",))


def _audit_sentence(promised: Guarantee, certified: float) -> str:
    if math.isnan(certified):
        return T("audit.waiting")
    verdict = "audit.survives" if certified <= promised.epsilon else "audit.refuted"
    return T(
        "audit.result",
        n_trials=autoencoder.TRIALS,
        least=T("audit.least", certified=certified) if certified > 0 else T("audit.nothing"),
        confidence=autoencoder.CONFIDENCE,
        verdict=T(verdict, epsilon=promised.epsilon),
    )


def _pair_odds(params: AutoencoderParams, answer: Shown) -> live.Text:
    """Return, for every ε and kind of noise, a sentence on an attacker's odds of telling two images apart.

    Each sentence compares the real odds with the odds that the claimed ε would allow.
    """
    problem = answer.problem
    faced = autoencoder.pair_guarantees(params, problem, answer.pair)
    kinds = KINDS * len(EPSILON_GRID)
    strings = [_pair_sentence(one, kind) for one, kind in zip(faced, kinds, strict=True)]
    along = {
        name: _pair_along(name, params, problem, each) for name, each in answer.previews.items()
    }
    return live.Text(
        strings=strings, brief=[_pair_question(one, kind) for one, kind in zip(faced, kinds, strict=True)],
        dims=("epsilon", "kind"), bounds=[bound_shown(one) for one in faced], along=along,
    )  # fmt: skip


def _pair_along(
    name: str, params: AutoencoderParams, problem: Problem, each: Sequence[Pictures]
) -> live.Text:
    """Return the sentence on an attacker's odds of telling two images apart, at each value of the control ``name``.

    All other controls keep their current values. ``each`` holds the images at each value of the control.
    """
    at = EPSILON_GRID.index(params.epsilon) * len(KINDS) + KINDS.index(params.kind)
    faced = [autoencoder.pair_guarantees(params, problem, one.pair)[at] for one in each]
    strings = [_pair_sentence(one, params.kind) for one in faced]
    return live.Text(
        strings=strings, brief=[_pair_question(one, params.kind) for one in faced], dims=(name,),
        bounds=[bound_shown(one) for one in faced],
    )  # fmt: skip


def _pair_sentence(faced: Guarantee, kind: str) -> str:
    path = "odds.pair_both" if kind == "both" else "odds.pair"
    return f"{T(path, allowed=_allowed(faced))}{beyond(faced)}"


def _pair_question(faced: Guarantee, kind: str) -> str:
    """Return the short form of `_pair_sentence`: a question, the odds that ε allows, and limits of this answer."""
    claim = replace(faced, epsilon=faced.claimed_epsilon or 0.0)
    allowed = (
        T("odds.brief.allowed_certain")
        if is_certain(claim.odds())
        else T("odds.brief.allowed", top=belief_shown(claim))
    )
    estimated = T("odds.brief.estimated") if kind == "both" else ""
    lines = T("odds.brief.pair"), allowed, estimated, *odds_limits(faced)
    return "\n".join(filter(None, lines))


def _allowed(faced: Guarantee) -> str:
    """Return a phrase with the largest odds that the claimed ε allows an attacker."""
    claim = replace(faced, epsilon=faced.claimed_epsilon or 0.0)
    top = claim.odds()
    if is_certain(top):
        return T("odds.allowed_certain", epsilon=claim.epsilon)
    return T("odds.allowed", epsilon=claim.epsilon, top=percent_at_most(top))
