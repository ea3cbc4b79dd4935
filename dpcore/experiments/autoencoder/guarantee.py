"""What a release promises: nothing for noise on biases, (ε, δ) for the generator, and what two pictures face."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from dpcore import datasets
from dpcore.autoencoder import nominal_guarantee
from dpcore.autoencoder.gaussians import PICTURE
from dpcore.experiments.autoencoder.attacks import Pair
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee
from dpcore.units import Unit

__all__ = ["guarantee", "guarantees", "pair_guarantees"]


def guarantee(params: AutoencoderParams, problem: Problem) -> Guarantee:
    """Return what the release promises: nothing, or with the generator (ε, δ)."""
    if params.real:
        from dpcore.autoencoder import GENERATOR_PRESETS, gaussians_guarantee

        reach = GENERATOR_PRESETS[problem.name]["clip_norm"]
        made = gaussians_guarantee(
            params.epsilon, params.delta, clip_norm=reach, unit=_unit(problem)
        )
        return replace(
            made,
            argument=(
                "Sizes, sums and second moments of the classes, of vectors that are shortened to length R first, "
                "are released once with Gaussian noise. The pictures are drawn from that release alone, which "
                "costs nothing more."
            ),
            n_records=len(problem.pixels),
            not_protected=(
                "what is true of a digit whoever wrote it: that is what the pictures show",
                "pictures that go into several releases: each release costs ε again",
            ),
        )
    made = nominal_guarantee(params.epsilon, params.delta, kind=params.kind)
    return replace(
        made,
        unit=_unit(problem),
        argument=(
            "The picture itself and all other weights go in without noise, and nothing bounds how "
            "far one picture moves the numbers that get noise: Jain et al. (2021) set it to 1. "
            "All pictures of a release carry the same noise, so it can be cancelled."
        ),
        public=("the weights of the network", "which biases carry noise, ε and δ"),
    )


def guarantees(params: AutoencoderParams, problem: Problem) -> list[Guarantee]:
    """Return what a release promises at every ε of the grid."""
    base = guarantee(params, problem)
    return base.tabulated(EPSILON_GRID if params.real else [math.inf] * len(EPSILON_GRID))


def pair_guarantees(params: AutoencoderParams, problem: Problem, pair: Pair) -> list[Guarantee]:
    """Return what two pictures on the list really face, for every claimed ε of the grid and every kind.

    It holds for these two alone: of others nothing is proved, so that no protection follows.
    """
    made = Guarantee(
        epsilon=0.0, delta=params.delta, neighbouring="replace_one", status="proved", unit=_unit(problem),
        argument="Gaussian noise on the biases, as far as these two pictures differ where it is added.",
    )  # fmt: skip
    table = pair.epsilon[:, DELTA_GRID.index(params.delta)]
    return [
        replace(made, epsilon=float(cost), claimed_epsilon=float(claimed))
        for claimed, costs in zip(EPSILON_GRID, table, strict=True)
        for cost in costs
    ]


def _unit(problem: Problem) -> Unit:
    return _digits() if problem.name == "digits" else PICTURE


@lru_cache(maxsize=1)
def _digits() -> Unit:
    return datasets.load("digits").unit
