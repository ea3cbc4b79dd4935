"""Initial prototypes: class means from noisy class sizes and class sums."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws
from dpcore._types import Floats32

__all__ = ["JITTER", "class_statistics", "public_start", "start"]

JITTER = 0.2


def class_statistics(
    X: NDArray[np.float32], y: NDArray[np.int64], n_classes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums (k, d) and the numbers (k,) of samples in k classes.

    The samples are X (n, d), their classes y (n,).
    """
    one_hot = np.eye(n_classes)[y]
    return one_hot.T @ X.astype(float), one_hot.sum(0)


def start(
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    *,
    count_scale: ArrayLike,
    sum_scale: ArrayLike,
    kind: str,
    prototypes_per_class: int = 1,
    rng: np.random.Generator,
    project: bool = True,
) -> NDArray[np.float32]:
    """Return noisy class means as initial prototypes, for K noise scales that multiply the same unit noise.

    The mean of class j is w_j = clip((S_j + b_g Z_j) / max(N_j + b_f Z'_j, 1)). S_j is the sum of its samples, N_j
    their number, Z and Z' are unit noise, and clip is to [-1, 1]^d. Several prototypes of a class are spread around
    the mean by a public jitter of 0.2. Clipping, division and jitter are post-processing.

    Parameters
    ----------
    sums : ndarray (k, d)
        Sum of the samples of each class, on [-1, 1]^d.
    counts : ndarray (k,)
        Number of samples of each class.
    count_scale, sum_scale : array (K,)
        Noise scales b_f, b_g ≥ 0: standard deviations (gaussian) or Laplace scales.
    kind : "gaussian" or "laplace"
        Distribution of the noise. Brinkrolf, Berger and Hammer (2018, section 3) use Laplace noise with
        b_f = 2/ε₁ and b_g = 2d/ε₁, where ε₁ is the ε of the initialisation.
    prototypes_per_class : int
        Number m ≥ 1 of prototypes of each class.
    rng : numpy.random.Generator
        Source of the unit noise and the jitter.
    project : bool
        Whether means are clipped to [-1, 1]^d (post-processing). Brinkrolf et al. do not clip them.

    Returns
    -------
    ndarray (K, k·m, d), float32
        Prototypes ordered by class.

    Raises
    ------
    ValueError
        When ``kind`` or ``prototypes_per_class`` is not allowed.
    """
    _checks.one_of("kind", kind, ("gaussian", "laplace"))
    m = _checks.integer("prototypes_per_class", prototypes_per_class, low=1)
    draw = _draws.normal if kind == "gaussian" else _draws.laplace
    unit_counts, unit_sums = draw(rng, counts.shape), draw(rng, sums.shape)
    b_f, b_g = (np.atleast_1d(np.asarray(b, float)) for b in (count_scale, sum_scale))
    noisy_counts = np.maximum(counts + b_f[:, None] * unit_counts, 1)
    noisy_sums = sums + b_g[:, None, None] * unit_sums
    means, domain = noisy_sums / noisy_counts[..., None], 1.0 if project else np.inf
    return _several(np.clip(means, -domain, domain), m, rng, domain)


def public_start(
    n_classes: int, n_features: int, prototypes_per_class: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return initial prototypes (k·m, d) that do not depend on data.

    They are random points near the centre of the domain. There are k classes with m prototypes each, and d features.
    """
    centre = rng.uniform(-JITTER, JITTER, size=(1, n_classes, n_features))
    return cast(Floats32, _several(centre, prototypes_per_class, rng)[0])


def _several(
    means: NDArray[np.float64], m: int, rng: np.random.Generator, domain: float = 1.0
) -> NDArray[np.float32]:
    n_levels, n_classes, n_features = means.shape
    jitter = JITTER * rng.standard_normal((n_classes, m, n_features)) if m > 1 else 0.0
    several = np.clip(means[:, :, None] + jitter, -domain, domain)
    if m == 1:
        several = means[:, :, None]
    return several.reshape(n_levels, n_classes * m, n_features).astype(np.float32)
