"""Incorrect or loose formulas that are printed on lecture slides; they serve only for comparison."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from dpcore.accounting.composition import Floats

__all__ = ["printed_amplified", "printed_epsilon", "printed_root", "printed_sum"]


def printed_amplified(epsilon: ArrayLike, sample_rate: ArrayLike) -> Floats:
    """Return 2qε, which lecture slides give as the ε after Poisson sampling at rate q.

    The number is an upper bound on the result of `amplified` only for small ε. The arguments may be arrays of
    any shape.

    See Also
    --------
    amplified
    """
    return cast(Floats, 2 * np.asarray(sample_rate, float) * np.asarray(epsilon, float))


def printed_epsilon(*, delta: ArrayLike, noise_multiplier: ArrayLike) -> Floats:
    """Return √(2 ln(1.25/δ))/σ, which lecture slides give as the ε of a Gaussian release with noise multiplier σ.

    The formula is proved only for ε ≤ 1. For larger ε the release need not be (ε, δ)-DP (Balle & Wang 2018). The
    arguments may be arrays of any shape.

    See Also
    --------
    dpcore.mechanisms.gaussian_epsilon

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    """
    return cast(
        Floats,
        np.sqrt(2 * np.log(1.25 / np.asarray(delta, float))) / np.asarray(noise_multiplier, float),
    )


def printed_sum(epsilon: ArrayLike, sample_rate: ArrayLike, *, n_steps: ArrayLike) -> Floats:
    """Return qTε, which lecture slides give as the ε of T steps that are sampled at rate q; it is not an upper bound.

    Already one sampled step costs ln(1 + q(e^ε - 1)) > qε. The arguments may be arrays of any shape.

    See Also
    --------
    printed_root, amplified
    """
    return printed_root(epsilon, sample_rate, n_steps=np.square(np.asarray(n_steps, float)))


def printed_root(epsilon: ArrayLike, sample_rate: ArrayLike, *, n_steps: ArrayLike) -> Floats:
    """Return qε√T, which lecture slides give as a smaller ε of T steps that are sampled at rate q.

    The formula is only the leading order. It is below the true ε if the noise multiplier σ of a step is small (σ ≤
    1.2 at q = 0.01, T = 5000). The arguments may be arrays of any shape.

    See Also
    --------
    printed_sum, epsilon

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """
    root = np.sqrt(np.asarray(n_steps, float))
    return cast(Floats, np.asarray(sample_rate, float) * np.asarray(epsilon, float) * root)
