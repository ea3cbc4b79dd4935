"""Two worlds: one of two people's pictures was released, and somebody wants to know which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.autoencoder import KINDS, Weights, draw_noise, pairwise_epsilon, perturb_biases, sigmas
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.autoencoder.sweep import chosen, noise_of
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

__all__ = ["N_RELEASES", "Pair", "noise_table", "run_pair", "second_person"]

Floats = NDArray[np.float64]
N_RELEASES = 40
_TYPICAL = 400


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Two people and what separates their releases, for 3 kinds.

    ``row``: the second person on the list; ``distance`` and ``typical`` (3,): how far the two, and
    two people met by chance (median), are where the noise is added; the paper says 1.
    ``epsilon`` and ``typical_epsilon`` (ε grid, δ grid, 3): what that makes of the claim.
    ``released`` (K, 3, d): the second person's picture with the first one's noise.
    ``ratio`` (K, 3): distance over noise. ``here`` and ``there`` (K, 3, 40): where forty releases
    of each lie on the line from the first person (0) to the second (1).
    """

    row: int
    distance: Floats
    typical: Floats
    epsilon: Floats
    typical_epsilon: Floats
    released: NDArray[np.float32]
    ratio: Floats
    here: Floats
    there: Floats


def second_person(problem: Problem, params: AutoencoderParams) -> int:
    """Return the row of the person who could have been there instead."""
    first = chosen(problem, params)
    if params.other == "digit":
        return int(problem.people[(params.digit + 1) % 10, params.person - 1])
    if params.other == "same":
        return int(problem.people[params.digit, params.person % 10])
    alike = np.flatnonzero(problem.labels == params.digit)
    alike = alike[alike != first]
    far = np.square(problem.everyone[alike] - problem.everyone[first]).sum(1)
    return int(alike[far.argmin()])


def run_pair(problem: Problem, params: AutoencoderParams) -> Pair:
    """Return what separates the chosen person from the second one.

    The exact ε of two Gaussians at this distance (`dpcore.autoencoder.pairwise_epsilon`), and forty simulated
    releases of each person, in real numbers: what an attacker sees who knows the weights.
    """
    w, X = problem.weights, problem.everyone
    first, second = chosen(problem, params), second_person(problem, params)
    distance = np.array([_length(w, X[first], X[second], kind) for kind in KINDS])
    typical, typical_epsilon = _typical(problem)
    scales = np.stack([sigmas(problem.nodes, kind=kind).max(1) for kind in KINDS], 1)
    noise = noise_of(problem, params.seed)
    places = [_places(problem, first, second, scales[:, k], k, params.seed) for k in range(3)]
    return Pair(
        row=second, distance=distance, typical=typical, epsilon=_table(distance),
        typical_epsilon=typical_epsilon, ratio=distance / scales,
        released=perturb_biases(w, X[[second]], epsilon=problem.nodes, noise=noise)[:, :, 0, 0],
        here=np.stack([p[0] for p in places], 1), there=np.stack([p[1] for p in places], 1),
    )  # fmt: skip


def _metric(weights: Weights) -> AnyArray:
    """What noise on both layers looks like at the codes, inverted: (I + (W₂ W₂ᵀ)⁻¹)⁻¹."""
    gram = weights.W2.astype(float) @ weights.W2.T
    return np.linalg.inv(np.eye(len(gram)) + np.linalg.pinv(gram))


def _length(weights: Weights, first: AnyArray, second: AnyArray, kind: str) -> AnyArray:
    place = weights.logits if kind == "output" else weights.hidden
    gap = place(first).astype(float) - place(second)
    if kind != "both":
        return cast(AnyArray, np.sqrt(np.square(gap).sum(-1)))
    return cast(AnyArray, np.sqrt(np.einsum("...i,ij,...j->...", gap, _metric(weights), gap)))


@lru_cache(maxsize=16)
def _typical(problem: Problem) -> tuple[Floats, Floats]:
    """The median distance (3,) of people met by chance, and its ε: the same whoever is shown."""
    w, X = problem.weights, problem.everyone
    rows = np.random.default_rng(0).integers(len(X), size=(2, _TYPICAL))
    met = [float(np.median(_length(w, X[rows[0]], X[rows[1]], kind))) for kind in KINDS]
    return np.array(met), _table(np.array(met))


@lru_cache(maxsize=1)
def noise_table() -> Floats:
    """Return the paper's σ over the grids of ε and δ for the three kinds, (E, D, 3)."""
    return np.stack(
        [
            np.stack([sigmas(EPSILON_GRID, delta, kind=kind).max(1) for kind in KINDS], -1)
            for delta in DELTA_GRID
        ],
        axis=1,
    )


def _table(distance: Floats) -> Floats:
    """ε over the grids of ε and δ for distances (3,) against a claim made for distance 1."""
    mu = distance / noise_table()
    return np.stack(
        [pairwise_epsilon.gaussian_epsilons(mu[:, d], delta) for d, delta in enumerate(DELTA_GRID)],
        1,
    )


def _places(
    problem: Problem, first: int, second: int, scale: Floats, kind: int, seed: int
) -> tuple[Floats, Floats]:
    """Where releases of both people lie between the two, (K, 40) each: their likelihood's axis."""
    w = problem.weights
    noise = draw_noise(w, 2 * N_RELEASES, np.random.default_rng((seed, 7)))
    found = []
    ends = [np.maximum(w.hidden(problem.everyone[row]), 0).astype(float) for row in (first, second)]
    if KINDS[kind] == "output":
        ends = [w.logits(problem.everyone[row]).astype(float) for row in (first, second)]
    gap = ends[1] - ends[0]
    along = _metric(w) @ gap if KINDS[kind] == "both" else gap
    back = np.linalg.pinv(w.W2.astype(float)) if KINDS[kind] == "both" else None
    for world, row in enumerate((first, second)):
        part = slice(world * N_RELEASES, (world + 1) * N_RELEASES)
        inner, outer = (scale[:, None, None] * z[part, 0] for z in (noise.hidden, noise.output))
        if KINDS[kind] == "output":
            seen = ends[world] + outer
        else:
            seen = np.maximum(w.hidden(problem.everyone[row]) + inner, 0)
        if back is not None:
            seen = seen + outer @ back
        found.append((seen - ends[0]) @ along / max(float(gap @ along), 1e-12))
    return found[0], found[1]
