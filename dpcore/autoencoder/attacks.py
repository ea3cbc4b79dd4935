"""Linkage attacks on released pictures, which search for the original of each picture in a list of candidates.

A linkage function returns, for every released picture, the row of the candidate that the attacker considers to be the
original. `linked_share` computes the fraction of correct rows.
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
    """Return pictures (any shape) with pixels in [0, 1] rounded to multiples of 1/255, that is, to 8 bits."""
    levels = np.rint(np.asarray(released, np.float32) * np.float32(255))
    return np.asarray(levels / np.float32(255), np.float32)


def logit(released: ArrayLike) -> NDArray[np.float64]:
    """Return the logits ln(x/(1 - x)) of pixels x (any shape).

    Pixels are clipped to [1e-38, 1 - 2⁻²⁵], so that the logits are finite.
    """
    x = np.clip(np.asarray(released, float), 1e-38, 1 - 2.0**-25)
    return cast(Floats, np.log(x) - np.log1p(-x))


def nearest(points: ArrayLike, candidates: ArrayLike) -> Index:
    """Return the row of the nearest candidate (Euclidean distance) for every point.

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
    """Return the fraction (...) of pictures that are linked to their true row.

    ``index`` (..., m) holds the rows that m pictures are linked to, and ``truth`` (m,) holds their true rows.
    """
    return cast(Floats, np.mean(np.asarray(index) == np.asarray(truth), axis=-1))


def link_pixels(released: ArrayLike, candidates: ArrayLike) -> Index:
    """Return the rows (..., m) of the candidates (N, d) that are nearest in pixel space to pictures (..., m, d).

    This attack does not need the weights of the model.
    """
    return nearest(np.asarray(released, np.float32), np.asarray(candidates, np.float32))


def link_centred(released: ArrayLike, candidates: ArrayLike) -> Index:
    """Return the linked candidate of every picture, after centring the batch and the candidates.

    The pictures of a batch are converted to logits, and the mean of the batch is subtracted. The mean of all
    candidates is subtracted from every candidate, and the result is scaled to length 1. A picture is linked to the
    candidate with the largest inner product. Centring cancels output noise that the whole batch shares. No model is
    needed. Before the conversion to logits, pixels are clipped to [1/510, 1 - 1/510], half an 8-bit level from 0 and
    1.

    Parameters
    ----------
    released : array (..., m, d)
        Batches of m ≥ 2 released pictures. All pictures of a batch have the same noise.
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
    """Return the most likely candidate for every release, given the published weights.

    Releases and candidates are compared at the layer to which the noise was added. For "output" the logits are
    compared. For "hidden" and "both" the codes are compared, which are computed from the logits by least squares.
    Distances are Euclidean for "output" and "hidden". For "both" the squared distance of codes a and a' is
    (a - a')ᵀ M (a - a') with M = (σ₁² I + σ₂² (W₂ W₂ᵀ)⁻¹)⁻¹, where σ₁ and σ₂ are the noise scales on hidden and
    output biases. Only their ratio matters; it is computed from ``epsilon`` and ``delta``.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    released : array (..., m, d)
        Releases with independent noise. If they share noise, ``noise_cancelling.link_shared`` links more pictures
        correctly.
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
    """Return the logits (..., d) of releases for "output", and their codes (..., h) for "hidden" and "both".

    The codes are computed from the logits by least squares.
    """
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
