"""The parameters of the linear regression experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.epsilon_tables import REPLACED_RATES
from dpcore.experiments.grids import CLIP_NORM_GRID
from dpcore.experiments.params import Params, control
from dpcore.regression.solve import Repair

__all__ = [
    "ANSWERS",
    "DOCUMENT",
    "FEATURES_GRID",
    "METHODS",
    "SAMPLES_GRID",
    "RegressionParams",
    "repair_of",
]

_MOVES = tuple(round(0.05 * k, 2) for k in range(-40, 41))
FEATURES_GRID: tuple[int, ...] = (1, 2, 3, 5, 8, 10, 13, 20)
SAMPLES_GRID: tuple[int, ...] = (
    30, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 102_400, 204_800, 296_000,
)  # fmt: skip
ANSWERS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100)
METHODS = ("printed", "tight", "joint", "gaussian", "adassp", "output", "descent")
_DATASETS = ("synth1d", "diabetes", "census_synthetic", "adult", "acs", "own")
_REPAIRS = ("none", "trim", "floor1", "floor2")
_SPLITS = ("proportional", "equal", "variance", "error")


@dataclass(frozen=True, kw_only=True)
class RegressionParams(Params):
    """Which line to fit, to which records, how private, and by which method.

    Every field is on a grid: ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3], ``n_samples`` and
    ``n_features`` are upper limits, used as far as the data set has so many. ``clip_norm`` and
    ``sample_rate`` are those of gradient descent.

    Examples
    --------
    >>> RegressionParams(epsilon=2.5, dataset="diabetes", n_features=10).to_link()
    {'dataset': 'diabetes', 'epsilon': '2.5', 'n_features': '10'}
    """

    dataset: str = control("synth1d", choices=_DATASETS)
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    method: str = control("joint", choices=METHODS)
    clip_norm: float = control(1.0, grid=CLIP_NORM_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(1.0, grid=(*REPLACED_RATES, 1.0))
    repair: str = control("floor1", choices=_REPAIRS)
    n_features: int = control(1, grid=FEATURES_GRID, symbol="d")
    n_samples: int = control(200, grid=SAMPLES_GRID, symbol="n")
    split: str = control("proportional", choices=_SPLITS, symbol="ε₁:ε₂")
    feature: int = control(1, low=1, high=500)
    answers: int = control(1, grid=ANSWERS, symbol="k")
    person: int = shared.person()
    person_dx: float = control(0.0, grid=_MOVES)
    person_dy: float = control(-1.0, grid=_MOVES)
    seed: int = shared.seed()

    @property
    def separate(self) -> bool:
        """Whether ε is split between two releases."""
        return self.method in ("printed", "tight")

    @property
    def objective(self) -> bool:
        """Whether noisy sums are released whose objective the repair is for."""
        return self.method in ("printed", "tight", "joint", "gaussian")

    @property
    def stepwise(self) -> bool:
        """Whether the fit is made in steps: C and q have an effect then."""
        return self.method == "descent"

    @property
    def pure(self) -> bool:
        """Whether δ has no effect."""
        return self.method in ("printed", "tight", "joint")


DOCUMENT: dict[str, object] = {
    "dataset": "census_synthetic",
    "method": "printed",
    "repair": "none",
    "split": "proportional",
    "n_features": 13,
    "n_samples": 296_000,
}
"""The size and the method of Jiang's experiment, on made-up persons."""


def repair_of(params: RegressionParams) -> Repair:
    """Return the repair that the parameters ask for."""
    if params.repair.startswith("floor"):
        return Repair(kind="floor", floor=float(params.repair[-1]))
    return Repair(kind=params.repair)
