"""Pictures at every noise level: ten people, and thirty releases of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import EPSILONS, BiasNoise, draw_noise, perturb_biases
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem, named_problem

__all__ = ["N_DRAWS", "Sweep", "chosen", "noise_of", "run", "run_sweep"]

N_DRAWS = 30
Images = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """Releases at K noise levels, 3 kinds (``KINDS``); the noise is the same but for its scale.

    ``originals`` and ``clean`` (10, d): one picture of each digit, and what the network makes of it
    without noise; ``released`` (K, 3, 10, d): one release of all ten, which share one noise;
    ``draws`` (K, 3, 30, d): thirty releases of the chosen digit, the first of them that same one;
    ``seven`` (7, 3, 10, d): that release of all ten at the ε of Jain et al., δ = 1e-5.
    """

    nodes: NDArray[np.float64]
    digit: int
    originals: Images
    clean: Images
    released: Images
    draws: Images
    seven: Images

    @property
    def original(self) -> Images:
        """The chosen picture (d,)."""
        return cast(Images, self.originals[self.digit])

    def mean_of(self, count: int) -> Images:
        """Return the average of the first ``count`` releases, (K, 3, d)."""
        return cast(Images, self.draws[:, :, :count].mean(2))


def noise_of(problem: Problem, seed: int) -> BiasNoise:
    """Return the unit noise of thirty releases, each shared by all pictures of a release."""
    return draw_noise(problem.weights, N_DRAWS, np.random.default_rng(seed))


def chosen(problem: Problem, params: AutoencoderParams) -> int:
    """Return the row of the list that is shown large."""
    return int(problem.people[params.digit, params.person - 1])


def run(params: AutoencoderParams) -> Sweep:
    """Return the pictures of the parameters at every noise level.

    Examples
    --------
    >>> found = run(AutoencoderParams())
    >>> found.released.shape, found.draws.shape
    ((52, 3, 10, 64), (52, 3, 30, 64))
    """
    problem = named_problem(params.dataset, params.trained_on)
    assert problem is not None  # nobody could cancel
    return run_sweep(problem, params)


def run_sweep(problem: Problem, params: AutoencoderParams) -> Sweep:
    """Return the pictures at every noise level of the problem; ε, δ and the kind are its axes."""
    originals = problem.everyone[problem.people[:, params.person - 1]]
    noise = noise_of(problem, params.seed)
    first = BiasNoise(hidden=noise.hidden[:1], output=noise.output[:1])
    one = originals[params.digit][None]
    return Sweep(
        nodes=problem.nodes,
        digit=params.digit,
        originals=originals,
        clean=problem.weights.reconstruct(originals),
        released=perturb_biases(
            problem.weights, originals, epsilon=problem.nodes, noise=first
        )[:, :, 0],
        draws=perturb_biases(problem.weights, one, epsilon=problem.nodes, noise=noise)[:, :, :, 0],
        seven=perturb_biases(problem.weights, originals, epsilon=EPSILONS, noise=first)[:, :, 0],
    )  # fmt: skip
