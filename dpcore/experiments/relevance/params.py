"""The parameters of relevance learning, its data scaled by public bounds, and non-private references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import datasets
from dpcore._types import Floats
from dpcore.datasets import Dataset
from dpcore.experiments import grids, shared
from dpcore.experiments.params import Params, control
from dpcore.lvq import GLVQ, error_rates

__all__ = [
    "PAPER",
    "Problem",
    "RelevanceParams",
    "loaded",
    "named_problem",
    "problem_of",
    "with_prototypes",
]

_MOVES = tuple(round(0.05 * k, 2) for k in range(-40, 41))
DATASETS = (
    "blobs",
    "moons",
    "spirals",
    "iris",
    "wine",
    "breast_cancer",
    "digits",
    "segment",
    "har",
    "mnist_dct",
    "mnist_pca",
    "own",
)


@dataclass(frozen=True, kw_only=True)
class RelevanceParams(Params):
    """Data set, privacy parameters, and settings of the training.

    Every field is on a grid, so that results can be cached.

    - ``epsilon`` is in [0.05, 20], ``delta`` in [1e-8, 1e-3].
    - ``clip_norm`` > 0, ``sample_rate`` in (0, 1], ``epochs`` ≥ 1, ``learning_rate`` > 0.
    - ``prototypes_per_class`` ≥ 1.
    - ``init_share`` in (0, 1) is the share of ε for the initial prototypes.

    Examples
    --------
    >>> RelevanceParams(epsilon=2.5, dataset="iris").to_link()
    {'dataset': 'iris', 'epsilon': '2.5'}
    """

    dataset: str = control("moons", choices=DATASETS)
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    clip_norm: float = control(0.5, grid=grids.CLIP_NORM_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(0.01, grid=grids.SAMPLE_RATE_GRID)
    lots: str = control("poisson", choices=("poisson", "fixed"))
    epochs: int = control(50, grid=grids.EPOCHS_GRID, symbol="E")
    prototypes_per_class: int = control(
        3,
        grid=(1, 2, 3, 4, 6, 8),
        symbol="m",
    )
    recipe: str = control(
        "tight",
        choices=("tight", "paper"),
    )
    init_share: float = control(
        0.2,
        grid=grids.INIT_SHARE_GRID,
        symbol="ε₁/ε",
    )
    learning_rate: float = control(
        0.1,
        grid=grids.LEARNING_RATE_GRID,
        symbol="η",
    )
    project: bool = control(
        True,
        choices=(True, False),
    )
    person: int = shared.person()
    record: int = shared.record()
    person_dx: float = control(0.0, grid=_MOVES)
    person_dy: float = control(0.0, grid=_MOVES)
    seed: int = shared.seed()

    def following(self, before: Self) -> Self:
        """Return the parameters with those fields updated that depend on a changed field.

        ``before``: the parameters before the user's change.

        - If the data set or the rank of the selected record changed, the record's number is reset
          to 0. Number 0 selects the record by its rank.
        - If the number of the record changed, the record's offset is reset to 0.
        """
        ranked = (self.person, self.dataset) != (before.person, before.dataset)
        here = self.but(record=0) if ranked else self
        another = here.record != before.record
        return here.but(person_dx=0.0, person_dy=0.0) if another else here


PAPER = {
    "recipe": "paper",
    "init_share": 0.2,
    "delta": 1e-5,
    "sample_rate": 0.01,
    "clip_norm": 0.5,
    "epochs": 50,
    "project": False,
}
"""The settings of Brinkrolf, Berger and Hammer (ESANN 2018), section 4."""


_DRAFT_SIZE = 20_000  # numbers in the data up to which the best prototypes are found at once
P = TypeVar("P", bound="Problem")


@dataclass(frozen=True)
class Problem:
    """A classification data set on [-1, 1]^d, with quantities that do not depend on the privacy parameters.

    Parameters
    ----------
    dataset : Dataset
        The records, not scaled.
    prototypes_per_class : int
        Number of prototypes of each class.
    """

    dataset: Dataset
    prototypes_per_class: int

    @cached_property
    def X(self) -> NDArray[np.float32]:
        """Training records (n, d), scaled to [-1, 1] by the public bounds."""
        return self.dataset.scaled()

    @property
    def y(self) -> NDArray[np.int64]:
        """Class index (n,) of each training record."""
        return self.dataset.y

    @property
    def n_declared(self) -> int:
        """Declared number of training records, from which the batch size is computed."""
        return self.dataset.n_declared

    @cached_property
    def X_test(self) -> NDArray[np.float32]:
        """Test records (n_test, d), scaled by the public bounds."""
        return self.dataset.scaled(self.dataset.X_test)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.dataset.classes)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Class index (P,) of each of the P prototypes."""
        return np.repeat(np.arange(self.n_classes), self.prototypes_per_class)

    @property
    def first(self) -> NDArray[np.float64] | None:
        """Initial matrix Ω (l, d); None if only prototypes are trained."""
        return None

    @property
    def n_noisy(self) -> int:
        """Number of coordinates that get noise in each step."""
        return int(len(self.labels) * self.X.shape[1])

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """Number of training records (k,) of each of the k classes."""
        return np.bincount(self.y, minlength=self.n_classes).astype(float)

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """Sum (k, d) of the scaled training records of each of the k classes."""
        one_hot = np.eye(self.n_classes)[self.y]
        return cast(Floats, one_hot.T @ self.X.astype(float))

    @cached_property
    def plane(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Origin (d,) and orthonormal axes (d, 2) of the 2-D map of the records.

        Both are computed without noise, for display only.
        """
        return datasets.plane(self.X)

    @cached_property
    def best(self) -> NDArray[np.float32]:
        """P prototypes (P, d) that minimise the cost without privacy (L-BFGS).

        If a class has no training record, its prototypes are in the middle of the domain.
        """
        model = GLVQ(prototypes_per_class=self.prototypes_per_class, solver="lbfgs", random_state=0)
        empty = np.flatnonzero(self.counts == 0)
        X = np.vstack([self.X, np.zeros((len(empty), self.X.shape[1]), np.float32)])
        return model.fit(X, np.append(self.y, empty)).prototypes_.astype(np.float32)

    @property
    def best_known(self) -> bool:
        """Whether the prototypes without privacy are available at once: cached, or quick to compute."""
        return "best" in vars(self) or self.X.size < _DRAFT_SIZE

    @cached_property
    def best_error(self) -> float:
        """Test error of the prototypes without privacy, see `best`."""
        return float(self.errors(self.best))

    def errors(self, prototypes: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the test error (...) of each set of P prototypes (..., P, d)."""
        return error_rates(self.X_test, self.dataset.y_test, W=prototypes, labels=self.labels)


@lru_cache(maxsize=24)
def named_problem(name: str, prototypes_per_class: int) -> Problem:
    """Return the problem of the data set with this name; results are cached."""
    return Problem(loaded(name), prototypes_per_class)


def problem_of(params: RelevanceParams) -> Problem:
    """Return the problem for the data set that the parameters name."""
    return named_problem(params.dataset, params.prototypes_per_class)


@lru_cache(maxsize=8)
def loaded(name: str) -> Dataset:
    """Return the data set with this name; results are cached.

    Problems with different numbers of prototypes share the data set.
    """
    return datasets.load(name)


def with_prototypes(problem: P, params: RelevanceParams, named: Callable[[Any], P]) -> P:
    """Return a problem with the data of ``problem`` and the parameters' number of prototypes.

    Parameters
    ----------
    problem : Problem
        The data, with any number of prototypes.
    params : RelevanceParams
        Only ``prototypes_per_class`` is used.
    named : callable
        Function that returns the cached problem for parameters that name a data set.

    Returns
    -------
    Problem
    """
    if params.prototypes_per_class == problem.prototypes_per_class:
        return problem
    if params.dataset != "own":
        return named(params)
    return replace(problem, prototypes_per_class=params.prototypes_per_class)
