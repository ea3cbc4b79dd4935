"""Outcomes of a release of ten pictures, and of the same release with another picture in place of one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import BiasNoise, perturb_biases
from dpcore.experiments.autoencoder.attacks import second_person
from dpcore.experiments.autoencoder.problem import (
    AutoencoderParams,
    Problem,
    effective_epsilon,
    noise_of,
)

__all__ = ["N_OUTCOMES", "Outcomes", "run_outcomes"]

N_OUTCOMES = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """Releases of ten pictures at one ε and δ; D draws of the noise, which the pictures of a release share.

    ``released`` (D, 3, 10, d) and ``other`` (D, 3, 10, d): 3 kinds of noise; draw by draw both have
    the same noise. ``other`` and ``people`` (2, 10, d), originals and reconstructions without
    noise, have the second picture of `Pair` in place of the chosen one.
    """

    released: NDArray[np.float32]
    other: NDArray[np.float32]
    people: NDArray[np.float32]


def run_outcomes(problem: Problem, params: AutoencoderParams) -> Outcomes:
    """Return the first releases of `Sweep`, of all ten pictures, and the same with one picture replaced."""
    rows = problem.people[:, params.person - 1]
    others = rows.copy()
    others[params.digit] = second_person(problem, params)
    noise = noise_of(problem, params.seed)
    few = BiasNoise(hidden=noise.hidden[:N_OUTCOMES], output=noise.output[:N_OUTCOMES])
    here = effective_epsilon([params.epsilon], params.delta)
    both = [problem.everyone[rows], problem.everyone[others]]
    made = [perturb_biases(problem.weights, X, epsilon=here, noise=few)[0] for X in both]
    first, second = (np.moveaxis(one, 1, 0) for one in made)
    clean = problem.weights.reconstruct(both[1])
    return Outcomes(released=first, other=second, people=np.stack([both[1], clean]))
