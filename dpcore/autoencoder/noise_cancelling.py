"""Attacks that remove noise from released pictures.

The attacker estimates the noise from a batch of pictures with the same noise, computes it from one known original, or
reduces it by averaging several releases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.autoencoder.attacks import (
    Index,
    _clean_space,
    _noisy_space,
    link_pixels,
    logit,
    nearest,
)
from dpcore.autoencoder.weights import Fitted, Weights, weights_of

__all__ = ["cancel_with_known", "link_averages", "link_shared"]


def link_shared(
    model: Weights | Fitted, released: ArrayLike, candidates: ArrayLike, *, rounds: int = 2
) -> Index:
    """Return the linked candidates for a batch of pictures that have the same noise vector on the output biases.

    The noise shifts the logits of all pictures in the batch by the same vector. The first estimate of this vector is
    the mean logits of the batch minus the mean logits of the model for the candidates. A refinement subtracts, for
    every picture, the logits of the model for the linked candidate from the logits of the picture; the new estimate
    is the median of these differences. For the other kinds of noise, and for pictures saved with 8 bits, see
    `batch_reidentification.link_batch`.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    released : array (m, d)
        One batch with float pixels, from a model whose output biases are perturbed.
    candidates : array (N, d)
        Images in [0, 1], including the originals of the batch.
    rounds : int
        Number of refinements, ≥ 0.

    Returns
    -------
    ndarray (m,), int64
        Row of the linked candidate of each picture.
    """
    points = logit(released)
    table = _clean_space(weights_of(model), candidates, "output")
    index = nearest(points - points.mean(0) + table.mean(0), table)
    for _ in range(_checks.integer("rounds", rounds, low=0)):
        index = nearest(points - np.median(points - table[index], axis=0), table)
    return index


def cancel_with_known(
    model: Weights | Fitted, released: ArrayLike, known: int, original: ArrayLike, *, kind: str
) -> NDArray[np.float32]:
    """Return a batch of released pictures with the noise removed, given the original of one of the pictures.

    All pictures of the batch have the same noise. The attacker knows one original, and reconstructs it with the
    published weights, without noise. The noise is the difference between the release of this picture and the
    reconstruction. The attacker subtracts this difference from every release.

    For "output" the logits of the pixels are subtracted, otherwise the codes of the hidden units. For "hidden" the
    result is exact, up to rounding, if the rows of W₂ are linearly independent and every hidden unit is above 0 in
    all releases and in the reconstruction.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    released : array (m, d)
        One batch of pictures with the same noise, in float pixels.
    known : int
        Row of the picture whose original the attacker knows.
    original : array (d,)
        The known original, in [0, 1].
    kind : "hidden", "output" or "both"
        Layers whose biases were perturbed.

    Returns
    -------
    ndarray (m, d), float32
        Estimates of the clean reconstructions.

    Raises
    ------
    ValueError
        When ``known`` is not a row of the batch.
    """
    weights = weights_of(model)
    row = _checks.integer("known", known, low=0, high=len(np.asarray(released)) - 1)
    points = _noisy_space(weights, released, kind)
    clean = points - points[row] + _clean_space(weights, np.asarray(original)[None], kind)
    logits = clean if kind == "output" else np.maximum(clean, 0) @ weights.W2 + weights.b2
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -700, 700))), np.float32)


def link_averages(
    released: ArrayLike, candidates: ArrayLike, counts: tuple[int, ...] = (1, 3, 10)
) -> Index:
    """Return the candidates that are nearest to averages of the first k releases of every picture.

    Parameters
    ----------
    released : array (draws, m, d)
        Releases of the same m images with fresh noise; the paper by Jain et al. makes ten for each ε.
    candidates : array (N, d)
        Candidate originals.
    counts : tuple of int
        Numbers k of averaged releases, each from 1 to ``draws``.

    Returns
    -------
    ndarray (counts, m), int64
        Row of the linked candidate, for every k and every picture.

    Raises
    ------
    ValueError
        When a count is below 1 or above the number of releases.
    """
    x = np.asarray(released, np.float32)
    ends = np.array([_checks.integer("counts", k, low=1, high=len(x)) for k in counts])
    means = np.cumsum(x, axis=0)[ends - 1] / ends[:, None, None]
    return link_pixels(means, candidates)
