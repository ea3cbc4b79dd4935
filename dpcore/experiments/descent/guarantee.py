"""The guarantee of a training, in words."""

from __future__ import annotations

from dpcore import accounting
from dpcore.accounting import GaussianEvent, Repeated, sampled
from dpcore.experiments.descent.budget import asked_epsilons, epsilon_table, real_noise, sigma
from dpcore.experiments.descent.data import N_TRAIN
from dpcore.experiments.descent.params import DescentParams
from dpcore.experiments.grids import DELTA_GRID
from dpcore.guarantee import Guarantee, Part, Status

__all__ = ["guarantee", "guarantees", "shown_epsilon"]

_MISSING = {
    "clip": "The gradients are only clipped. Without noise the weights themselves tell who took part.",
    "noise": "Noise is added, but without clipping one record can move a step as far as it likes.",
    "neither": "There is no privacy in this setting: plain gradient descent, without a cap and without noise.",
}


def guarantee(params: DescentParams, epsilon: float) -> Guarantee:
    """Return what the released weights promise; ``epsilon`` is `real_epsilon` of the parameters."""
    status, argument = _argument(params)
    counts = real_noise(params, sigma(params))
    mechanism = f"Poisson-subsampled Gaussian, σ = {counts:.3g}, q = {params.sample_rate:g}"
    delta = params.delta
    return Guarantee(
        epsilon=epsilon,
        delta=delta,
        neighbouring="add_remove",
        status=status,
        argument=argument,
        event=_steps(params) if status != "nominal" else None,
        n_records=N_TRAIN,
        public=(
            f"the number of training records N = {N_TRAIN}, so also the "
            f"expected size of a random group, qN = {params.sample_rate * N_TRAIN:g}, and the two classes",
            "the bounds −1 and 1 of the coordinates, and every setting",
        ),
        not_protected=(
            "anybody, once it is known who was in which random group (lot): that has to stay secret",
            "the dots and the accuracies on this page: you see them because you hold the data",
            "settings that somebody chooses by looking at results: that choice costs extra",
        ),
        parts=(
            Part(name=f"{params.n_steps} steps", epsilon=epsilon, delta=delta, mechanism=mechanism),
        ),
    )


def guarantees(params: DescentParams) -> list[Guarantee]:
    """Return what a training promises at every noise (or ε) that may be asked for, and there at every δ."""
    asked = params.asked == "epsilon"
    table = asked_epsilons(params) if asked else epsilon_table(params)
    costs = [float(cost) for cost in table.ravel()]
    slack = [delta for _ in range(len(table)) for delta in DELTA_GRID]
    return guarantee(params, costs[0]).tabulated(costs, slack)


def shown_epsilon(params: DescentParams, n_releases: int) -> float:
    """Return the ε of ``n_releases`` ≥ 0 such trainings together, at the same δ."""
    return accounting.spent(Repeated(_steps(params), n_releases), params.delta)


def _steps(params: DescentParams) -> Repeated:
    counts = real_noise(params, sigma(params))
    return Repeated(sampled(GaussianEvent(counts), params.sample_rate), params.n_steps)


def _argument(params: DescentParams) -> tuple[Status, str]:
    if params.parts != "both":
        return "nominal", _MISSING[params.parts]
    if params.noise == "example":
        return (
            "nominal",
            "Noise for each record adds up to √|lot| times as much. The number shown is for the expected "
            "lot, but an empty lot gets no noise at all, so nothing is proved.",
        )
    if params.clipping == "batch":
        return (
            "proved",
            "The gradient of the whole lot is clipped, and one record can move it by 2C, so σ counts half. "
            "The privacy loss distributions of the T sampled Gaussian steps are composed.",
        )
    return "proved", (
        "Each record's gradient is clipped to C before noise is added once to their sum (Abadi et al. 2016). "
        "The privacy loss distributions of the T Poisson-sampled steps are composed."
    )
