"""Similarity that goes up and down with ε: Figure 5 of Jain et al. again, and where its disorder comes from."""

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
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.autoencoder.sweep import chosen

__all__ = ["ROWS", "STEPS", "Irregular", "run_irregular", "wrong_steps"]

Floats = NDArray[np.float64]
ROWS = 300  # rows of seven ε that are drawn anew
_RUNS = 10  # of which Jain et al. print the best
STEPS = len(EPSILONS) - 1
"""From one ε to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Irregular:
    """The chosen picture at the seven ε of Jain et al., δ = 10⁻⁵, for 3 kinds.

    ``hellinger``, ``bhattacharyya`` (3, 7): of the best of ten releases, picked as theirs are;
    ``middle`` (3, 7): the median H of 300 releases. Of the six steps from an ε to the next, how many go
    the wrong way, that is to a larger H: ``printed`` (3,) in their tables; ``fresh`` (3,) on average over rows of
    single releases with noise of their own; ``same`` (3,) when one noise is only scaled; ``medians`` (3,); and
    ``linear`` (3,): as ``fresh``, by a network that is replaced by its tangent at the picture, so that nothing
    between noise and pixel is curved.
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
    """Return how many of the steps along the last axis (..., 7) go up, (...): less noise, yet a larger H.

    Examples
    --------
    >>> wrong_steps(np.array([0.5, 0.4, 0.45, 0.3, 0.2, 0.2, 0.1])).tolist()
    1.0
    """
    return np.asarray((np.diff(hellinger, axis=-1) > 0).sum(-1), float)


def run_irregular(problem: Problem, params: AutoencoderParams, *, rows: int = ROWS) -> Irregular:
    """Return Figure 5 for this picture, and how often a row of it is out of order.

    Parameters
    ----------
    problem : Problem
        The published network.
    params : AutoencoderParams
        The picture and the seed are used.
    rows : int
        Rows of seven releases, ≥ 10.

    Returns
    -------
    Irregular
    """
    x = problem.everyone[[chosen(problem, params)]]
    own, rng = similarity.histogram(x[0]), np.random.default_rng((params.seed, 14))
    noise = draw_noise(problem.weights, len(EPSILONS) * rows, rng)
    split = [_part(noise, e, rows) for e in range(len(EPSILONS))]
    drawn = [perturb_biases(problem.weights, x, KINDS, e, noise=n)[0, :, :, 0]
             for e, n in zip(EPSILONS, split, strict=True)]  # fmt: skip
    fresh = _distances(own, drawn)
    scaled = perturb_biases(problem.weights, x, KINDS, EPSILONS, noise=split[0])[..., 0, :]
    straight = [_tangent(problem.weights, x[0], e, n) for e, n in zip(EPSILONS, split, strict=True)]
    best = _best(x, np.array([part[:, :_RUNS] for part in drawn]), x.shape[1])
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
    """H of seven times (3, rows, d) pictures, (3, rows, 7)."""
    return np.stack(
        [similarity.hellinger(own, similarity.histogram(part)) for part in pictures], -1
    )


def _best(x: NDArray[np.float32], drawn: NDArray[np.float32], size: int) -> tuple[Floats, Floats]:
    """H and BC (3, 7) of the releases (7, 3, 10, d) with the largest BC, histograms as theirs."""
    lost = round(similarity.MISSING * size / 784)
    H, BC = (v[..., 0] for v in similarity.printed(x, drawn[..., None, :], missing=lost))
    pick = BC.argmax(-1)[..., None]
    first, second = (np.take_along_axis(v, pick, -1)[..., 0].T for v in (H, BC))
    return first, second


def _tangent(
    weights: Weights, x: NDArray[np.float32], epsilon: float, noise: BiasNoise
) -> NDArray[np.float32]:
    """Releases (3, rows, d) of the network's tangent at x, put into [0, 1]."""
    before, out = weights.hidden(x), weights.reconstruct(x)
    inner = (noise.hidden[:, 0] * (before > 0)) @ weights.W2
    slope = out * (1 - out)
    found = []
    for kind in KINDS:
        first, second = sigmas(epsilon, kind=kind)[0]
        found.append(out + slope * (first * inner + second * noise.output[:, 0]))
    return np.asarray(np.clip(np.array(found), 0, 1), np.float32)
