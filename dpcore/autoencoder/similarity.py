"""Similarity of two pictures, by the histogram measures of Jain et al. and by measures that compare pixel by pixel.

The histogram measures ignore the positions of pixels. A picture and its shuffled copy therefore have Hellinger
distance 0, as if they were equal. `baselines` returns the distances of trivial releases for comparison.
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import Floats

__all__ = [
    "baselines",
    "bhattacharyya",
    "hellinger",
    "histogram",
    "mse",
    "printed",
    "ssim",
]

MISSING = 30  # pixels that the paper's tables lack, by their own sum: see `paper.missing_pixels`


def histogram(
    images: ArrayLike, bins: int = 16, *, upper: str = "inclusive"
) -> NDArray[np.float64]:
    """Return the histograms of images, that is, the fractions of pixels in equally wide bins of [0, 1].

    Parameters
    ----------
    images : array (..., d)
        Pixels in [0, 1].
    bins : int
        Number of bins, from 1 to 1000. The paper by Jain et al. uses 16.
    upper : "inclusive" or "exclusive"
        Whether a pixel of exactly 1 is counted in the last bin ("inclusive") or, as in some libraries, in no bin
        ("exclusive").

    Returns
    -------
    ndarray (..., bins)
        Fractions of the d pixels. Their sum is 1, or less if pixels of exactly 1 are not counted.

    Raises
    ------
    ValueError
        When an argument is not allowed.

    Examples
    --------
    >>> histogram([0.0, 0.5, 1.0, 1.0], 2).tolist()
    [0.25, 0.75]
    >>> histogram([0.0, 0.5, 1.0, 1.0], 2, upper="exclusive").tolist()
    [0.25, 0.25]
    """
    n = _checks.integer("bins", bins, low=1, high=1000)
    _checks.one_of("upper", upper, ("inclusive", "exclusive"))
    x = np.asarray(images)
    flat = x.reshape(-1, x.shape[-1])
    if flat.size and not (flat.min() >= 0 and flat.max() <= 1):
        raise ValueError("images are not allowed outside [0, 1]: scale them with pixels() first.")
    place = (flat * flat.dtype.type(n)).astype(np.intp)
    place += (n + 1) * np.arange(len(flat))[:, None]
    counts = np.bincount(place.ravel(), minlength=(n + 1) * len(flat)).reshape(-1, n + 1)
    if upper == "inclusive":
        counts[:, -2] += counts[:, -1]
    return cast(Floats, (counts[:, :-1] / x.shape[-1]).reshape(*x.shape[:-1], n))


def bhattacharyya(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """Return the Bhattacharyya coefficient BC = Σ √(pᵢ qᵢ) of histograms p and q (..., bins).

    BC is 1 if p and q are equal and have the sum 1. Source: Jain et al. 2021, "Bhattacharyya coefficient".
    """
    return cast(Floats, np.sqrt(np.asarray(p, float) * np.asarray(q, float)).sum(-1))


def hellinger(p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """Return the Hellinger distance H = ‖√p - √q‖₂/√2 in [0, 1] of histograms p and q (..., bins).

    H² = (Σp + Σq)/2 - BC, where BC is the Bhattacharyya coefficient. This is 1 - BC only if both histograms have the
    sum 1. Source: Jain et al. 2021, "Hellinger distance".
    """
    gap = np.sqrt(np.asarray(p, float)) - np.sqrt(np.asarray(q, float))
    return cast(Floats, np.sqrt(np.square(gap).sum(-1) / 2))


def printed(
    original: ArrayLike, released: ArrayLike, *, missing: int = MISSING
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Hellinger distance H and Bhattacharyya coefficient BC as computed for the tables of Jain et al. (2021).

    The rule was inferred from the digits in the tables. The 16-bin histogram of the original leaves out the
    ``missing`` brightest pixels, but counts are still divided by the number d of all pixels. Therefore BC + H² = 1 -
    missing/(2d). For 30 of 784 pixels this is 769/784 = 0.98086, as in all 21 rows.

    Parameters
    ----------
    original : array (m, d)
        Images in [0, 1].
    released : array (..., m, d)
        Releases of each original.
    missing : int
        Number of pixels that the histogram of the original leaves out, in [0, d - 1].

    Returns
    -------
    H, BC : ndarray (..., m)
        Distance and coefficient of every release.

    Raises
    ------
    ValueError
        When an argument is not allowed.

    Examples
    --------
    >>> x = np.linspace(0, 1, 784)[None]
    >>> H, BC = printed(x, x[:, ::-1])
    >>> round(float(BC[0] + H[0] ** 2), 5)
    0.98087
    """
    x = np.asarray(original)
    lost = _checks.integer("missing", missing, low=0, high=x.shape[-1] - 1)
    pixels = np.sort(x, axis=-1)[..., : x.shape[-1] - lost]
    p, q = histogram(pixels) * (1 - lost / x.shape[-1]), histogram(released)
    return hellinger(p, q), bhattacharyya(p, q)


def mse(original: ArrayLike, released: ArrayLike) -> NDArray[np.float64]:
    """Return the mean squared error per pixel (..., m) between images (m, d) and their releases (..., m, d)."""
    gap = np.asarray(released) - np.asarray(original)
    return cast(Floats, np.einsum("...d,...d->...", gap, gap).astype(float) / gap.shape[-1])


def ssim(
    original: ArrayLike,
    released: ArrayLike,
    shape: tuple[int, int] | None = None,
    *,
    window: int = 7,
) -> NDArray[np.float64]:
    """Return the structural similarity of originals and releases, averaged over all windows of a picture.

    In a window it is (2 x̄ȳ + c₁)(2 s_xy + c₂)/((x̄² + ȳ² + c₁)(s_x² + s_y² + c₂)) (Wang, Bovik, Sheikh and
    Simoncelli 2004, equation 13, with a uniform window). x̄ and ȳ are the mean pixels of the original and of the
    release, s_x² and s_y² the sample variances, and s_xy is the sample covariance. The constants are c₁ = 0.01² and
    c₂ = 0.03².

    Parameters
    ----------
    original : array (m, d)
        Images in [0, 1].
    released : array (..., m, d)
        Releases of each original.
    shape : (height, width), optional
        Shape of a picture; by default a square.
    window : int
        Side of the square window in pixels, from 2 to the smaller side of the picture.

    Returns
    -------
    ndarray (..., m)
        Similarity in [-1, 1]. It is 1 if the release equals the original.

    Raises
    ------
    ValueError
        When the window or the shape does not fit.
    """
    x, y = np.asarray(original, float), np.asarray(released, float)
    high, wide = shape or (math.isqrt(x.shape[-1]),) * 2
    if high * wide != x.shape[-1]:
        raise ValueError(f"shape={shape!r} does not hold {x.shape[-1]} pixels: give height, width.")
    side = _checks.integer("window", window, low=2, high=min(high, wide))
    x, y = (a.reshape(*a.shape[:-1], high, wide) for a in (x, y))
    mx, my = _window_means(x, side), _window_means(y, side)
    fair = side**2 / (side**2 - 1)
    vx = fair * (_window_means(x * x, side) - mx * mx)
    vy = fair * (_window_means(y * y, side) - my * my)
    both = fair * (_window_means(x * y, side) - mx * my)
    c1, c2 = 0.01**2, 0.03**2
    similarity = (2 * mx * my + c1) * (2 * both + c2)
    similarity /= (mx * mx + my * my + c1) * (vx + vy + c2)
    return cast(Floats, similarity.mean((-2, -1)))


def _window_means(a: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    for axis in (-1, -2):
        a = np.swapaxes(a, axis, -1)
        sums = np.cumsum(np.pad(a, [(0, 0)] * (a.ndim - 1) + [(1, 0)]), axis=-1)
        a = np.swapaxes((sums[..., side:] - sums[..., :-side]) / side, axis, -1)
    return a


def baselines(
    X: ArrayLike, y: ArrayLike, reconstructed: ArrayLike, label: int, rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """Return Hellinger distances of trivial releases, for comparison with the distances reported by Jain et al.

    Parameters
    ----------
    X, reconstructed : array (n, d)
        Images in [0, 1] and their clean reconstructions.
    y : array (n,)
        Classes of the images.
    label : int
        Class of the k originals, for example 9 as in Jain et al. At least two images must have this class.
    rng : numpy.random.Generator
        Source of the random pairs of images and of the shuffled pixels.

    Returns
    -------
    dict of ndarray (k,)
        Distances of the k images to a trivial release, by the name of the release. The releases are the "clean
        reconstruction" of the image, "the same, shuffled" (the image with shuffled pixels), "another of its class"
        and "another class" (another image), and "blank" (a black picture).

    Raises
    ------
    ValueError
        When fewer than two images have the class ``label``, or all images have it.
    """
    x, y = np.asarray(X), np.asarray(y)
    mine, rest = np.flatnonzero(y == label), np.flatnonzero(y != label)
    if len(mine) < 2 or not len(rest):
        raise ValueError(f"label={label!r} is not allowed: give a class with two images or more.")
    mine = rng.permutation(mine)
    own = histogram(x[mine])
    against = {
        "clean reconstruction": np.asarray(reconstructed)[mine],
        "the same, shuffled": rng.permuted(x[mine], axis=-1),
        "another of its class": x[np.roll(mine, 1)],
        "another class": x[rng.choice(rest, len(mine))],
        "blank": np.zeros_like(x[mine]),
    }
    return {name: hellinger(own, histogram(images)) for name, images in against.items()}
