"""The same experience with a real guarantee: invented digits from noisy class statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.grids import EPSILON_GRID

if TYPE_CHECKING:
    from dpcore.autoencoder import GaussianSweep

__all__ = ["PER_DIGIT", "Synthetic", "fitted", "run_synthetic", "taught"]

PER_DIGIT = 3
_TAUGHT = 200  # invented pictures of each digit to teach 100 hidden units with
# Coarse first: the whole curve is there early, and grows finer.
_ORDER = tuple(dict.fromkeys(k for step in (8, 4, 2, 1) for k in range(0, len(EPSILON_GRID), step)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Synthetic:
    """Invented pictures at every ε of the grid (E), and how useful they are.

    ``pictures`` (E, 3, 10, d): three of each digit; ``accuracy`` (E,): of a classifier taught with
    invented pictures only, on real ones, nan where not yet known; ``noiseless``: the same without
    noise; ``taught_real``: taught with the real pictures.
    """

    pictures: NDArray[np.float32]
    accuracy: NDArray[np.float64]
    noiseless: float
    taught_real: float
    done: float


@lru_cache(maxsize=4)
def fitted(problem: Problem, delta: float, seed: int) -> GaussianSweep:
    """Return what the generator makes of the training pictures; its ``at`` gives any ε."""
    return _summed(problem).again(delta=delta, random_state=seed)


@lru_cache(maxsize=2)
def _summed(problem: Problem) -> GaussianSweep:
    from dpcore.autoencoder import GENERATOR_PRESETS, GaussianSweep

    return GaussianSweep.of(
        problem.training, problem.training_labels, delta=1e-5, classes=range(10), random_state=0,
        **GENERATOR_PRESETS[problem.name],
    )  # fmt: skip


def run_synthetic(
    problem: Problem,
    params: AutoencoderParams,
) -> Iterator[Synthetic]:
    """Yield the pictures of every ε, then how well they teach, one ε more each time.

    Parameters
    ----------
    problem : Problem
        Whose training pictures are protected.
    params : AutoencoderParams
        δ and the seed are used.

    Yields
    ------
    Synthetic
    """
    made = fitted(problem, params.delta, params.seed)
    pictures = [
        made.at(e).sample(PER_DIGIT, np.random.default_rng((params.seed, 4))) for e in EPSILON_GRID
    ]
    found = Synthetic(
        pictures=np.swapaxes(np.array(pictures), 1, 2),
        accuracy=np.full(len(EPSILON_GRID), np.nan),
        noiseless=_useful(problem, made, np.inf, params.seed),
        taught_real=taught(problem, problem.training, problem.training_labels),
        done=0.0,
    )
    yield found
    for number, e in enumerate(_ORDER):
        accuracy = found.accuracy.copy()
        accuracy[e] = _useful(problem, made, EPSILON_GRID[e], params.seed)
        found = replace(found, accuracy=accuracy, done=(number + 1) / len(_ORDER))
        yield found


def _useful(problem: Problem, made: GaussianSweep, epsilon: float, seed: int) -> float:
    images = made.at(epsilon).sample(_TAUGHT, np.random.default_rng((seed, 5)))
    labels = np.repeat(made.classes, _TAUGHT)
    return taught(problem, images.reshape(-1, images.shape[-1]), labels)


def taught(problem: Problem, X: AnyArray, y: AnyArray) -> float:
    """Return how well 100 hidden units taught with pictures X (n, d), y (n,) read unseen real digits."""
    from dpcore.autoencoder import accuracy

    test = slice(0, problem.unseen)
    return accuracy(X, y, problem.everyone[test], problem.labels[test], classifier="mlp")
