"""A data set made ready for matrix training, with the best matrix there is without privacy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.relevance import Problem, loaded
from dpcore.lvq import GMLVQ, matrix

__all__ = ["MatrixProblem", "named_problem", "problem_of"]

_MANY = 100  # features beyond which Ω keeps few rows, and the heat map few features
_ROWS = 16
_SHOWN = 64


@dataclass(frozen=True)
class MatrixProblem(Problem):
    """A classification data set on [-1, 1]^d for matrices Ω of ``rank`` rows ("full": d)."""

    rank: str = "full"

    @property
    def n_features(self) -> int:
        """The number of features d."""
        return int(self.X.shape[1])

    @property
    def rows(self) -> int:
        """Rows l of Ω: the rank, cut to d, and to 16 beyond 100 features."""
        most = min(self.n_features, _ROWS) if self.n_features > _MANY else self.n_features
        return most if self.rank == "full" else min(int(self.rank), most)

    @property
    def n_noisy(self) -> int:
        """How many numbers get noise in each step: those of prototypes and matrix."""
        return super().n_noisy + self.rows * self.n_features

    @cached_property
    def first(self) -> NDArray[np.float64]:
        """The matrix Ω (l, d) that training starts from; no data touched it."""
        return matrix.start(self.n_features, self.rows)

    @cached_property
    def best_pair(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Prototypes (P, d) and Ω (l, d) that minimise the cost without privacy (L-BFGS)."""
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
        """Whether the best pair has been computed, or is quick enough to be."""
        return "best_pair" in self.__dict__ or self.X.size < 3_000

    @property
    def best(self) -> NDArray[np.float32]:
        """Prototypes (P, d) of the best pair."""
        return self.best_pair[0]

    @cached_property
    def best_error(self) -> float:
        """The test error of the best pair."""
        return float(self.matrix_errors(*self.best_pair))

    @cached_property
    def shown(self) -> NDArray[np.int64]:
        """The features drawn, (F,): all, or of very many an even choice of 64."""
        d = self.n_features
        return np.unique(np.linspace(0, d - 1, min(d, _SHOWN)).round().astype(np.int64))

    def matrix_errors(
        self, W: NDArray[np.float32], Omega: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the test error of each model, (..., P, d) and (..., l, d) -> (...)."""
        return matrix.error_rates(self.X_test, self.dataset.y_test, W, Omega, self.labels)


@lru_cache(maxsize=24)
def named_problem(name: str, prototypes_per_class: int, rank: str) -> MatrixProblem:
    """Return the problem of a data set known by name; kept, because it never changes."""
    return MatrixProblem(loaded(name), prototypes_per_class, rank)


def problem_of(params: MatrixParams) -> MatrixProblem:
    """Return the problem that the parameters name."""
    return named_problem(params.dataset, params.prototypes_per_class, params.rank)
