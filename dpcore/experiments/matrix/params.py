"""The parameters of the matrix relevance experiment: those of the prototypes, and its own."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import grids
from dpcore.experiments.params import control
from dpcore.experiments.relevance import params as prototypes

__all__ = ["DATASETS", "PAPER", "TOUCH_GRID", "MatrixParams"]

_NAMES = ("breast_cancer", "iris", "wine", "digits", "segment", "har", "mnist_dct")
DATASETS = tuple((name, dict(prototypes.DATASETS)[name]) for name in _NAMES)
RANKS = ("full", "1", "2", "3", "5", "8", "16")
TOUCH_GRID = (0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.158, 0.25)


@dataclass(frozen=True, kw_only=True)
class MatrixParams(prototypes.RelevanceParams):
    """What to train, how private it is to be, and what noise to put on the finished matrix.

    As `RelevanceParams`, with ``rank`` the rows l of Ω ("full" is d) and ``touch`` ≥ 0 the
    deviation of the noise in the paper's experiment on the finished matrix.

    Examples
    --------
    >>> MatrixParams(rank="2", dataset="iris").to_link()
    {'dataset': 'iris', 'rank': '2'}
    """

    dataset: str = control(
        "breast_cancer",
        choices=DATASETS,
        label="data set",
        help="Where the records come from. Bounds of every feature are public facts.",
    )
    clip_norm: float = control(
        0.5,
        grid=grids.CLIP_NORM_GRID,
        symbol="C",
        label="clipping norm",
        ends=("clip hard", "hardly clip"),
        help="Longest pull of one record on prototypes and matrix together; noise scales with it.",
    )
    sample_rate: float = control(
        0.05,
        grid=grids.SAMPLE_RATE_GRID,
        symbol="q",
        label="sampling rate",
        ends=("few records a step", "all records"),
        help="Chance that a record takes part in a step, by a coin of its own (Poisson sampling).",
    )
    epochs: int = control(
        50,
        grid=grids.EPOCHS_GRID,
        symbol="E",
        label="epochs",
        ends=("short", "long"),
        help="How often each record is used on average; the steps are T = E/q.",
    )
    rank: str = control(
        "full",
        choices=tuple((rank, rank) for rank in RANKS),
        symbol="l",
        label="rank of Ω",
        advanced=True,
        help="How many directions the matrix may look along. It does not change the guarantee. "
        "Cut to the number of features, and to 16 when there are more than 100.",
    )
    touch: float = control(
        0.025,
        grid=TOUCH_GRID,
        symbol="s",
        label="noise put on the finished matrix",
        moves="local",
        advanced=True,
        ends=("none", "much"),
        help="The paper's experiment: Gaussian noise of this standard deviation on every element of "
        "the finished matrix, scaled to trace Λ = 1. It gives no privacy; it shows how touchy the "
        "matrix is. 0.158² = 0.025.",
    )


PAPER = {name: value for name, value in prototypes.PAPER.items() if name != "recipe"} | {
    "recipe": "paper",
    "rank": "full",
    "touch": 0.025,
}
"""The settings of Brinkrolf, Berger and Hammer (ESANN 2018), section 4."""
