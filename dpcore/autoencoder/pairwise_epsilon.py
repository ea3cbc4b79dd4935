"""Actual ε of releases with perturbed biases, computed exactly for two pictures or bounded below by an attack."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, ndtr, ndtri

from dpcore import _checks
from dpcore._types import AnyArray, Floats
from dpcore.audit import split_bound
from dpcore.autoencoder.bias_noise import EPSILONS, KINDS, sigmas
from dpcore.autoencoder.weights import Fitted, Weights, weights_of

__all__ = ["certified_epsilon", "gaussian_epsilons", "median_pair_epsilon", "pair_epsilon"]


def gaussian_epsilons(distance: ArrayLike, delta: float = 1e-5) -> NDArray[np.float64]:
    """Return the exact ε between two Gaussians with unit covariance whose means are µ apart.

    ε solves δ = Φ(µ/2 - ε/µ) - e^ε Φ(-µ/2 - ε/µ) (Balle and Wang 2018, Theorem 8), where Φ is the standard
    normal distribution function. It is found by bisection between 0 and µ²/2 + µ Φ⁻¹(1 - δ).

    Parameters
    ----------
    distance : array (any shape)
        µ ≥ 0, in standard deviations of the noise.
    delta : float
        δ in (0, 1).

    Returns
    -------
    ndarray (the same shape)
        ε ≥ 0; inf where µ is inf.

    Raises
    ------
    ValueError
        When a distance is negative or ``delta`` outside its range.

    Examples
    --------
    >>> gaussian_epsilons([0.0, 1 / 3.730632], 1e-5).round(5).tolist()
    [0.0, 1.0]
    """
    d = _checks.delta(delta)
    mu = np.asarray(distance, float)
    if not (mu >= 0).all():
        raise ValueError("distance is not allowed below 0: give distances of at least 0.")
    safe = np.where((mu > 0) & np.isfinite(mu), mu, 1.0)
    low, high = np.zeros_like(safe), safe**2 / 2 + safe * max(-ndtri(d), 0.0)
    for _ in range(60):
        middle = (low + high) / 2
        holds = _delta(safe, middle) <= d
        low, high = np.where(holds, low, middle), np.where(holds, middle, high)
    high = np.where(_delta(safe, np.zeros_like(safe)) <= d, 0.0, high)
    return np.where(mu == 0, 0.0, np.where(np.isinf(mu), np.inf, high))


def _delta(mu: NDArray[np.float64], epsilon: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b = mu / 2, epsilon / mu
    return cast(Floats, ndtr(a - b) - np.exp(np.minimum(epsilon + log_ndtr(-a - b), 0.0)))


def pair_epsilon(
    model: Weights | Fitted,
    first: ArrayLike,
    second: ArrayLike,
    epsilon: ArrayLike = EPSILONS,
    delta: float = 1e-5,
    *,
    kind: str,
) -> NDArray[np.float64]:
    """Return the exact ε between the releases of two images, given the weights.

    The distance of the images is measured at the layer to which the noise is added (logits or hidden sums), in
    standard deviations of the noise. It is converted to ε by `gaussian_epsilons`. For "both" all noise is expressed
    at the hidden units, with covariance σ₁² I + σ₂² (W₂ W₂ᵀ)⁻¹, where σ₁ and σ₂ are the noise scales on hidden and
    output biases.

    For "output" and float pixels the result is exact. For "hidden" and "both" it is exact if no hidden unit is
    switched off. Otherwise it is an upper bound for "hidden" and an approximation for "both". Only two images are
    compared, but a guarantee must hold for all images.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    first, second : array (..., d)
        Images in [0, 1]. An image in ``first`` is paired with the image at the same index in ``second``.
    epsilon : array (n_eps,) or float
        Claimed ε > 0, from which the noise scale is computed by the classical formula of `sigmas`.
    delta : float
        δ in (0, 1), for both the claimed ε and the returned ε.
    kind : "hidden", "output" or "both"
        Layers whose biases are perturbed.

    Returns
    -------
    ndarray (n_eps, ...)
        ε between the releases of each pair of images. It does not depend on the order of the two images.

    Raises
    ------
    ValueError
        When an argument is not allowed.
    """
    _checks.one_of("kind", kind, KINDS)
    weights, scales = weights_of(model), sigmas(epsilon, delta, kind=kind)
    gap = _gap(weights, np.asarray(first), np.asarray(second), kind)
    if kind == "both":
        # Both layers carry the same σ, so one metric serves the whole grid.
        gram = weights.W2.astype(float) @ weights.W2.T
        metric = np.linalg.inv(np.eye(len(gram)) + np.linalg.pinv(gram))
        length = np.sqrt(np.maximum(np.einsum("...i,ij,...j->...", gap, metric, gap), 0))
    else:
        length = np.linalg.norm(gap, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mu = np.multiply.outer(1 / scales.max(1), length)
    return gaussian_epsilons(np.nan_to_num(mu, nan=0.0, posinf=np.inf), delta)


def _gap(weights: Weights, first: AnyArray, second: AnyArray, kind: str) -> NDArray[np.float64]:
    place = weights.logits if kind == "output" else weights.hidden
    return place(first).astype(float) - place(second)


def median_pair_epsilon(
    model: Weights | Fitted,
    X: ArrayLike,
    epsilon: ArrayLike = EPSILONS,
    delta: float = 1e-5,
    *,
    kind: str,
    pairs: int = 20_000,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the median (n_eps,) of the exact ε over random pairs of images.

    The exact ε of a pair is the result of `pair_epsilon`, which also describes the other arguments. There is one
    median for every claimed ε in ``epsilon`` (n_eps,). The images are the rows of X (n, d). ``pairs`` ≥ 1 is the
    number of pairs, which are drawn with ``rng``.
    """
    x = np.asarray(X)
    size = _checks.integer("pairs", pairs, low=1)
    first = rng.integers(len(x), size=size)
    second = (first + rng.integers(1, max(len(x), 2), size=size)) % len(x)
    return np.median(pair_epsilon(model, x[first], x[second], epsilon, delta, kind=kind), axis=1)


def certified_epsilon(
    scores: ArrayLike, other_scores: ArrayLike, delta: float = 1e-5, *, confidence: float = 0.95
) -> float:
    """Return a lower confidence bound on the ε of a release, from the scores of an attacker.

    `dpcore.audit.split_bound` chooses a threshold on the first half of the scores. It computes the bound from the
    second half, with Clopper-Pearson bounds on both error rates.

    Parameters
    ----------
    scores, other_scores : array (n,), (m,)
        Scores that the attacker gives to n independent releases with the record and to m releases without it. Larger
        scores speak for the record.
    delta : float
        δ in [0, 1).
    confidence : float
        Confidence of the bound, in (0, 1).

    Returns
    -------
    float
        Lower bound ≥ 0. A claimed ε below it is refuted. A claimed ε above it is not confirmed.

    Raises
    ------
    ValueError
        When there are fewer than four scores with the record, or fewer than four without it.

    Examples
    --------
    >>> round(certified_epsilon(np.ones(2000), np.zeros(2000)), 2)
    5.6
    """
    return split_bound(other_scores, scores, delta=delta, confidence=confidence).epsilon_lower
