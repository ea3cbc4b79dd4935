"""Parameters and data of matrix learning, and the best matrix without privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.params import control, inherited
from dpcore.experiments.relevance import Problem, loaded
from dpcore.experiments.relevance import params as prototypes
from dpcore.lvq import GMLVQ, matrix

__all__ = [
    "DATASETS",
    "FITTING",
    "MATRIX_NOISE_GRID",
    "PAPER",
    "MatrixParams",
    "MatrixProblem",
    "named_problem",
    "problem_of",
]

DATASETS = (
    "flu",
    "breast_cancer",
    "iris",
    "wine",
    "digits",
    "segment",
    "har",
    "mnist_dct",
    "mnist_pca",
    "own",
)
RANKS = ("full", "1", "2", "3", "5", "8", "16")
MATRIX_NOISE_GRID = (
    0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.158, 0.25,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class MatrixParams(prototypes.RelevanceParams):
    """Settings of a private matrix training, and the noise on the finished matrix.

    Most fields are inherited from `dpcore.experiments.relevance.RelevanceParams`, such as data set,
    privacy parameters and clipping norm. There are two more:

    - ``rank``: number of rows l of Ω ("full" is d).
    - ``matrix_noise_std`` ≥ 0: standard deviation of the noise on the finished matrix, as in the
      experiment of Brinkrolf, Berger and Hammer (2018).

    Examples
    --------
    >>> MatrixParams(rank="2", dataset="iris").to_link()
    {'dataset': 'iris', 'rank': '2'}
    """

    former = {"matrix_noise_std": "touch"}  # noqa: RUF012
    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        version: {
            "dataset": "breast_cancer", "epsilon": "1", "clip_norm": "0.5", "sample_rate": "0.05",
            "learning_rate": "0.1",
        }
        for version in ("1", "2", "3", "4", "5", "6")
    }  # fmt: skip

    dataset: str = inherited(prototypes.RelevanceParams, "dataset", default="flu", choices=DATASETS)
    epsilon: float = inherited(prototypes.RelevanceParams, "epsilon", default=4.0)
    clip_norm: float = inherited(prototypes.RelevanceParams, "clip_norm", default=1.0)
    prototypes_per_class: int = inherited(
        prototypes.RelevanceParams, "prototypes_per_class", default=1
    )
    sample_rate: float = inherited(prototypes.RelevanceParams, "sample_rate", default=0.1)
    learning_rate: float = inherited(prototypes.RelevanceParams, "learning_rate", default=0.3)
    rank: str = control(
        "full",
        choices=RANKS,
        symbol="l",
    )
    matrix_noise_std: float = control(
        0.025,
        grid=MATRIX_NOISE_GRID,
        symbol="s",
    )


PAPER: dict[str, Any] = prototypes.PAPER | {"rank": "full", "matrix_noise_std": 0.025}
"""The settings of Brinkrolf, Berger and Hammer (ESANN 2018), section 4."""
FITTING: dict[str, dict[str, Any]] = {
    "har": {"clip_norm": 2.0, "learning_rate": 0.3},
    "mnist_dct": {"clip_norm": 5.0, "learning_rate": 0.3},
    "mnist_pca": {"clip_norm": 2.0, "learning_rate": 0.1},
}
"""Clipping norm and learning rate for data sets on which the default clips nearly every record.

The values were chosen from {0.5, 2, 5} x {0.1, 0.3, 1} by the test error at ε = 1.
"""


_MANY = 100  # features beyond which Ω keeps few rows, and the heat map few features
_ROWS = 16
_SHOWN = 64


@dataclass(frozen=True)
class MatrixProblem(Problem):
    """Classification data set on [-1, 1]^d for GMLVQ, which learns the matrix Ω of the distance |Ω (x - w)|².

    ``rank``: number of rows of Ω; "full" means d rows.
    """

    rank: str = "full"

    @property
    def n_features(self) -> int:
        """The number of features d."""
        return int(self.X.shape[1])

    @property
    def rows(self) -> int:
        """Number l of rows of Ω: the rank, at most d, and at most 16 if d > 100."""
        most = min(self.n_features, _ROWS) if self.n_features > _MANY else self.n_features
        return most if self.rank == "full" else min(int(self.rank), most)

    @property
    def n_noisy(self) -> int:
        """Number of coordinates of prototypes and matrix that get noise in each step."""
        return super().n_noisy + self.rows * self.n_features

    @cached_property
    def first(self) -> NDArray[np.float64]:
        """Initial matrix Ω (l, d), independent of the data."""
        return matrix.start(self.n_features, self.rows)

    @cached_property
    def best_pair(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """P prototypes (P, d) and matrix Ω (l, d) that minimise the cost without privacy (L-BFGS)."""
        patience = 500 if self.X.size < 200_000 else 60
        model = GMLVQ(
            prototypes_per_class=self.prototypes_per_class,
            rank=self.rows,
            max_iter=patience,
            random_state=0,
        )
        model.fit(self.X, self.y)
        return model.prototypes_.astype(np.float32), model.omega_.astype(np.float32)

    @property
    def best_known(self) -> bool:
        """Whether the prototypes and matrix without privacy are available at once: cached, or quick to compute."""
        return "best_pair" in self.__dict__ or self.X.size < 3_000

    @property
    def best(self) -> NDArray[np.float32]:
        """P prototypes (P, d) of the model without privacy, see `best_pair`."""
        return self.best_pair[0]

    @cached_property
    def best_error(self) -> float:
        """Test error of the model without privacy, see `best_pair`."""
        return float(self.matrix_errors(*self.best_pair))

    @cached_property
    def shown(self) -> NDArray[np.int64]:
        """Indices (F,) of the displayed features: all, or 64 evenly spaced ones."""
        d = self.n_features
        return np.unique(np.linspace(0, d - 1, min(d, _SHOWN)).round().astype(np.int64))

    def matrix_errors(
        self, W: NDArray[np.float32], Omega: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the test error (...) of each model with prototypes (..., P, d) and matrix (..., l, d)."""
        return matrix.error_rates(self.X_test, self.dataset.y_test, W, Omega, self.labels)


@lru_cache(maxsize=24)
def named_problem(name: str, prototypes_per_class: int, rank: str) -> MatrixProblem:
    """Return the problem of the data set with this name; results are cached."""
    return MatrixProblem(loaded(name), prototypes_per_class, rank)


def problem_of(params: MatrixParams) -> MatrixProblem:
    """Return the problem for the data set that the parameters name."""
    return named_problem(params.dataset, params.prototypes_per_class, params.rank)
