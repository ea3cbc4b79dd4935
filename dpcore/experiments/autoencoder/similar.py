"""The paper's similarity numbers for our releases, and what the same numbers say of anything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import EPSILONS, KINDS, paper, perturb_biases, similarity
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.autoencoder.sweep import Sweep, chosen, noise_of

__all__ = ["Baselines", "Similarity", "baselines", "compare_tables", "similarity_of"]

Floats = NDArray[np.float64]
BINS = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Similarity:
    """Histograms and errors of the chosen picture's thirty releases at K levels, 3 kinds.

    ``own`` and ``clean`` (16,): shares of pixels of the original and of its clean reconstruction;
    ``bins`` (K, 3, 16): of the first release; ``low``, ``middle``, ``high`` (K, 3): the middle 90 %
    and the median of the Hellinger distance over draws; ``first`` (K, 3): of the first release;
    ``error`` (K, 3): mean squared error per pixel over the draws; ``clean_error``: without noise.
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
    """Return how alike the releases are to their original, by the paper's measure and by pixels."""
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
    """Median Hellinger distance of pictures of a digit to things that reveal or hide nothing."""

    clean: float
    shuffled: float
    same_digit: float
    other_digit: float


def baselines(problem: Problem, digit: int) -> Baselines:
    """Return what the distance says of other people's pictures, and of shuffled pixels."""
    unseen = slice(0, min(problem.unseen, 1500))
    X = problem.everyone[unseen]
    found = similarity.baselines(
        X, problem.labels[unseen], problem.weights.reconstruct(X), digit, np.random.default_rng(0)
    )
    middle = {name: float(np.median(values)) for name, values in found.items()}
    return Baselines(
        clean=middle["clean reconstruction"],
        shuffled=middle["the same, shuffled"],
        same_digit=middle["another of its class"],
        other_digit=middle["another class"],
    )


def compare_tables(
    problem: Problem, params: AutoencoderParams, kind: str
) -> dict[str, tuple[float, ...]]:
    """Return the paper's table of a kind beside ours, column by column, a row for each of its ε.

    Ours: the chosen picture with the same share of pixels missing from the original's histogram as
    the paper's tables lack. "Best of 10" is chosen by looking at the original, as the paper does.
    """
    picture = problem.everyone[[chosen(problem, params)]]
    noise = noise_of(problem, params.seed)
    draws = perturb_biases(
        problem.weights, picture, kind, EPSILONS, params.delta, noise=noise
    )[:, 0, :10]  # fmt: skip
    size = picture.shape[1]
    lost = round(similarity.MISSING * size / 784)
    H, BC = (found[..., 0] for found in similarity.printed(picture, draws, missing=lost))
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
