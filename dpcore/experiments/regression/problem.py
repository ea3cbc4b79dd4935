"""The parameters of the linear regression experiment, and its data.

Sufficient statistics are precomputed for every number of records n, and for any choice of features.
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
    """Data set, features, number of records, privacy parameters and method of a private linear fit.

    Every field is on a grid: ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3]. ``n_samples``
    and ``n_features`` are upper limits if the data set has fewer. ``clip_norm`` and ``sample_rate``
    are those of gradient descent. ``person_dx`` and ``person_dy`` are how far, on [-1, 1], the
    replaced record lies from the person's own; the bounds cut it, so that the defaults lead to the
    corner of the largest feature and the smallest target for everybody.

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
        """Return the parameters after a change from ``before``, with the choice of the record made consistent.

        If the rank or the data set was changed, the record's number is reset to 0: the rank
        applies. If the record differs from before, its replacement is reset to the default, a
        corner of the bounds.
        """
        ranked = (self.person, self.dataset) != (before.person, before.dataset)
        here = self.but(record=0) if ranked else self
        plain = type(self)()
        another = (here.person, here.record) != (before.person, before.record)
        corner = {name: getattr(plain, name) for name in _FORMER_PLACE}
        return here.but(**corner) if another else here

    @property
    def separate(self) -> bool:
        """Whether ε is split between two releases, of the quadratic and of the linear statistics."""
        return self.method in ("printed", "tight")

    @property
    def objective(self) -> bool:
        """Whether the method releases a noisy objective, which then may need a repair."""
        return self.method in ("printed", "tight", "joint", "gaussian")

    @property
    def stepwise(self) -> bool:
        """Whether the method is gradient descent, so that clipping norm and sampling rate have an effect."""
        return self.method == "descent"

    @property
    def pure(self) -> bool:
        """Whether the method is ε-DP, so that δ has no effect."""
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
    """The data of one fit: the first n records, with the features in ``columns``.

    ``train`` and ``test``: sufficient statistics on [-1, 1]; ``bounds``: bounds of the chosen
    columns; ``X`` (n, d) and ``y`` (n,): views of the training records in their own units.
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
        """Coefficients by least squares without privacy, (d + 1,)."""
        return self.train.solve()

    def scaled(self) -> tuple[Floats, Floats]:
        """Return all training records on [-1, 1], (n, d) and (n,); not cached, since there may be many."""
        return self.bounds.scale(self.X[:, list(self.columns)]), self.bounds.scale_target(self.y)

    @cached_property
    def some(self) -> tuple[Floats, Floats]:
        """The first 5000 training records (or all) on [-1, 1], (≤ 5000, d) and (≤ 5000,), for ranking and display."""
        rows = slice(0, _RANKED)
        X = self.bounds.scale(self.X[rows, list(self.columns)])
        return X, self.bounds.scale_target(self.y[rows])

    @cached_property
    def shown(self) -> Floats:
        """At most 500 records to display, as (first feature, target) on [-1, 1], (≤ 500, 2)."""
        X, y = self.some
        return np.column_stack([X[:_SHOWN, 0], y[:_SHOWN]])

    @cached_property
    def centre(self) -> Floats:
        """Mean of the constant 1 and of the scaled features, (d + 1,); for display, not released."""
        return cast(Floats, self.train.quadratic[0] / self.n_samples)

    @property
    def guess_mse(self) -> float:
        """Test error of predicting the mean of the training targets for every record."""
        mean = np.zeros(self.n_features + 1)
        mean[0] = self.train.linear[0] / self.n_samples
        return float(self.test.mse(mean))


@dataclass(frozen=True, eq=False)
class Problem:
    """A regression data set with its sufficient statistics, which are computed once."""

    dataset: RegressionDataset

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of all features and of the target; they count as public unless they are estimated from the data."""
        data = self.dataset
        return Bounds(
            low=data.low, high=data.high, target_low=data.target_low, target_high=data.target_high,
            status="estimated" if data.bounds_status == "estimated" else "public",
        )  # fmt: skip

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of all features, beginning with those known to be relevant for the data set."""
        names = self.dataset.feature_names
        first = [names.index(n) for n in _ORDER.get(self.dataset.name, ()) if n in names]
        return (*first, *(i for i in range(len(names)) if i not in first))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of training records that can be selected: values of the grid, and all records."""
        n = len(self.dataset.y)
        return (*(size for size in SAMPLES_GRID if size < n), n)

    @cached_property
    def sums(self) -> dict[int, SufficientStatistics]:
        """Sufficient statistics of the first n training records, for every n in ``sizes``."""
        data, by_size, start = self.dataset, {}, 0
        total: SufficientStatistics | None = None
        for size in self.sizes:
            part = sufficient_statistics(data.X[start:size], data.y[start:size], self.bounds)
            total = part if total is None else _added(total, part)
            by_size[size], start = total, size
        return by_size

    @cached_property
    def test(self) -> SufficientStatistics:
        """Sufficient statistics of the test records."""
        return sufficient_statistics(self.dataset.X_test, self.dataset.y_test, self.bounds)

    def columns(self, params: RegressionParams) -> tuple[int, ...]:
        """Return the indices of the features used: the one on the horizontal axis, then others by `order`."""
        first = self.order[min(params.feature, len(self.order)) - 1]
        rest = [i for i in self.order if i != first]
        return (first, *rest)[: params.n_features]

    def size(self, params: RegressionParams) -> int:
        """Return the number of training records used with these parameters."""
        return max(size for size in self.sizes if size <= max(params.n_samples, self.sizes[0]))

    def setting(self, params: RegressionParams) -> Setting:
        """Return the records and sufficient statistics that the parameters select, without reading the data again."""
        key = self.columns(params), self.size(params)
        with self._lock:
            setting = self._settings.pop(key, None) or self._chosen(*key)
            self._settings[key] = setting
            if len(self._settings) > _KEPT:
                del self._settings[next(iter(self._settings))]
        return setting

    @cached_property
    def _settings(self) -> dict[tuple[tuple[int, ...], int], Setting]:
        """Cache of the most recent `Setting` objects, by their features and number of records."""
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
    """Return the problem of the data set with this name, with its sufficient statistics; results are cached."""
    if name != "synth1d":
        problem = Problem(load_regression(name))
    else:
        problem = Problem(_with_idle(load_regression(name, n_samples=370_000)))
    problem.sums, problem.test  # noqa: B018  (the one pass over the records)
    return problem


def _with_idle(data: RegressionDataset) -> RegressionDataset:
    """Return the synthetic data with further features that are independent of the target.

    The further features do not improve a fit, but add to the noise that privacy needs.
    """
    rng = np.random.default_rng(1)
    idle = [rng.uniform(-1, 1, (len(part), _EXTRA)) for part in (data.X, data.X_test)]
    ends = np.ones(1 + _EXTRA)
    names = (*data.feature_names, *(f"idle {k + 1}" for k in range(_EXTRA)))
    return replace(
        data, X=np.hstack([data.X, idle[0]]), X_test=np.hstack([data.X_test, idle[1]]),
        low=-ends, high=ends, feature_names=names,
    )  # fmt: skip
