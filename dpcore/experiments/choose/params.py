"""The parameters of the page Choose ε."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import grids, shared
from dpcore.experiments.params import Params, control

__all__ = [
    "CLASSIFIERS",
    "GOAL_GRID",
    "REGRESSORS",
    "RELEASES_GRID",
    "TABLES_GRID",
    "YEARS_GRID",
    "ChooseParams",
]

CLASSIFIERS: dict[str, str] = {
    "softmax": "DP-SGD, logistic",
    "generator": "invented data",
    "glvq": "DP-GLVQ",
    "gmlvq": "DP-GMLVQ",
    "network": "DP-SGD, one hidden layer",
    "hulls": "affine hulls",
}
"""Every classifier that is compared, in the order in which they are tried."""
REGRESSORS: dict[str, str] = {
    "joint": "noisy objective, repaired",
    "gaussian": "noisy sums",
    "adassp": "AdaSSP",
    "output": "noise on the result",
    "descent": "DP gradient descent",
}
LABELS_OPEN = ("hulls",)
"""Methods that leave the class of every record unprotected: no candidates for the best one."""
RELEASES_GRID: tuple[int, ...] = (1, 2, 4, 12, 52)
YEARS_GRID: tuple[int, ...] = (1, 2, 3, 5, 10)
TABLES_GRID: tuple[int, ...] = (1, 2, 3, 5)
LEAST_GRID: tuple[int, ...] = (10, 20, 30, 50, 100)
GOAL_GRID: tuple[int, ...] = (5, 10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500)
_DATASETS = (
    "breast_cancer",
    "wine",
    "iris",
    "digits",
    "moons",
    "diabetes",
    "census_synthetic",
    "own",
)


def canonical(text: str) -> str:
    """Return the canonical text "ε/method" of the pinned choice in a link, or "" if none is pinned.

    Raises
    ------
    ValueError
        When there is no such ε on the grid, or no such method.
    """
    if not text:
        return ""
    start, _, method = text.partition("/")
    known = {f"{epsilon:g}" for epsilon in grids.EPSILON_GRID}
    if start not in known or method not in ("best", *CLASSIFIERS, *REGRESSORS):
        raise ValueError(
            f"pinned={text[:40]} is not allowed: give an ε of the grid and a method, such as 1/best."
        )
    return f"{start}/{method}"


@dataclass(frozen=True, kw_only=True)
class ChooseParams(Params):
    """The ε under consideration, the data set, and the display options.

    - ``group``: 0 groups people by their class (or by the first column), k by the k-th column.
    - ``goal``: largest acceptable error, in mistakes per 1000 people or thousandths of the target's
      range.
    - ``least``: smallest number of test records for a group to be shown.
    - ``pinned``: a second choice "ε/method" for comparison.
    - ``beforehand``: for a user's table, whether the method was fixed in advance.
    - ``shown``: for a user's table, whether results are from the table or from synthetic data with
      its declared facts.

    Examples
    --------
    >>> ChooseParams(epsilon=2.0, dataset="wine").to_link()
    {'dataset': 'wine', 'epsilon': '2'}
    """

    dataset: str = control("breast_cancer", choices=_DATASETS)
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    unit: str = control("counts", choices=("counts", "percent"))
    method: str = control("best", choices=("best", *CLASSIFIERS, *REGRESSORS))
    beforehand: str = control("no", choices=("no", "yes"))
    shown: str = control("table", choices=("table", "madeup"))
    group: int = control(0, low=0, high=500)
    least: int = control(30, grid=LEAST_GRID)
    goal: int = control(100, grid=GOAL_GRID)
    releases: int = control(4, grid=RELEASES_GRID)
    years: int = control(3, grid=YEARS_GRID)
    tables: int = control(1, grid=TABLES_GRID)
    pinned: str = control("", text=canonical)
    seed: int = shared.seed()

    @property
    def other(self) -> ChooseParams | None:
        """Parameters of the pinned second choice, which is compared with the present one; None if none is pinned."""
        if not self.pinned:
            return None
        epsilon, method = self.pinned.split("/")
        return self.but(epsilon=float(epsilon), method=method, pinned="")

    @property
    def n_releases(self) -> int:
        """Number of planned results about the same records: releases a year × years × tables."""
        return self.releases * self.years * self.tables

    def kept(self) -> ChooseParams:
        """Return the parameters with the present ε and method pinned as the second choice."""
        return self.but(pinned=f"{self.epsilon:g}/{self.method}")

    def chosen(self, methods: tuple[str, ...]) -> str:
        """Return the selected method, or "best" if it is not one of ``methods``, those that fit the task."""
        return self.method if self.method in methods else "best"
