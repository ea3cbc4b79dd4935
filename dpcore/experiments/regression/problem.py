"""The parameters of the linear regression experiment, and its data.

Sufficient statistics are precomputed for every number of records n.
"""

from __future__ import annotations

from _thread import LockType
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import RegressionDataset, load_regression
from dpcore.experiments import shared
from dpcore.experiments.epsilon_tables import REPLACED_RATES
from dpcore.experiments.grids import CLIP_NORM_GRID
from dpcore.experiments.params import Params, control
from dpcore.regression import Bounds, SufficientStatistics, sufficient_statistics
from dpcore.regression.solve import Repair

__all__ = [
    "ANSWERS",
    "DOCUMENT",
    "FEATURES_GRID",
    "METHODS",
    "SAMPLES_GRID",
    "Problem",
    "RegressionParams",
    "Setting",
    "named_problem",
    "repair_of",
]

Floats = NDArray[np.float64]
_FORMER_PLACE = {"person_dx": "0", "person_dy": "-1"}
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
    """Data set, privacy parameters and method of a private linear fit.

    Every field is on a grid.

    - ``epsilon`` is in [0.05, 20], ``delta`` in [1e-8, 1e-3].
    - ``n_samples`` and ``n_features`` are upper limits; a data set may have fewer.
    - ``clip_norm`` and ``sample_rate`` are for gradient descent.
    - ``person_dx`` and ``person_dy`` change the first feature and the target of the replaced
      record, on [-1, 1]. The new values are clipped to the bounds. By default the new record has
      the largest first feature and the smallest target.

    Examples
    --------
    >>> RegressionParams(epsilon=2.5, dataset="adult", n_features=10).to_link()
    {'dataset': 'adult', 'epsilon': '2.5', 'n_features': '10'}
    """

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        **{
            version: {"dataset": "synth1d", "n_samples": "200", "seed": "0", **_FORMER_PLACE}
            for version in ("1", "2")
        },
        "3": _FORMER_PLACE,
    }

    dataset: str = control("diabetes", choices=_DATASETS)
    epsilon: float = shared.epsilon()
    delta: float = shared.delta()
    method: str = control("joint", choices=METHODS)
    clip_norm: float = control(1.0, grid=CLIP_NORM_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(1.0, grid=(*REPLACED_RATES, 1.0))
    repair: str = control("floor1", choices=_REPAIRS)
    n_features: int = control(1, grid=FEATURES_GRID, symbol="d")
    n_samples: int = control(400, grid=SAMPLES_GRID, symbol="n")
    split: str = control("proportional", choices=_SPLITS, symbol="ε₁:ε₂")
    feature: int = control(1, low=1, high=500)
    answers: int = control(1, grid=ANSWERS, symbol="k")
    person: int = shared.person()
    record: int = shared.record()
    person_dx: float = control(2.0, grid=_MOVES)
    person_dy: float = control(-2.0, grid=_MOVES)
    seed: int = shared.seed(1)

    def following(self, before: Self) -> Self:
        """Return the parameters with those fields updated that depend on a changed field.

        ``before``: the parameters before the user's change.

        - If the data set or the rank of the selected record changed, the record's number is reset
          to 0. Number 0 selects the record by its rank.
        - If the rank or the number of the record changed, its replacement is reset to the default,
          a corner of the bounds.
        """
        ranked = (self.person, self.dataset) != (before.person, before.dataset)
        here = self.but(record=0) if ranked else self
        plain = type(self)()
        another = (here.person, here.record) != (before.person, before.record)
        corner = {name: getattr(plain, name) for name in _FORMER_PLACE}
        return here.but(**corner) if another else here

    @property
    def separate(self) -> bool:
        """Whether the method splits ε between the quadratic and the linear statistics."""
        return self.method in ("printed", "tight")

    @property
    def objective(self) -> bool:
        """Whether the method releases a noisy objective."""
        return self.method in ("printed", "tight", "joint", "gaussian")

    @property
    def stepwise(self) -> bool:
        """Whether the method is gradient descent."""
        return self.method == "descent"

    @property
    def pure(self) -> bool:
        """Whether the method is ε-DP, without δ."""
        return self.method in ("printed", "tight", "joint")


DOCUMENT: dict[str, object] = {
    "dataset": "census_synthetic",
    "method": "printed",
    "repair": "none",
    "split": "proportional",
    "n_features": 13,
    "n_samples": 296_000,
}
"""Parameters with the number of records and the method of Jiang's experiment, on synthetic census data."""


def repair_of(params: RegressionParams) -> Repair:
    """Return the repair of the noisy objective that the parameters select."""
    if params.repair.startswith("floor"):
        return Repair(kind="floor", floor=float(params.repair[-1]))
    return Repair(kind=params.repair)


_SHOWN, _RANKED = 500, 5000
_EXTRA, _KEPT = 12, 16
# What people who know the subject would name first; no look at the records is behind it.
_ORDER: dict[str, tuple[str, ...]] = {
    "diabetes": ("body mass index", "blood pressure", "blood sugar", "log triglycerides", "HDL"),
    "census_synthetic": ("years of school", "hours a week", "age", "professional", "employed"),
    "adult": ("years of school", "age", "hours a week", "married", "manager or professional"),
    "acs": ("education_level", "age", "in_workforce_5y", "female", "married_spouse_present"),
}


@dataclass(frozen=True, eq=False)
class Setting:
    """Data for one fit: the first n training records, with the selected features.

    - ``columns``: indices of the features.
    - ``train`` and ``test``: sufficient statistics on [-1, 1].
    - ``bounds``: bounds of these features and of the target.
    - ``X`` (n, p) and ``y`` (n,): all p features and the targets of the training records, not scaled.
    """

    train: SufficientStatistics
    test: SufficientStatistics
    bounds: Bounds
    columns: tuple[int, ...]
    X: Floats
    y: Floats

    @property
    def n_samples(self) -> int:
        """Number n of training records."""
        return self.train.n_samples

    @property
    def n_features(self) -> int:
        """Number d of features."""
        return len(self.columns)

    @cached_property
    def best(self) -> Floats:
        """Least squares coefficients (d + 1,) without privacy."""
        return self.train.solve()

    def scaled(self) -> tuple[Floats, Floats]:
        """Return features (n, d) and targets (n,) of all training records, scaled to [-1, 1].

        The result is not cached, since there may be many records.
        """
        return self.bounds.scale(self.X[:, list(self.columns)]), self.bounds.scale_target(self.y)

    @cached_property
    def some(self) -> tuple[Floats, Floats]:
        """Features (≤ 5000, d) and targets (≤ 5000,) of the first training records, on [-1, 1].

        The records are used for ranking and display.
        """
        rows = slice(0, _RANKED)
        X = self.bounds.scale(self.X[rows, list(self.columns)])
        return X, self.bounds.scale_target(self.y[rows])

    @cached_property
    def shown(self) -> Floats:
        """First feature and target of at most 500 records for display, (≤ 500, 2) on [-1, 1]."""
        X, y = self.some
        return np.column_stack([X[:_SHOWN, 0], y[:_SHOWN]])

    @cached_property
    def centre(self) -> Floats:
        """Mean (d + 1,) of the constant 1 and the scaled features, without noise and for display only."""
        return cast(Floats, self.train.quadratic[0] / self.n_samples)

    @property
    def guess_mse(self) -> float:
        """Test error of a constant prediction, the mean of the training targets."""
        mean = np.zeros(self.n_features + 1)
        mean[0] = self.train.linear[0] / self.n_samples
        return float(self.test.mse(mean))


@dataclass(frozen=True, eq=False)
class Problem:
    """A regression data set with its sufficient statistics, which are computed once."""

    dataset: RegressionDataset

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of all features and of the target, which count as public unless estimated from the data."""
        data = self.dataset
        return Bounds(
            low=data.low, high=data.high, target_low=data.target_low, target_high=data.target_high,
            status="estimated" if data.bounds_status == "estimated" else "public",
        )  # fmt: skip

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of all features, the relevant ones first if they are known."""
        names = self.dataset.feature_names
        first = [names.index(n) for n in _ORDER.get(self.dataset.name, ()) if n in names]
        return (*first, *(i for i in range(len(names)) if i not in first))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of training records that can be selected: grid values and the total."""
        n = len(self.dataset.y)
        return (*(size for size in SAMPLES_GRID if size < n), n)

    @cached_property
    def sums(self) -> dict[int, SufficientStatistics]:
        """Sufficient statistics of the first n training records, for every n in ``sizes``."""
        data, by_size, start = self.dataset, {}, 0
        total: SufficientStatistics | None = None
        for size in self.sizes:
            part = sufficient_statistics(data.X[start:size], data.y[start:size], bounds=self.bounds)
            total = part if total is None else _added(total, part)
            by_size[size], start = total, size
        return by_size

    @cached_property
    def test(self) -> SufficientStatistics:
        """Sufficient statistics of the test records."""
        return sufficient_statistics(self.dataset.X_test, self.dataset.y_test, bounds=self.bounds)

    def columns(self, params: RegressionParams) -> tuple[int, ...]:
        """Return the indices of the selected features.

        The feature on the horizontal axis comes first. The others follow in the order of `order`.
        """
        first = self.order[min(params.feature, len(self.order)) - 1]
        rest = [i for i in self.order if i != first]
        return (first, *rest)[: params.n_features]

    def size(self, params: RegressionParams) -> int:
        """Return the number of training records used with these parameters."""
        return max(size for size in self.sizes if size <= max(params.n_samples, self.sizes[0]))

    def setting(self, params: RegressionParams) -> Setting:
        """Return the records and sufficient statistics that the parameters select."""
        key = self.columns(params), self.size(params)
        with self._lock:
            setting = self._settings.pop(key, None) or self._chosen(*key)
            self._settings[key] = setting
            if len(self._settings) > _KEPT:
                del self._settings[next(iter(self._settings))]
        return setting

    @cached_property
    def _settings(self) -> dict[tuple[tuple[int, ...], int], Setting]:
        """Cache of the most recent `Setting` objects, by features and number of records."""
        return {}

    @cached_property
    def _lock(self) -> LockType:
        return Lock()

    def _chosen(self, columns: tuple[int, ...], n: int) -> Setting:
        data = self.dataset
        chosen = list(columns)
        return Setting(
            train=_chosen(self.sums[n], columns), test=_chosen(self.test, columns),
            bounds=replace(self.bounds, low=data.low[chosen], high=data.high[chosen]),
            columns=columns, X=data.X[:n], y=data.y[:n],
        )  # fmt: skip


def _added(a: SufficientStatistics, b: SufficientStatistics) -> SufficientStatistics:
    return SufficientStatistics(
        quadratic=a.quadratic + b.quadratic,
        linear=a.linear + b.linear,
        target_square=a.target_square + b.target_square,
        n_samples=a.n_samples + b.n_samples,
    )


def _chosen(sums: SufficientStatistics, columns: tuple[int, ...]) -> SufficientStatistics:
    keep = np.array([0, *(i + 1 for i in columns)])
    return replace(sums, quadratic=sums.quadratic[np.ix_(keep, keep)], linear=sums.linear[keep])


@lru_cache(maxsize=3)
def named_problem(name: str) -> Problem:
    """Return the regression problem of the data set with this name; results are cached."""
    if name != "synth1d":
        problem = Problem(load_regression(name))
    else:
        problem = Problem(_with_idle(load_regression(name, n_samples=370_000)))
    problem.sums, problem.test  # noqa: B018  (the one pass over the records)
    return problem


def _with_idle(data: RegressionDataset) -> RegressionDataset:
    """Return the synthetic data with additional features that are independent of the target.

    These features do not improve a fit, but more features need more noise.
    """
    rng = np.random.default_rng(1)
    idle = [rng.uniform(-1, 1, (len(part), _EXTRA)) for part in (data.X, data.X_test)]
    ends = np.ones(1 + _EXTRA)
    names = (*data.feature_names, *(f"idle {k + 1}" for k in range(_EXTRA)))
    return replace(
        data, X=np.hstack([data.X, idle[0]]), X_test=np.hstack([data.X_test, idle[1]]),
        low=-ends, high=ends, feature_names=names,
    )  # fmt: skip
