"""Rounds of a game: which of six pictures was published? The pictures are those of the attack on a batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import perturb_biases
from dpcore.experiments.autoencoder.attacks import N_ROUNDS, first_batch
from dpcore.experiments.autoencoder.problem import Problem

__all__ = ["ANOTHER", "N_CANDIDATES", "FaceOff", "picked_among", "run_face_off"]

N_CANDIDATES = 6
ANOTHER = N_CANDIDATES
"""A guess of `picked_among` that is none of the six."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceOff:
    """R rounds of six candidates of one digit each, at K noise levels and 3 kinds of noise.

    ``candidates`` (R, 6): rows of the list; ``truth`` (R,): which of the six was published; ``released``
    (K, 3, R, d): its picture with the noise of the whole batch.
    """

    candidates: NDArray[np.int64]
    truth: NDArray[np.int64]
    released: NDArray[np.float32]


def run_face_off(problem: Problem, seed: int) -> FaceOff:
    """Return the rounds with the first pictures of the batch that `run_attacks` attacks first.

    Parameters
    ----------
    problem : Problem
        The published network and the list of pictures.
    seed : int
        As in `run_attacks`; it also selects the other candidates.
    """
    rows, noise = first_batch(problem, seed)
    rng = np.random.default_rng((seed, 7))
    truth = rng.integers(N_CANDIDATES, size=N_ROUNDS)
    rounds = zip(rows[:N_ROUNDS], truth, strict=True)
    candidates = np.array([_six(problem, int(row), int(at), rng) for row, at in rounds])
    shown = problem.everyone[rows[:N_ROUNDS]]
    released = perturb_biases(problem.weights, shown, epsilon=problem.nodes, noise=noise)[:, :, 0]
    return FaceOff(candidates=candidates, truth=truth, released=released)


def _six(problem: Problem, row: int, at: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return six rows of the list of one digit, ``row`` at its place among them."""
    alike = np.flatnonzero(problem.labels == problem.labels[row])
    others = rng.choice(alike[alike != row], N_CANDIDATES - 1, replace=False)
    return np.insert(others, at, row)


def picked_among(found: FaceOff, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which of the six a row of the list (..., R) is, `ANOTHER` for none; NaN stays NaN."""
    same = rows[..., None] == found.candidates
    places = np.where(same.any(-1), same.argmax(-1), ANOTHER)
    return np.where(np.isnan(rows), np.nan, places)
