"""Computations of the Autoencoder page.

Images are computed at once, attacks and training on MNIST in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import (
    Attacks,
    Audit,
    AutoencoderParams,
    FaceOff,
    Irregular,
    Outcomes,
    PrivateNetworks,
    Problem,
    Renoised,
    Rivals,
    Similarity,
    Sweep,
    Synthetic,
)
from pages.autoencoder.shown import Pictures
from pages.autoencoder.stored import stored_attacks
from ui.live.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)

_LOOKS = ("epsilon", "delta", "clip_norm", "sample_rate", "kind", "draws", "real")


def _problem(upload: None, params: AutoencoderParams, context: Context) -> Problem:
    if params.dataset == "digits":
        return autoencoder.digits_problem(params.trained_on)
    context.progress(0.02, T("doing.reading"))

    def progress(part: float, loss: float) -> None:
        context.progress(0.1 + 0.89 * part, T("doing.training", loss=loss))
        context.check()

    return autoencoder.named_problem(params.dataset, params.trained_on, progress=progress)


def _pictures(problem: Problem, params: AutoencoderParams, context: Context) -> Pictures:
    return _around(problem, params, _sweep(problem, params))


def _at_this_noise(problem: Problem, params: AutoencoderParams, context: Context) -> Pictures:
    """Return the images released at one noise level, the current one, compared with the originals."""
    here = autoencoder.effective_epsilon([params.epsilon], params.delta)
    sweep = autoencoder.run_sweep(replace(problem, nodes=here), params)
    plain = AutoencoderParams()
    pictures = _around(
        problem, params.but(**{name: getattr(plain, name) for name in _LOOKS}), sweep
    )
    at = float(autoencoder.place_of(params.epsilon, params.delta, problem.nodes))
    low = min(int(at), len(problem.nodes) - 2)
    part = np.float32(at - low)
    there = (1 - part) * pictures.pair.released[low] + part * pictures.pair.released[low + 1]
    return replace(pictures, pair=replace(pictures.pair, released=there[None]))


def _around(problem: Problem, params: AutoencoderParams, sweep: Sweep) -> Pictures:
    similar = _similar(problem, params.but(other="same"))
    return Pictures(
        problem, sweep, similar, _baselines(problem, params.digit), _pair(problem, params)
    )


@lru_cache(maxsize=64)
def _similar(problem: Problem, params: AutoencoderParams) -> Similarity:
    return autoencoder.similarity_of(_sweep(problem, params))


def _sweep(problem: Problem, params: AutoencoderParams) -> Sweep:
    return _same_sweep(problem, params.but(other="same"))


_same_sweep = lru_cache(maxsize=8)(autoencoder.run_sweep)
_pair = lru_cache(maxsize=64)(autoencoder.run_pair)
_baselines = lru_cache(maxsize=32)(autoencoder.baselines)


class _Growing(Protocol):
    @property
    def done(self) -> float: ...


G = TypeVar("G", bound=_Growing)


def _better(results: Iterator[G], context: Context) -> Iterator[G]:
    for result in results:
        context.progress(result.done)
        yield result


def _attacks(
    problem: Problem, params: AutoencoderParams, context: Context
) -> Attacks | Iterator[Attacks]:
    if stored := stored_attacks(params):
        return stored
    return _better(autoencoder.run_attacks(problem, params.seed), context)


def _face_off(problem: Problem, params: AutoencoderParams, context: Context) -> FaceOff:
    return autoencoder.run_face_off(problem, params.seed)


def _outcomes(problem: Problem, params: AutoencoderParams, context: Context) -> Outcomes:
    return autoencoder.run_outcomes(problem, params)


def _synthetic(
    problem: Problem, params: AutoencoderParams, context: Context
) -> Iterator[Synthetic]:
    return _better(autoencoder.run_synthetic(problem, params), context)


def _audit(problem: Problem, params: AutoencoderParams, context: Context) -> Iterator[Audit]:
    return _better(autoencoder.run_audit(problem, params), context)


def _rivals(problem: Problem, params: AutoencoderParams, context: Context) -> Iterator[Rivals]:
    def progress(part: float) -> None:
        context.progress(part)
        context.check()

    return autoencoder.run_rivals(problem, params, progress=progress)


def _networks(
    problem: Problem, params: AutoencoderParams, context: Context
) -> Iterator[PrivateNetworks]:
    def progress(part: float) -> None:
        context.progress(part)
        context.check()

    return autoencoder.run_private_networks(
        problem, params, context.shown_params, progress=progress
    )


def _irregular(problem: Problem, params: AutoencoderParams, context: Context) -> Irregular:
    return autoencoder.run_irregular(problem, params)


def _renoised(problem: None, params: AutoencoderParams, context: Context) -> Renoised:
    def progress(part: float) -> None:
        context.progress(part)
        context.check()

    return autoencoder.run_renoised(params, progress=progress)


def _preview(problem: Problem, params: AutoencoderParams, context: Context) -> tuple[Pictures, ...]:
    return tuple(_at_this_noise(problem, at, context) for at in context.along(params))


_When = Callable[[Problem, AutoencoderParams], bool]
_BIASES: _When = lambda problem, params: not params.real  # noqa: E731
_DP_SGD: _When = lambda problem, params: not params.real and params.dataset == "digits"  # noqa: E731
_GENERATOR: _When = lambda problem, params: params.real  # noqa: E731
PIPELINE = Pipeline[AutoencoderParams](
    name="autoencoder",
    tab=T("panels.people.tab"),
    data=Data(
        "data", _problem, uses=("dataset", "trained_on"), wait=0.02,
        behind=lambda _, params: params.dataset != "digits",
        instead={"dataset": "digits"}, meanwhile={"dataset": "digits"},
        shown=T("doing.instead"), doing=T("doing.data"),
    ),
    stages=[
        Stage("pictures", _pictures, ignores=_LOOKS, behind=False, draft=_at_this_noise),
        Stage("outcomes", _outcomes,
              uses=("dataset", "trained_on", "digit", "person", "other", "seed", "epsilon", "delta"),
              when=_DP_SGD, behind=False),
        Stage("face_off", _face_off, uses=("dataset", "trained_on", "seed"), when=_BIASES, behind=False),
        Stage("attacks", _attacks, uses=("dataset", "trained_on", "seed"), when=_BIASES,
              behind=lambda _, params: stored_attacks(params) is None,
              doing=T("doing.attacks")),
        Stage("synthetic", _synthetic, uses=("dataset", "delta", "seed"), when=_GENERATOR, wait=1.0,
              doing=T("doing.synthetic")),
        Stage("audit", _audit, uses=("dataset", "delta", "seed"), when=_GENERATOR,
              depth=Depth.UNDERSTAND, doing=T("doing.audit")),
        Stage("rivals", _rivals, uses=("dataset", "trained_on", "seed"), when=_BIASES,
              depth=Depth.UNDERSTAND, tabs=(T("panels.rivals.tab"),), doing=T("doing.rivals")),
        Stage("networks", _networks, uses=("dataset", "seed"), when=_DP_SGD,
              tabs=(T("panels.trained.tab"),), doing=T("doing.networks")),
        Stage("irregular", _irregular, uses=("dataset", "trained_on", "seed", "digit", "person"), when=_BIASES,
              depth=Depth.CHECK, tabs=(T("panels.figure_5_bc.tab"),), doing=T("doing.irregular")),
        Stage("renoised", _renoised, uses=("delta", "seed"), when=_BIASES, depth=Depth.CHECK,
              tabs=(T("panels.renoised.tab"),), doing=T("doing.renoised")),
        *previews(_preview, "digit", wait=0.05, doing=T("doing.digits")),
        *previews(_preview, "person", wait=0.05, depth=Depth.UNDERSTAND, doing=T("doing.pictures")),
    ],
)  # fmt: skip
