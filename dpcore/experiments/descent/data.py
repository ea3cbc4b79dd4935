"""2-D data of two classes with public bounds, and the models that learn them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.datasets.synthetic import moons
from dpcore.descent import Logistic, Model, Network, Recipe, descend

__all__ = ["N_TEST", "N_TRAIN", "Problem", "named_problem"]

Floats = NDArray[np.float64]
N_TRAIN, N_TEST = 400, 1000
LIPSCHITZ = float(np.sqrt(3.0))
"""The logistic loss of a record in [-1, 1]² with a constant 1 is √3-Lipschitz in the weights."""


@dataclass(frozen=True, eq=False)
class Problem:
    """``X`` (400, 3) with a last 1, ``y`` 0 or 1 (400,), the same for the test (1000), a model.

    ``best`` (n_weights,) are the weights of long plain training, ``best_accuracy`` theirs on the test.
    """

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats
    model: Model
    best: Floats
    best_accuracy: float

    def accuracy(self, weights: Floats) -> Floats:
        """Return the test accuracy of weights (V, n_weights), (V,)."""
        return cast(
            Floats, ((self.model.scores(weights, self.X_test) > 0) == (self.y_test > 0)).mean(-1)
        )

    def surprise(self) -> NDArray[np.int64]:
        """Return the records' indices (400,), the one the plain model is most wrong on first."""
        z = self.model.scores(self.best[None], self.X)[0]
        return np.argsort(np.where(self.y > 0, z, -z), kind="stable")


def _blobs(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    y = np.arange(n) % 2
    centres = np.array([[-0.35, -0.25], [0.35, 0.3]])
    return np.clip(centres[y] + 0.28 * rng.standard_normal((n, 2)), -1, 1), y


def _corners(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    corner = np.arange(n) % 4
    centres = np.array([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]])
    X = np.clip(centres[corner] + 0.22 * rng.standard_normal((n, 2)), -1, 1)
    return X, np.isin(corner, (1, 2)).astype(np.int64)


def _moons(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    X, y, _ = moons(n, rng)
    return X, y


_MAKERS = {"moons": (_moons, 21), "blobs": (_blobs, 22), "corners": (_corners, 23)}


@lru_cache(maxsize=8)
def named_problem(dataset: str, model: str) -> Problem:
    """Return one of the page's problems; the data are the same for everybody.

    Parameters
    ----------
    dataset : "moons", "blobs" or "corners"
        Which points.
    model : "logistic" or "network"
        Which model.

    Returns
    -------
    Problem
    """
    maker, seed = _MAKERS[dataset]
    X, y = maker(N_TRAIN + N_TEST, np.random.default_rng(seed))
    X = np.column_stack([X, np.ones(len(X))])
    found: Model = Logistic(2) if model == "logistic" else Network(2)
    plain = Recipe(clipping="none", sample_rate=1.0, n_steps=2000, learning_rate=2.0)
    path = descend(
        found, X[:N_TRAIN], y[:N_TRAIN].astype(float), plain, np.zeros(1), sgd.Streams.of(0, 0),
        snapshots=np.array([2000]),
    )  # fmt: skip
    best = path.weights[0, 0]
    right = (found.scores(best[None], X[N_TRAIN:])[0] > 0) == (y[N_TRAIN:] > 0)
    return Problem(
        X=X[:N_TRAIN], y=y[:N_TRAIN].astype(float), X_test=X[N_TRAIN:],
        y_test=y[N_TRAIN:].astype(float), model=found, best=best, best_accuracy=float(right.mean()),
    )  # fmt: skip
