"""Parameters and learning problems of the Choose ε page: a table with its task and groups, and synthetic tables.

Synthetic tables have the declared facts of a user's table.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import Dataset, RegressionDataset, load, load_regression, regression_names
from dpcore.datasets.own_table import Groups, OwnTable
from dpcore.experiments import grids, shared
from dpcore.experiments.params import Params, control
from dpcore.regression import Bounds, SufficientStatistics, sufficient_statistics
from dpcore.units import Unit

__all__ = [
    "CLASSIFIERS",
    "GOAL_GRID",
    "N_LOOKALIKES",
    "REGRESSORS",
    "RELEASES_GRID",
    "TABLES_GRID",
    "YEARS_GRID",
    "ChooseParams",
    "Problem",
    "lookalike",
    "named_problem",
]

Floats = NDArray[np.float64]
_MOST_TRAINING, _MOST_TEST = 20_000, 2_000
_FEW_VALUES = 6

CLASSIFIERS: dict[str, str] = {
    "softmax": "DP-SGD, logistic",
    "generator": "invented data",
    "glvq": "DP-GLVQ",
    "gmlvq": "DP-GMLVQ",
    "network": "DP-SGD, one hidden layer",
    "hulls": "affine hulls",
}
"""Displayed names of the compared classifiers, in the order in which they are run."""
REGRESSORS: dict[str, str] = {
    "joint": "noisy objective, repaired",
    "gaussian": "noisy sums",
    "adassp": "AdaSSP",
    "output": "noise on the result",
    "descent": "DP gradient descent",
}
LABELS_OPEN = ("hulls",)
"""Methods that do not protect the classes of records; they cannot become the best method."""
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
    """Return the canonical text "ε/method" of a second choice of ε and method for comparison, or "" if there is none.

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
    - ``least``: number of test records that a group needs to be displayed.
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
        """Parameters of the second choice, which is compared with the present one.

        None if there is no second choice.
        """
        if not self.pinned:
            return None
        epsilon, method = self.pinned.split("/")
        return self.but(epsilon=float(epsilon), method=method, pinned="")

    @property
    def n_releases(self) -> int:
        """Number of planned results about the same records: results per year × years × tables."""
        return self.releases * self.years * self.tables

    def with_pin(self) -> ChooseParams:
        """Return the parameters with the present ε and method as the second choice."""
        return self.but(pinned=f"{self.epsilon:g}/{self.method}")

    def chosen(self, methods: tuple[str, ...]) -> str:
        """Return the selected method, or "best" if it is not in ``methods``.

        ``methods``: the methods that fit the task.
        """
        return self.method if self.method in methods else "best"


@dataclass(frozen=True, eq=False)
class Problem:
    """A data set scaled to [-1, 1] by its bounds.

    It has at most 20,000 training and 2,000 test records. The number of records n, the bounds and
    the list of classes count as public. For embedded data sets they are part of the data set's
    definition.

    - ``declared_groups``: groups of records by a column that is not used for learning, but to compare
      errors.
    - ``own``: the user's table, or None for other data.
    """

    dataset: Dataset | RegressionDataset
    declared_groups: Groups | None = None
    own: OwnTable[Any] | None = field(default=None, repr=False)

    @property
    def classifies(self) -> bool:
        """Whether the task is classification; otherwise it is regression."""
        return isinstance(self.dataset, Dataset)

    @property
    def is_own(self) -> bool:
        """Whether the records are from a user's table."""
        return self.dataset.name == "own"

    @property
    def is_synthetic(self) -> bool:
        """Whether the records are generated from the declared facts of a table."""
        return self.dataset.name == "lookalike"

    @property
    def methods(self) -> tuple[str, ...]:
        """Keys of the methods that fit the task."""
        return tuple(CLASSIFIERS if self.classifies else REGRESSORS)

    @property
    def names(self) -> dict[str, str]:
        """Display name of each method that fits the task, by key."""
        return CLASSIFIERS if self.classifies else REGRESSORS

    @property
    def records(self) -> str:
        """Plural noun for the records, such as "people" or "bottles"."""
        return self.dataset.records

    @property
    def unit(self) -> Unit:
        """Privacy unit: what one record is, and how many records one person may have."""
        return self.dataset.unit

    @property
    def n_samples(self) -> int:
        """Number of training records."""
        return len(self.y)

    @property
    def n_features(self) -> int:
        """Number of feature columns."""
        return int(self.dataset.X.shape[1])

    @property
    def n_declared(self) -> int:
        """Declared number of training records, at most 20,000."""
        return min(self.dataset.n_declared, _MOST_TRAINING)

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of features and target.

        The labels of k classes are treated as targets from 0 to k - 1.
        """
        data = self.dataset
        ends = (
            (data.target_low, data.target_high)
            if isinstance(data, RegressionDataset)
            else (0.0, float(len(data.classes) - 1))
        )
        status = "estimated" if data.bounds_status == "estimated" else "public"
        return Bounds(
            low=data.low, high=data.high, target_low=ends[0], target_high=ends[1],
            status=cast(Any, status),
        )  # fmt: skip

    @cached_property
    def X(self) -> Floats:
        """Training records (n, d) on [-1, 1]."""
        return self.bounds.scale(self.dataset.X[:_MOST_TRAINING])

    @property
    def y(self) -> NDArray[Any]:
        """Classes or targets (n,) of the training records; targets are not scaled."""
        return np.asarray(self.dataset.y[:_MOST_TRAINING])

    @cached_property
    def X_test(self) -> Floats:
        """Test records (m, d) on [-1, 1]."""
        return self.bounds.scale(self.dataset.X_test[:_MOST_TEST])

    @property
    def y_test(self) -> NDArray[Any]:
        """Classes or targets (m,) of the test records."""
        return self.dataset.y_test[:_MOST_TEST]

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 for regression."""
        return len(self.dataset.classes) if isinstance(self.dataset, Dataset) else 0

    @cached_property
    def sums(self) -> SufficientStatistics:
        """Sufficient statistics of linear regression on the training records."""
        return sufficient_statistics(self.dataset.X[: self.n_samples], self.y, bounds=self.bounds)

    def losses(self, predicted: NDArray[Any]) -> Floats:
        """Return the loss (..., m) of each prediction for the m test records.

        The loss is the 0-1 loss for classes, and the squared error for targets, which are not scaled.
        """
        if self.classifies:
            return np.asarray(predicted != self.y_test, float)
        ends = self.bounds.target_low, self.bounds.target_high
        return cast(Floats, np.square(np.clip(predicted, *ends) - self.y_test))

    def typical(self, mean_loss: Any) -> Any:
        """Return the error to display, computed from a mean loss.

        For classification it is the fraction of mistakes, for regression the root mean squared
        error.
        """
        return mean_loss if self.classifies else np.sqrt(mean_loss)

    @cached_property
    def trivial(self) -> float:
        """Error of a constant prediction: the most frequent class, or the mean."""
        if self.classifies:
            answer: float = float(np.bincount(self.y).argmax())
        else:
            answer = float(np.mean(self.y))
        return float(self.typical(self.losses(np.full(len(self.y_test), answer)).mean()))

    @cached_property
    def best_losses(self) -> Floats:
        """Losses (m,) of a model without privacy on the m test records, as a baseline.

        The model is least squares for regression. For classification it is the better one of
        logistic regression and GLVQ.
        """
        if not self.classifies:
            return self.losses(self._least_squares())
        from sklearn.linear_model import LogisticRegression

        from dpcore.lvq import GLVQ

        logistic = LogisticRegression(max_iter=300).fit(self.X, self.y)
        prototypes = GLVQ(prototypes_per_class=2, solver="lbfgs", random_state=0)
        models = [logistic, prototypes.fit(self.X.astype(np.float32), self.y)]
        return min((self.losses(m.predict(self.X_test)) for m in models), key=lambda x: x.mean())

    def _least_squares(self) -> Floats:
        rows = np.column_stack([np.ones(len(self.X_test)), self.X_test])
        return self.bounds.unscale_target(rows @ self.sums.solve())

    @property
    def best(self) -> float:
        """Error on the test records without privacy, see `best_losses`."""
        return float(self.typical(self.best_losses.mean()))

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns by which records can be grouped, the default first."""
        own = (self.declared_groups.name,) if self.declared_groups else ()
        first = (*own, "their class") if self.classifies else own
        return (*first, *self.dataset.feature_names)[:501]

    def groups(self, number: int, least: int = 1) -> list[tuple[str, NDArray[np.bool_]]]:
        """Return the name and a mask (m,) of the members of every group of test records by a column.

        ``number``: index in `columns`; an index that is too large means the last column. Groups are by
        class, or by value if a column has few values. Other columns are divided at the middle of their
        bounds.

        Groups with fewer than ``least`` members are omitted. If the omitted groups have fewer than
        ``least`` members in total, the smallest of the other groups is omitted too. Otherwise the
        result of a small group could be computed as a difference.
        """
        groups = sorted(self._groups(number), key=lambda group: int(group[1].sum()))
        hidden, left_out = 0, 0
        for _, members in groups:
            size = int(members.sum())
            if size >= least and not 0 < hidden < least:
                break
            hidden, left_out = hidden + size, left_out + 1
        names = {name for name, _ in groups[left_out:]}
        return [group for group in self._groups(number) if group[0] in names]

    def _groups(self, number: int) -> list[tuple[str, NDArray[np.bool_]]]:
        data, own = self.dataset, self.declared_groups
        number = min(number, len(self.columns()) - 1)
        if own and number == 0:
            groups = [
                (f"{own.name} {name}", own.test[:_MOST_TEST] == k)
                for k, name in enumerate(own.names)
            ]
            return [(name, members) for name, members in groups if members.any()]
        number -= own is not None
        if isinstance(data, Dataset) and number == 0:
            groups = [(name, self.y_test == k) for k, name in enumerate(data.classes)]
        else:
            groups = self._by_column(number - self.classifies)
        return [(name, members) for name, members in groups if members.any()]

    def _by_column(self, k: int) -> list[tuple[str, NDArray[np.bool_]]]:
        values, name = self.dataset.X_test[:_MOST_TEST, k], self.dataset.feature_names[k]
        known = np.unique(self.dataset.X[:, k])
        if len(known) <= _FEW_VALUES:
            return [(f"{name} {value:g}", values == value) for value in known]
        middle = float(self.bounds.low[k] + self.bounds.high[k]) / 2
        return [
            (f"{name} below {middle:g}", values < middle),
            (f"{name} from {middle:g}", values >= middle),
        ]


@lru_cache(maxsize=8)
def named_problem(name: str) -> Problem:
    """Return the problem of the data set with this name; results are cached."""
    if name in regression_names():
        size = 30_000 if name == "census_synthetic" else None
        return Problem(load_regression(name, n_samples=size))
    return Problem(load(name))


N_LOOKALIKES = 3
"""Number of synthetic tables on which methods are compared."""
_MOST_MADE, _TESTED = 5_000, 500
_SPREAD, _SHARPNESS, _SCATTER = 0.5, 2.0, 0.15


def lookalike(problem: Problem, number: int) -> Problem:
    """Return synthetic data with the declared facts of a problem; the problem's records are not read.

    Features are normal with standard deviation ½, clipped to [-1, 1]^d. For classification a record
    has k random linear scores plus Gumbel noise, one score per class. Its class is the one with the
    largest score. For regression the target is a random linear score plus normal noise. Each
    ``number`` gives different scores.

    Parameters
    ----------
    problem : Problem
        Source of the declared facts: number of columns, bounds, classes or range of the target,
        unit, and number of records. At most 5000 records are generated.
    number : int
        Index of the table. The same index and facts give the same records.

    Returns
    -------
    Problem
        Training records, and 500 more for testing.
    """
    data, d = problem.dataset, problem.n_features
    n = min(problem.n_declared, _MOST_MADE)
    rng = np.random.default_rng((number, 12, d, n, problem.n_classes))
    inside = np.clip(_SPREAD * rng.standard_normal((n + _TESTED, d)), -1, 1)
    y: NDArray[Any]
    if isinstance(data, Dataset):
        weights = rng.standard_normal((d, problem.n_classes))
        scores = inside @ weights / (_SPREAD * np.linalg.norm(weights, axis=0))
        y = (_SHARPNESS * scores + rng.gumbel(size=scores.shape) / 2).argmax(axis=1)
        # Every declared class has a record in both parts, as a method may ask.
        y[: problem.n_classes] = y[n : n + problem.n_classes] = np.arange(problem.n_classes)
    else:
        weights = rng.standard_normal(d)
        line = _SPREAD * inside @ weights / np.linalg.norm(weights)
        targets = np.clip(line + _SCATTER * rng.standard_normal(n + _TESTED), -1, 1)
        y = problem.bounds.unscale_target(targets)
    X = data.low + (inside + 1) / 2 * (data.high - data.low)
    parts = {"X": X[:n], "y": y[:n], "X_test": X[n:], "y_test": y[n:]}
    facts = {
        "name": "lookalike", "title": "Made-up data", "source": "made up",
        "description": "Made up from declared facts.",
    }  # fmt: skip
    return Problem(replace(cast(Any, data), **parts, **facts), own=problem.own)
