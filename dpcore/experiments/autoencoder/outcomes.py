"""Outcomes of a release of ten pictures, before and after one of the pictures is replaced by another."""

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
    """Releases of ten pictures at one ε and δ in D noise draws, before and after one picture is replaced.

    All pictures of a release share one noise. A picture has d pixels.

    - ``released`` (D, 3, 10, d): releases of the ten pictures, for 3 kinds of noise.
    - ``other`` (D, 3, 10, d): releases with the same noise, after the selected picture is replaced
      by the one that `second_person` returns.
    - ``people`` (2, 10, d): the ten pictures after this replacement: first the originals, then their
      reconstructions without noise.
    """

    released: NDArray[np.float32]
    other: NDArray[np.float32]
    people: NDArray[np.float32]


def run_outcomes(problem: Problem, params: AutoencoderParams) -> Outcomes:
    """Return releases of ten pictures, and of the same pictures with one replaced, for the same noise draws.

    The noise is that of the first releases in `Sweep`.
    """
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
