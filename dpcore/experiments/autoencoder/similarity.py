"""The similarity measures of Jain et al. on our releases, baselines, and why the measures are not monotone in ε."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import (
    EPSILONS,
    KINDS,
    BiasNoise,
    Weights,
    draw_noise,
    paper,
    perturb_biases,
    sigmas,
    similarity,
)
from dpcore.experiments.autoencoder.problem import (
    AutoencoderParams,
    Problem,
    Sweep,
    chosen,
    noise_of,
)

__all__ = [
    "ROWS",
    "STEPS",
    "Baselines",
    "Irregular",
    "Similarity",
    "baselines",
    "compare_tables",
    "run_irregular",
    "similarity_of",
    "wrong_steps",
]

Floats = NDArray[np.float64]
BINS = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Similarity:
    """Histograms and errors of thirty releases of the chosen picture.

    There are K noise levels and 3 kinds of noise.

    - ``own`` and ``clean`` (16,): histograms of the original and of its reconstruction without
      noise.
    - ``bins`` (K, 3, 16): histogram of the first release.
    - ``low``, ``middle``, ``high`` (K, 3): the 5, 50 and 95 % quantiles, over the releases, of the
      Hellinger distance to the original; ``first`` (K, 3): distance of the first release.
    - ``error`` (K, 3): mean squared error per pixel over the releases; ``clean_error``: mean
      squared error of the reconstruction without noise.
    """

    own: Floats
    clean: Floats
    bins: Floats
    low: Floats
    middle: Floats
    high: Floats
    first: Floats
    error: Floats
    clean_error: float


def similarity_of(sweep: Sweep) -> Similarity:
    """Return the similarity of releases to their original, by histograms' Hellinger distance and by pixel errors."""
    own = similarity.histogram(sweep.original, BINS)
    clean = sweep.clean[sweep.digit]
    bins = similarity.histogram(sweep.draws, BINS)
    distances = similarity.hellinger(own, bins)
    low, middle, high = np.quantile(distances, [0.05, 0.5, 0.95], axis=-1)
    return Similarity(
        own=own,
        clean=similarity.histogram(clean, BINS),
        bins=bins[:, :, 0],
        low=low,
        middle=middle,
        high=high,
        first=distances[:, :, 0],
        error=np.square(sweep.draws - sweep.original).mean((-2, -1), dtype=float),
        clean_error=float(np.square(clean - sweep.original).mean()),
    )


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """Median Hellinger distances from pictures of one digit to other pictures, as baselines.

    ``clean``: to the reconstruction without noise; ``shuffled``: to the same picture with shuffled
    pixels; ``same_digit`` and ``other_digit``: to another person's picture of the same and of
    another digit.
    """

    clean: float
    shuffled: float
    same_digit: float
    other_digit: float


def baselines(problem: Problem, digit: int) -> Baselines:
    """Return the median Hellinger distances from pictures of a digit to reconstructions and unrelated pictures."""
    unseen = slice(0, min(problem.unseen, 1500))
    X = problem.everyone[unseen]
    distances = similarity.baselines(
        X, problem.labels[unseen], problem.weights.reconstruct(X), digit, np.random.default_rng(0)
    )
    middle = {name: float(np.median(values)) for name, values in distances.items()}
    return Baselines(
        clean=middle["clean reconstruction"],
        shuffled=middle["the same, shuffled"],
        same_digit=middle["another of its class"],
        other_digit=middle["another class"],
    )


def compare_tables(
    problem: Problem, params: AutoencoderParams, kind: str
) -> dict[str, tuple[float, ...]]:
    """Return the columns, by name, of Jain et al.'s table for one kind of noise and of our table.

    A column has one value per ε. Our values are for the selected picture. Some pixels are left out
    of the original's histogram, as large a share of all pixels as in the paper. "Best of 10" is the
    release most similar to the original, which the paper also selects.
    """
    picture = problem.everyone[[chosen(problem, params)]]
    noise = noise_of(problem, params.seed)
    draws = perturb_biases(
        problem.weights, picture, kind, EPSILONS, params.delta, noise=noise
    )[:, 0, :10]  # fmt: skip
    size = picture.shape[1]
    lost = round(similarity.MISSING * size / 784)
    H, BC = (quantity[..., 0] for quantity in similarity.printed(picture, draws, missing=lost))
    best = BC.argmax(1)[:, None]
    table = paper.TABLES[kind]
    columns = {
        "ε": EPSILONS,
        "paper: H": table.hellinger,
        "paper: BC": table.bhattacharyya,
        "paper: BC + H²": paper.complement()[KINDS.index(kind)],
        "ours: H, one draw": H[:, 0],
        "ours: H, mean of 10": H.mean(1),
        "ours: H, best of 10": np.take_along_axis(H, best, 1)[:, 0],
        "ours: BC, best of 10": np.take_along_axis(BC, best, 1)[:, 0],
        "ours: BC + H²": (BC + H**2)[:, 0],
    }
    return {name: tuple(float(v) for v in values) for name, values in columns.items()}


ROWS = 300  # rows of seven ε that are drawn anew
_RUNS = 10  # of which Jain et al. print the best
STEPS = len(EPSILONS) - 1
"""From one ε to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Irregular:
    """How often the similarity of the chosen picture's releases is not monotone in ε, for 3 kinds of noise.

    At the seven ε of Jain et al., δ = 10⁻⁵; H is the Hellinger distance to the original.

    - ``hellinger``, ``bhattacharyya`` (3, 7): H and Bhattacharyya coefficient of the best of ten
      releases, selected as in the paper.
    - ``middle`` (3, 7): the median H of many releases.

    A row is a series of seven releases, one per ε, which has six steps between consecutive ε. The
    number of steps at which H increases, (3,) each:

    - ``printed``: in the tables of the paper by Jain et al.
    - ``fresh``: on average over rows of releases with independent noise.
    - ``same``: on average over rows with one unit noise, rescaled for each ε.
    - ``medians``: in the medians ``middle``.
    - ``linear``: on average over rows of releases of the linearised network.
    """

    hellinger: Floats
    bhattacharyya: Floats
    middle: Floats
    printed: Floats
    fresh: Floats
    same: Floats
    medians: Floats
    linear: Floats


def wrong_steps(hellinger: NDArray[np.floating]) -> Floats:
    """Return in how many of the six steps along the last axis of H (..., 7) H increases, though noise decreases.

    Examples
    --------
    >>> wrong_steps(np.array([0.5, 0.4, 0.45, 0.3, 0.2, 0.2, 0.1])).tolist()
    1.0
    """
    return np.asarray((np.diff(hellinger, axis=-1) > 0).sum(-1), float)


def run_irregular(problem: Problem, params: AutoencoderParams, *, rows: int = ROWS) -> Irregular:
    """Return the values of Jain et al.'s Figure 5, and how often H is not monotone in ε.

    The values are for the chosen picture.

    H is the Hellinger distance of a release to the original.

    Parameters
    ----------
    problem : Problem
        The published network.
    params : AutoencoderParams
        The picture and the seed are used.
    rows : int
        Number of rows, ≥ 10, each of seven releases, one per ε.

    Returns
    -------
    Irregular
    """
    x = problem.everyone[[chosen(problem, params)]]
    own, rng = similarity.histogram(x[0]), np.random.default_rng((params.seed, 14))
    noise = draw_noise(problem.weights, len(EPSILONS) * rows, rng)
    split = [_part(noise, e, rows) for e in range(len(EPSILONS))]
    releases = [perturb_biases(problem.weights, x, KINDS, e, noise=n)[0, :, :, 0]
             for e, n in zip(EPSILONS, split, strict=True)]  # fmt: skip
    fresh = _distances(own, releases)
    scaled = perturb_biases(problem.weights, x, KINDS, EPSILONS, noise=split[0])[..., 0, :]
    straight = [_tangent(problem.weights, x[0], e, n) for e, n in zip(EPSILONS, split, strict=True)]
    best = _best(x, np.array([part[:, :_RUNS] for part in releases]), x.shape[1])
    return Irregular(
        hellinger=best[0], bhattacharyya=best[1], middle=np.median(fresh, axis=1),
        printed=np.array([float(wrong_steps(np.array(paper.TABLES[k].hellinger))) for k in KINDS]),
        fresh=wrong_steps(fresh).mean(1),
        same=wrong_steps(_distances(own, list(scaled))).mean(1),
        medians=wrong_steps(np.median(fresh, axis=1)),
        linear=wrong_steps(_distances(own, straight)).mean(1),
    )  # fmt: skip


def _part(noise: BiasNoise, e: int, rows: int) -> BiasNoise:
    part = slice(e * rows, (e + 1) * rows)
    return BiasNoise(hidden=noise.hidden[part], output=noise.output[part])


def _distances(own: Floats, pictures: list[NDArray[np.float32]]) -> Floats:
    """Return the Hellinger distances of releases to the original's histogram ``own``, (3, rows, 7).

    Axes: kind of noise, row of releases, ε.

    ``pictures``: for each of the seven ε, the released pictures (3, rows, d).
    """
    return np.stack(
        [similarity.hellinger(own, similarity.histogram(part)) for part in pictures], -1
    )


def _best(
    x: NDArray[np.float32], releases: NDArray[np.float32], size: int
) -> tuple[Floats, Floats]:
    """Return H and BC, (3, 7) each, of the release with the largest BC among ten.

    ``releases`` (7, 3, 10, d): releases; H and BC are the Hellinger distance and the Bhattacharyya
    coefficient to the original ``x``, with the paper's histograms.
    """
    lost = round(similarity.MISSING * size / 784)
    H, BC = (v[..., 0] for v in similarity.printed(x, releases[..., None, :], missing=lost))
    pick = BC.argmax(-1)[..., None]
    first, second = (np.take_along_axis(v, pick, -1)[..., 0].T for v in (H, BC))
    return first, second


def _tangent(
    weights: Weights, x: NDArray[np.float32], epsilon: float, noise: BiasNoise
) -> NDArray[np.float32]:
    """Return releases of picture x at ε by the network linearised at x, clipped to [0, 1], (3, rows, d).

    Axes: kind of noise, draw of the noise, pixel."""
    before, out = weights.hidden(x), weights.reconstruct(x)
    inner = (noise.hidden[:, 0] * (before > 0)) @ weights.W2
    slope = out * (1 - out)
    releases = []
    for kind in KINDS:
        first, second = sigmas(epsilon, kind=kind)[0]
        releases.append(out + slope * (first * inner + second * noise.output[:, 0]))
    return np.asarray(np.clip(np.array(releases), 0, 1), np.float32)
