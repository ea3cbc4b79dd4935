"""The guarantee of a training, in words, and the code that reproduces the figure."""

from __future__ import annotations

import math

from dpcore.experiments.descent.budget import real_noise
from dpcore.experiments.descent.data import N_TRAIN
from dpcore.experiments.descent.params import DescentParams
from dpcore.guarantee import Guarantee, Part, Status

__all__ = ["code", "guarantee"]

_MISSING = {
    "clip": "only clipped: without noise the very weights tell who took part",
    "noise": "only noised: without clipping one record can move a step as far as it likes",
    "neither": "plain SGD: nothing hides anybody",
}


def guarantee(params: DescentParams, epsilon: float) -> Guarantee:
    """Return what the released weights promise; ``epsilon`` is `real_epsilon` of the parameters."""
    status, argument = _argument(params)
    sigma = real_noise(params, params.noise_multiplier)
    mechanism = f"Poisson-subsampled Gaussian, σ = {sigma:.4g}, q = {params.sample_rate:g}"
    delta = params.delta if math.isfinite(epsilon) else 1.0
    return Guarantee(
        epsilon=epsilon,
        delta=delta,
        neighbouring="add_remove",
        status=status,
        argument=argument,
        public=(
            f"N = {N_TRAIN} and the expected lot qN = {params.sample_rate * N_TRAIN:g}",
            "the bounds −1 and 1 of the coordinates, the classes, the model, C, σ, η, T",
        ),
        not_protected=(
            "who is in a lot must stay secret: lots are drawn by secret coins",
            "the records and accuracies drawn here: you see them as the data's keeper",
            "choosing C, η or T by looking at results: that costs extra",
        ),
        parts=(
            Part(name=f"{params.n_steps} steps", epsilon=epsilon, delta=delta, mechanism=mechanism),
        ),
    )


def _argument(params: DescentParams) -> tuple[Status, str]:
    if params.parts != "both":
        return "nominal", _MISSING[params.parts]
    if params.noise == "example":
        return (
            "nominal",
            "noise once per record counts √|lot| times; the number shown takes the expected lot, and an "
            "empty lot gets no noise at all: nothing is proved",
        )
    if params.clipping == "batch":
        return (
            "proved",
            "the batch's gradient is clipped: one record can move it by 2C, so σ counts half; "
            "privacy loss distribution of T sampled Gaussian steps",
        )
    return "proved", (
        "privacy loss distribution of T Poisson-sampled Gaussian steps, each record's gradient clipped "
        "to C (Abadi et al. 2016)"
    )


def code(params: DescentParams) -> str:
    """Return the program that reproduces the figure's numbers."""
    return (
        "from dpcore.experiments import descent\n\n"
        f"params = descent.{params.to_code()}\n"
        "sweep = descent.run(params)                 # every noise level at once\n"
        "k = list(sweep.noise).index(params.noise_multiplier)\n"
        'print(f"accuracy {sweep.accuracy[k, -1]:.3f}, epsilon {descent.real_epsilon(params):.3f}")\n'
    )
