"""What a release promises, in words."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from dpcore import datasets
from dpcore.autoencoder import nominal_guarantee
from dpcore.autoencoder.gaussians import PICTURE
from dpcore.experiments.autoencoder.attack import BATCH
from dpcore.experiments.autoencoder.neighbouring_runs import Pair
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee
from dpcore.units import Unit

__all__ = ["guarantee", "guarantees", "pair_guarantees", "sentence"]


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


def sentence(
    size: str,
    alone: float,
    informed: float,
    batch: float,
    *,
    who: str = "an attacker who has the network",
    waits: str = "",
) -> str:
    """Return what was measured at one ε: shares of pictures found in a list of ``size``, as it is written.

    ``who`` finds the share ``batch`` of a batch. ``waits`` stands in place of the verdict while another attacker
    is at work.
    """
    if not all(map(math.isfinite, (alone, batch))):
        return "The attackers are still at work. What they find appears here."
    single = f"Given one picture, comparing by eye finds the right picture among {size} in {_cases(alone)}. "
    if informed > alone + 0.02:
        single += f"With the network at hand, it is {_cases(informed)}. "
    together = (
        f"But when {BATCH} pictures are published with the same noise, {who} finds {_of_batch(batch)}. "
        if batch > max(alone, informed) + 0.02
        else f"When {BATCH} pictures share one noise, {who} finds {_of_batch(batch)}. "
    )
    return single + together + (waits or _verdict(max(alone, informed, batch), alone))


def _cases(share: float) -> str:
    if share >= 0.995:
        return "more than 99 of 100 cases"
    return "fewer than 1 of 100 cases" if share < 0.005 else f"{100 * share:.0f} of 100 cases"


def _of_batch(share: float) -> str:
    if share >= 0.995:
        return f"all {BATCH}" if math.isclose(share, 1.0) else f"more than {BATCH - 1} of them"
    if share < 0.005:
        return "none of them" if share == 0 else "fewer than one of them on average"
    return f"{100 * share:.0f} of them"


def _verdict(worst: float, alone: float) -> str:
    if alone > 0.9:
        return "The noise hides hardly any picture from somebody who compares by eye."
    if worst > 0.9:
        return "Looking scrambled is not the same as being private."
    if worst > 0.3:
        return "Some pictures are found and others are not, and one cannot tell beforehand which."
    if worst > 0.05:
        return "For the pictures that are found, the noise gave no protection."
    return "These attackers fail here, which is no proof that all others do."
