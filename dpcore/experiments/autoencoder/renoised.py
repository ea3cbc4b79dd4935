"""Noise added to a release: Jain et al. say (2ε, 2δ); what it really costs, and what an attack shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder.pairwise_epsilon import certified_epsilon, gaussian_epsilons
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.mechanisms import gaussian_sigma

__all__ = ["RENOISED_TRIALS", "Renoised", "run_renoised"]

Floats = NDArray[np.float64]
RENOISED_TRIALS = 20_000  # releases in each of two worlds


@dataclass(frozen=True, kw_only=True, eq=False)
class Renoised:
    """At each ε of the grid (E,), with the exact Gaussian noise for (ε, δ) each time.

    ``printed``: 2ε, said of noise on a release. ``alone``: the exact ε at δ of the second, noisier release
    where nothing but noise was added to the first; whoever sees both has ε itself. ``original``: exact, of two
    releases that are both made from the original. ``shown_release`` and ``shown_original``: what an attack
    demonstrates with 95 % confidence, on the noisier release and on two releases of the original.
    """

    printed: Floats
    alone: Floats
    original: Floats
    shown_release: Floats
    shown_original: Floats


def run_renoised(
    params: AutoencoderParams,
    *,
    trials: int = RENOISED_TRIALS,
    progress: Callable[[float], None] = lambda part: None,
) -> Renoised:
    """Return what a second noise costs, and what attacks on simulated releases demonstrate.

    One person moves a number by 1, or not. The first release adds noise for (ε, δ). The second rounds the first to
    half a standard deviation, which is not linear, and adds noise for (ε, δ) again: an attacker sees that one. Or
    the second starts from the original too: an attacker sees both, and adds them up.

    Parameters
    ----------
    params : AutoencoderParams
        δ and the seed are used.
    trials : int
        Releases in each world, ≥ 8.
    progress : callable
        Told the fraction done; ends the work by raising.

    Returns
    -------
    Renoised
    """
    sigma = np.array([gaussian_sigma(1.0, e, delta=params.delta) for e in EPSILON_GRID])
    unit = np.random.default_rng((params.seed, 13)).standard_normal((2, 2, trials))
    shown = []
    for k, scale in enumerate(sigma):
        first = unit[:, 0] * scale + np.array([[1.0], [0.0]])  # with the person, and without
        again = unit[:, 1] * scale + np.array([[1.0], [0.0]])
        rounded = np.round(first / (scale / 2)) * (scale / 2) + unit[:, 1] * scale
        shown.append([certified_epsilon(a, b, params.delta) for a, b in (rounded, first + again)])
        progress((k + 1) / len(sigma))
    release, original = np.array(shown).T
    return Renoised(
        printed=2 * np.array(EPSILON_GRID),
        alone=gaussian_epsilons(1 / (sigma * math.sqrt(2)), params.delta),
        original=gaussian_epsilons(math.sqrt(2) / sigma, params.delta),
        shown_release=release, shown_original=original,
    )  # fmt: skip
