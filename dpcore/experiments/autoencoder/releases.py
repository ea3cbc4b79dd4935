"""Published pictures as a reader sees them: rounds of a guessing game, and outcomes of further noise draws.

The pictures of the game are the first ones of the batch that `run_attacks` attacks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import BiasNoise, perturb_biases
from dpcore.experiments.autoencoder.attacks import N_ROUNDS, first_batch, second_person
from dpcore.experiments.autoencoder.problem import (
    AutoencoderParams,
    Problem,
    effective_epsilon,
    noise_of,
)

__all__ = [
    "ANOTHER",
    "N_CANDIDATES",
    "N_OUTCOMES",
    "FaceOff",
    "Outcomes",
    "picked_among",
    "run_face_off",
    "run_outcomes",
]

N_CANDIDATES = 6
ANOTHER = N_CANDIDATES
"""A guess of `picked_among` that is none of the six."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceOff:
    """Rounds of a game in which an attacker finds a published picture among six candidates.

    There are R rounds, K noise levels and 3 kinds of noise. All candidates of a round show the same
    digit.

    - ``candidates`` (R, 6): rows in the attacker's list of pictures.
    - ``truth`` (R,): index 0..5 of the candidate that was published.
    - ``released`` (K, 3, R, d): the d pixels of the published picture with the noise of its batch.
    """

    candidates: NDArray[np.int64]
    truth: NDArray[np.int64]
    released: NDArray[np.float32]


def run_face_off(problem: Problem, seed: int) -> FaceOff:
    """Return the rounds of the game, whose published pictures are the first ones of `run_attacks`' first batch.

    Parameters
    ----------
    problem : Problem
        The published network and the list of pictures.
    seed : int
        Seed of the noise and of the five candidates that were not published in each round. With
        the same seed `run_attacks` attacks the same releases.
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
    """Return the rows of six candidate pictures of one digit: ``row`` at index ``at``, and five random others."""
    alike = np.flatnonzero(problem.labels == problem.labels[row])
    others = rng.choice(alike[alike != row], N_CANDIDATES - 1, replace=False)
    return np.insert(others, at, row)


def picked_among(face_off: FaceOff, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the index 0..5 of each picture among the six candidates of its round, (..., R) for R rounds.

    ``rows`` (..., R): rows in the list of pictures. `ANOTHER` for a picture that is no candidate;
    NaN stays NaN.
    """
    same = rows[..., None] == face_off.candidates
    places = np.where(same.any(-1), same.argmax(-1), ANOTHER)
    return np.where(np.isnan(rows), np.nan, places)


N_OUTCOMES = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """Releases of ten pictures at one ε and δ in D noise draws, before and after one picture is replaced.

    All pictures of a release share one noise. A picture has d pixels.

    - ``released`` (D, 3, 10, d): releases of the ten pictures, for 3 kinds of noise.
    - ``other`` (D, 3, 10, d): releases with the same noise, after the selected picture is replaced
      by the one that `second_person` returns.
    - ``people`` (2, 10, d): the ten pictures after this replacement: first the originals, then their
      reconstructions without noise.
    """

    released: NDArray[np.float32]
    other: NDArray[np.float32]
    people: NDArray[np.float32]


def run_outcomes(problem: Problem, params: AutoencoderParams) -> Outcomes:
    """Return releases of ten pictures, and of the same pictures with one replaced, for the same noise draws.

    The noise is that of the first releases in `Sweep`.
    """
    rows = problem.people[:, params.person - 1]
    others = rows.copy()
    others[params.digit] = second_person(problem, params)
    noise = noise_of(problem, params.seed)
    few = BiasNoise(hidden=noise.hidden[:N_OUTCOMES], output=noise.output[:N_OUTCOMES])
    here = effective_epsilon([params.epsilon], params.delta)
    both = [problem.everyone[rows], problem.everyone[others]]
    made = [perturb_biases(problem.weights, X, epsilon=here, noise=few)[0] for X in both]
    first, second = (np.moveaxis(one, 1, 0) for one in made)
    clean = problem.weights.reconstruct(both[1])
    return Outcomes(released=first, other=second, people=np.stack([both[1], clean]))
