"""Bias weight perturbation (Jain et al. 2021) as two worlds that one batch tells apart for certain."""

from __future__ import annotations

import numpy as np

from dpcore.audit.worlds import Worlds
from dpcore.autoencoder import nominal_guarantee, perturb_biases
from dpcore.autoencoder.attacks import logit
from dpcore.experiments.autoencoder import digits_problem

__all__ = ["worlds"]

_KIND = "output"
_DELTA = 1e-5


def worlds(epsilon: float) -> Worlds:
    """Return a batch of two pictures whose biases share their noise: one known, one Ada's or Bob's.

    Parameters
    ----------
    epsilon : float
        What the method calls its ε, > 0.

    Returns
    -------
    Worlds
        The score is how much nearer the picture without the noise is to Ada's than to Bob's.

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.
    """
    problem = digits_problem()
    known, ada, bob = problem.everyone[problem.people[[0, 3, 8], 0]]
    weights = problem.weights
    clean = weights.logits(np.stack([known, ada, bob])).astype(float)

    def release(canary: bool, rng: np.random.Generator) -> float:
        batch = np.stack([known, ada if canary else bob])
        (seen,) = perturb_biases(weights, batch, _KIND, epsilon, _DELTA, draws=1, rng=rng)[0, 0]
        # In float32 a pixel may be exactly 0 or 1, whatever its noise: those say nothing.
        alive = ((seen > 0) & (seen < 1)).all(0)
        shared, other = logit(seen)[:, alive]
        bare = other - (shared - clean[0, alive])
        there, without = (float(np.square(bare - clean[who, alive]).sum()) for who in (1, 2))
        return without - there

    return Worlds(
        name=f"bias weight perturbation at {epsilon:g}",
        neighbours="two pictures through one network whose output biases carry the same noise: a known "
        "one, and Ada's or Bob's; replace_one",
        canary="Ada's picture in the place of Bob's",
        score="the noise is what the known picture differs by; without it, how much nearer the other "
        "one is to Ada's than to Bob's",
        claim=lambda: nominal_guarantee(epsilon, _DELTA, kind=_KIND),
        release=release,
        threshold=0.0,
    )
