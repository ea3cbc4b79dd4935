"""Linkage attacks on released pictures, by attackers who have a list of candidate originals.

Every linkage function returns, for each released picture, the row of the candidate that the
attacker takes for the original; `linked_share` computes the fraction of correct rows.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import Floats
from dpcore.autoencoder.bias_noise import KINDS, sigmas
from dpcore.autoencoder.weights import Fitted, Weights, weights_of

__all__ = [
    "link_centred",
    "link_pixels",
    "link_weights",
    "linked_share",
    "logit",
    "nearest",
    "quantise",
]

Index = NDArray[np.int64]
_BLOCK = 1 << 24  # distances held at once


def quantise(released: ArrayLike) -> NDArray[np.float32]:
    """Return pictures (any shape) rounded to 8 bits a pixel."""
    levels = np.rint(np.asarray(released, np.float32) * np.float32(255))
    return np.asarray(levels / np.float32(255), np.float32)


def logit(released: ArrayLike) -> NDArray[np.float64]:
    """Return ln(x/(1 - x)) of pixels x (any shape), clipped to [1e-38, 1 - 2⁻²⁵] so that it is finite."""
    x = np.clip(np.asarray(released, float), 1e-38, 1 - 2.0**-25)
    return cast(Floats, np.log(x) - np.log1p(-x))


def nearest(points: ArrayLike, candidates: ArrayLike) -> Index:
    """Return, for each point, the row of the nearest candidate by Euclidean distance.

    Parameters
    ----------
    points : array (..., k)
        Points to search for.
    candidates : array (N, k)
        Candidates among which to search.

    Returns
    -------
    ndarray (...), int64
        Row of the nearest candidate, in [0, N).

    Examples
    --------
    >>> nearest([[0.9, 0.0], [0.1, 0.2]], [[0.0, 0.0], [1.0, 0.0]]).tolist()
    [1, 0]
    """
    table = np.asarray(candidates)
    middle = table.mean(0)
    table = table - middle
    flat = (np.asarray(points) - middle).reshape(-1, table.shape[1]).astype(table.dtype)
    half = np.einsum("nk,nk->n", table, table) / 2
    step = max(1, _BLOCK // len(table))
    parts = [
        (half - flat[i : i + step] @ table.T).argmin(1) for i in range(0, max(len(flat), 1), step)
    ]
    return np.concatenate(parts).reshape(np.shape(points)[:-1])


def linked_share(index: ArrayLike, truth: ArrayLike) -> NDArray[np.float64]:
    """Return the fraction (...) of m pictures whose linked row, ``index`` (..., m), is the true row (m,)."""
    return cast(Floats, np.mean(np.asarray(index) == np.asarray(truth), axis=-1))


def link_pixels(released: ArrayLike, candidates: ArrayLike) -> Index:
    """Return, for each released picture (..., m, d), the row of the nearest of N candidates (N, d) in pixel space.

    This attack needs neither the weights nor the model.
    """
    return nearest(np.asarray(released, np.float32), np.asarray(candidates, np.float32))


def link_centred(released: ArrayLike, candidates: ArrayLike) -> Index:
    """Return the linked candidate of each picture, after centring the batch and the candidates.

    The batch is converted to logits, and its mean subtracted; the mean of the candidates is subtracted
    from each candidate, and the result scaled to length 1. A picture is linked to the candidate with the
    largest inner product. Centring cancels output noise that the whole batch shares; no model is needed.
    Before the conversion to logits, pixels are clipped to keep at least half an 8-bit level away from 0 and 1.

    Parameters
    ----------
    released : array (..., m, d)
        Batches of m ≥ 2 released pictures; the pictures of a batch share their noise.
    candidates : array (N, d)
        Candidate originals.

    Returns
    -------
    ndarray (..., m), int64
        Row of the linked candidate of each picture.

    Raises
    ------
    ValueError
        When a batch has fewer than two pictures.
    """
    x, table = np.asarray(released, np.float32), np.asarray(candidates, np.float32)
    _checks.integer("pictures in the batch", x.shape[-2], low=2)
    x = np.clip(x, np.float32(1 / 510), np.float32(1 - 1 / 510))
    x = np.log(x) - np.log1p(-x)
    x -= x.mean(-2, keepdims=True)
    table = table - table.mean(0)
    table = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
    return np.asarray((x @ table.T).argmax(-1), np.int64)


def link_weights(
    model: Weights | Fitted,
    released: ArrayLike,
    candidates: ArrayLike,
    *,
    kind: str,
    epsilon: float = 1.0,
    delta: float = 1e-5,
) -> Index:
    """Return the most likely candidate for each release, given the published weights.

    Releases and candidates are compared where the noise was added. For "output" these are the logits. For
    "hidden" and "both" they are the codes, which are computed from the logits by least squares. Distances
    are Euclidean, except for "both": there the squared distance of codes a and a' is (a - a')ᵀ M (a - a') with
    M = (σ₁² I + σ₂² (W₂ W₂ᵀ)⁻¹)⁻¹, where σ₁ and σ₂ are the noise scales on hidden and output biases. Only their
    ratio matters; ``epsilon`` and ``delta`` serve to compute it.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    released : array (..., m, d)
        Releases with independent noise; for shared noise ``noise_cancelling.link_shared`` does better.
    candidates : array (N, d)
        Images in [0, 1].
    kind : "hidden", "output" or "both"
        Layers whose biases were perturbed.
    epsilon, delta : float
        The claimed ε and δ.

    Returns
    -------
    ndarray (..., m), int64
        Row of the linked candidate of each release.
    """
    weights = weights_of(model)
    points, table = _noisy_space(weights, released, kind), _clean_space(weights, candidates, kind)
    if kind == "both":
        first, second = sigmas(epsilon, delta, kind=kind)[0]
        gram = weights.W2.astype(float) @ weights.W2.T
        metric = np.linalg.inv(first**2 * np.eye(len(gram)) + second**2 * np.linalg.pinv(gram))
        root = np.linalg.cholesky(metric)
        points, table = points @ root, table @ root
    return nearest(points, table)


def _noisy_space(weights: Weights, released: ArrayLike, kind: str) -> NDArray[np.float64]:
    """Return the releases' logits (..., d) for kind "output", else h-dimensional codes (..., h) solved from them."""
    _checks.one_of("kind", kind, KINDS)
    logits = logit(released)
    return (
        logits
        if kind == "output"
        else (logits - weights.b2) @ np.linalg.pinv(weights.W2.astype(float))
    )


def _clean_space(weights: Weights, images: ArrayLike, kind: str) -> NDArray[np.float64]:
    if kind == "output":
        return weights.logits(images).astype(float)
    return np.maximum(weights.hidden(images), 0).astype(float)
