"""Composition of several results, success of attacks on one result, and published uses of differential privacy.

``python -m dpcore.experiments.choose.releases`` recreates ``laplace_table.npz`` (about three
minutes).
"""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, ndtr

from dpcore import _checks, audit
from dpcore._memoize import ACCOUNTS
from dpcore.accounting import LaplaceEvent, Repeated, pld, spent
from dpcore.accounting import Sequence as Sequential
from dpcore.experiments.choose import estimators
from dpcore.experiments.choose.costs import NODES, between
from dpcore.experiments.choose.estimators import method_event, signal
from dpcore.experiments.choose.problem import (
    RELEASES_GRID,
    TABLES_GRID,
    YEARS_GRID,
    ChooseParams,
    Problem,
)
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms.calibration import gaussian_epsilons
from dpcore.regression import sensitivity

__all__ = [
    "COUNTS",
    "MODELS_ATTACKED",
    "ONES",
    "RHO_DELTA",
    "Deployment",
    "best_attack",
    "deployments",
    "each_may_cost",
    "epsilon_of_rho",
    "groups",
    "hulls_together",
    "laplace_table",
    "sees_model",
    "signals",
    "together",
]

Floats = NDArray[np.float64]
COUNTS: tuple[int, ...] = tuple(
    sorted({a * b * c for a in RELEASES_GRID for b in YEARS_GRID for c in TABLES_GRID})
)
"""Numbers of results that the controls can request: products of releases per year, years and tables."""
_BELOW = np.geomspace(2e-5, EPSILON_GRID[0], 31)[:-1]
ONES: tuple[float, ...] = (*map(float, _BELOW), *EPSILON_GRID)
"""Values of ε for one result: the slider's values, and smaller values that many results together may need."""
_FILE = Path(__file__).with_name("laplace_table.npz")


@lru_cache(maxsize=1)
def laplace_table() -> Floats:
    """Return the precomputed total ε at δ of k Laplace mechanisms of ε₁ each.

    Axes: δ in `DELTA_GRID`, k in `COUNTS`, ε₁ in `ONES`.
    """
    with np.load(_FILE) as file:
        table: Floats = file["epsilon"].astype(float)
    table.setflags(write=False)
    return table


def _make() -> None:
    from dpcore.accounting import LaplaceEvent, Repeated, spent

    rows = np.array(
        [
            [[spent(Repeated(LaplaceEvent(1 / one), k), delta) for one in ONES] for k in COUNTS]
            for delta in DELTA_GRID
        ]
    )
    rounded = rows.astype(np.float32)
    np.savez_compressed(
        _FILE, epsilon=np.where(rounded < rows, np.nextafter(rounded, np.float32(np.inf)), rounded)
    )


Methods = Sequence[str | None]
_MARGIN = 0.998  # between the nodes of the table an inverse is a straight line in logarithms


def together(problem: Problem, methods: Methods, delta: float, n_releases: Iterable[int]) -> Floats:
    """Return the total ε (K, 50) at δ of k results that each have an ε of the grid, for K numbers k.

    All k results have the same ε, and the method that ``methods`` names for this ε.

    - For Gaussian noise the total is exact: k results with noise σ are equivalent to one result
      with noise σ/√k.
    - For Laplace noise it is computed from the privacy loss distribution and rounded up.
    - It is NaN if the method is None or affine hulls; for affine hulls see `hulls_together`.

    Parameters
    ----------
    problem : Problem
        The learning problem.
    methods : sequence of 50 str or None
        The method at each ε of `EPSILON_GRID`.
    delta : float
        δ of `DELTA_GRID`.
    n_releases : iterable of int
        The numbers k of results, each in `COUNTS`.

    Examples
    --------
    >>> from dpcore.experiments.choose import named_problem
    >>> problem, at = named_problem("diabetes"), EPSILON_GRID.index(1.0)
    >>> for name in ("gaussian", "joint"):
    ...     print(name, round(float(together(problem, [name] * 50, 1e-5, [12])[0, at]), 2))
    gaussian 4.02
    joint 11.96
    """
    counts = np.array(list(n_releases))
    mu, names = signals(problem, methods, delta), np.array([name or "" for name in methods])
    epsilons = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        epsilons[:, gaussian] = gaussian_epsilons(1 / (mu[gaussian] * _root(counts)), delta)
    rows = laplace_table()[DELTA_GRID.index(delta)][[COUNTS.index(k) for k in counts]]
    laplace = names == "joint"
    epsilons[:, laplace] = rows[:, len(ONES) - len(EPSILON_GRID) :][:, laplace]
    return epsilons


def each_may_cost(
    problem: Problem, methods: Methods, delta: float, n_releases: Iterable[int]
) -> Floats:
    """Return the ε (K, 50) that each of k results may have if all k together are to be (ε, δ)-DP.

    There is a row for each of the K numbers k in ``n_releases``, and a column for each total ε of
    the grid. The function is the inverse of `together`, rounded down: exact for Gaussian noise, and
    within 0.5 % for Laplace noise. The result is NaN if the method is None or affine hulls.
    """
    counts = np.array(list(n_releases))
    mu, names = signals(problem, methods, delta), np.array([name or "" for name in methods])
    epsilons = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        epsilons[:, gaussian] = gaussian_epsilons(_root(counts) / mu[gaussian], delta)
    table, grid = laplace_table()[DELTA_GRID.index(delta)], np.array(EPSILON_GRID)
    laplace = names == "joint"
    for row, k in enumerate(counts):
        totals = np.maximum(table[COUNTS.index(k)], 1e-12)  # 0 where δ alone is enough
        inverse = _MARGIN * np.exp(np.interp(np.log(grid), np.log(totals), np.log(ONES)))
        epsilons[row, laplace] = np.maximum(inverse, grid / k)[laplace]
    return epsilons


def signals(problem: Problem, methods: Methods, delta: float) -> Floats:
    """Return the distance (50,) by which replacing a record shifts a method's Gaussian releases, at each ε.

    The unit is the standard deviation of the noise, see `signal`. ``methods`` has the method at
    each ε. The distance is NaN if there is no method or its noise is not Gaussian.
    """
    values = [
        _signal(problem, name, e, delta) for name, e in zip(methods, EPSILON_GRID, strict=True)
    ]
    return np.array([np.nan if one is None else one for one in values])


def _signal(problem: Problem, method: str | None, epsilon: float, delta: float) -> float | None:
    if method in (None, "joint", "hulls"):
        return None
    return signal(method_event(problem, str(method), epsilon, delta))


def hulls_together(
    problem: Problem, delta: float, n_releases: int, check: Callable[[], None] = lambda: None
) -> Floats:
    """Return the total ε (50,) at δ of k affine-hull results that each have an ε of the grid.

    k is ``n_releases``. The computation takes some seconds.
    """
    epsilons = []
    for epsilon in EPSILON_GRID:
        check()
        event = Repeated(method_event(problem, "hulls", epsilon, delta), n_releases)
        epsilons.append(spent(event, delta, neighbouring="replace_one"))
    return np.array(epsilons)


def _root(counts: NDArray[np.int64]) -> Floats:
    return np.asarray(np.sqrt(counts.astype(float))[:, None])


RHO_DELTA = 1e-10
"""The δ at which a published ρ is converted to ε."""
MODELS = ("central", "local", "shuffled")
MEASURES = ("epsilon", "rho", "ceiling")


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """One published use of differential privacy.

    The privacy parameter is between ``low`` and ``high``. ``measure`` says what it is: ε ("epsilon"), ρ
    ("rho"), or an upper limit on ε that need not be spent ("ceiling"). It is for one ``period`` and the
    data of one ``unit``, such as a person.
    """

    name: str
    year: int
    model: str
    unit: str
    period: str
    low: float
    high: float
    delta: float | None
    measure: str
    caution: str
    source: str

    def __post_init__(self) -> None:
        _checks.one_of("model", self.model, MODELS)
        _checks.one_of("measure", self.measure, MEASURES)
        _checks.number("low", self.low, low=0, high=self.high, open_low=True)
        if not (self.name and self.unit and self.period and self.source):
            raise ValueError(f"{self.name!r} is not allowed: give name, unit, period and source.")

    @property
    def on_axis(self) -> tuple[float, float]:
        """Lower and upper end of the privacy parameter, converted to ε."""
        if self.measure != "rho":
            return self.low, self.high
        return epsilon_of_rho(self.low), epsilon_of_rho(self.high)


@lru_cache(maxsize=1)
def deployments() -> tuple[Deployment, ...]:
    """Return all published uses from ``deployments.csv``.

    Raises
    ------
    ValueError
        When a row is not complete.
    """
    text = resources.files(__package__).joinpath("deployments.csv").read_text("utf-8")
    return tuple(
        Deployment(
            name=row["name"], year=int(row["year"]), model=row["model"], unit=row["unit"],
            period=row["period"], low=float(row["low"]), high=float(row["high"]),
            delta=float(row["delta"]) if row["delta"] else None, measure=row["measure"],
            caution=row["caution"], source=row["source"],
        )
        for row in csv.DictReader(text.splitlines())
    )  # fmt: skip


def groups() -> dict[tuple[str, str, str], list[Deployment]]:
    """Return the published uses by (unit, period, model), in order of the year."""
    by_model: dict[tuple[str, str, str], list[Deployment]] = {}
    for row in sorted(deployments(), key=lambda one: (one.period, one.unit, one.model, one.year)):
        by_model.setdefault((row.unit, row.period, row.model), []).append(row)
    return by_model


def epsilon_of_rho(rho: float, delta: float = RHO_DELTA) -> float:
    """Return the ε at δ that ρ-zCDP implies.

    It is the minimum over α > 1 of ρα + ln(1/(αδ))/(α - 1) + ln(1 - 1/α).

    References
    ----------
    C. L. Canonne, G. Kamath and T. Steinke, "The discrete Gaussian for differential privacy", NeurIPS,
    2020.

    Examples
    --------
    >>> round(epsilon_of_rho(2.56), 2)
    17.16
    """
    r, d = _checks.number("rho", rho, low=0, open_low=True), _checks.delta(delta)

    def bound(log_gap: float) -> float:
        a = 1 + math.exp(log_gap)
        return r * a + math.log(1 / (a * d)) / (a - 1) + math.log1p(-1 / a)

    return float(minimize_scalar(bound, bounds=(-7.0, 9.0), method="bounded").fun)


if __name__ == "__main__":
    _make()


MODELS_ATTACKED = 8


def best_attack(problem: Problem, methods: Sequence[str | None], delta: float) -> Floats:
    """Return the accuracy (50,) of the best known attack on a result at each ε.

    The attacker knows all records except one, and knows that this record is one of two equally likely
    records. The attacker sees every number to which noise was added, and guesses the likelier record
    (Neyman and Pearson). The accuracy is (1 + V)/2, with V the total variation distance between the
    releases of the two neighbouring data sets. No attack has a higher accuracy on this pair of data
    sets. Other pairs may allow a higher accuracy. The pairs are:

    - Steps of descent and of learning vector quantization: two records with opposite gradients, whose
      norms are the clipping norm. The accuracy is Φ(μ/2) with μ = 2/σ over all steps, the highest
      accuracy that any attack can have with this noise.
    - The generator: two records of different classes, with vectors whose norms are the clipping norm.
      The accuracy is Φ(μ/√8).
    - Noisy objective, sums and AdaSSP (without its noisy eigenvalue): the best of the pairs that
      ``_shifts`` lists, whose values are ends or middles of the public bounds.
    - Affine hulls: every value of the record changes from one end of its range to the other. The
      accuracy is exact.
    - Output perturbation: NaN, since no known pair of data sets has results that differ by the
      proved sensitivity.

    Parameters
    ----------
    problem : Problem
        The learning problem; only its number of features matters.
    methods : sequence of 50 str or None
        The method at each ε of `EPSILON_GRID`; None gives NaN.
    delta : float
        δ in (0, 1).

    Examples
    --------
    >>> from dpcore.experiments.choose import named_problem
    >>> found = best_attack(named_problem("iris"), ["softmax"] * 50, 1e-5)
    >>> round(float(found[EPSILON_GRID.index(1.0)]), 4)
    0.5533
    """
    mu, accuracies = signals(problem, methods, delta), np.full(len(EPSILON_GRID), np.nan)
    d = problem.n_features
    for at, name in enumerate(methods):
        if name in _REACHED:
            accuracies[at] = ndtr(mu[at] * _REACHED[name] / 2)
        elif name in ("gaussian", "adassp"):
            accuracies[at] = ndtr(mu[at] * _corner_share(name, d) / 2)
        elif name in ("joint", "hulls"):
            accuracies[at] = _laplace_attack(name, d, delta)[at]
    return accuracies


_REACHED = {
    "softmax": 1.0, "network": 1.0, "glvq": 1.0, "gmlvq": 1.0, "descent": 1.0, "generator": math.sqrt(0.5),
}  # fmt: skip
"""L2 distance between the releases of the worst known neighbours, divided by its proved bound, by method."""


@lru_cache(maxsize=256)
def _corner_share(method: str, n_features: int) -> float:
    """Return the largest known L2 distance between statistics of neighbours, divided by its proved bound.

    The proved bound is the sensitivity to which the noise is scaled, so the ratio is at most 1.
    """
    reach = []
    for A, c in _shifts(n_features):
        diagonal, above = np.square(np.diag(A)).sum(), np.square(np.triu(A, 1)).sum()
        linear = np.square(c).sum()
        if method == "gaussian":
            reach.append((diagonal + 2 * above + 2 * linear) / sensitivity.svec(n_features) ** 2)
        else:  # three Gaussians of equal weight: A at √2 B², c at 2B, B² = d + 1
            B2 = n_features + 1
            reach.append(((diagonal + above) / (2 * B2**2) + linear / (4 * B2)) / 3)
    return math.sqrt(max(reach))


def _shifts(n_features: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield the changes of the statistics Σxxᵀ and Σyx when one record replaces another.

    x are the features of a record with the constant 1 in front, and y is its target. The replaced
    record has all entries 1. The new record has entries 1, 0 or -1.
    """
    x = np.ones(n_features + 1)
    for flipped in range(n_features + 1):
        for value, y in itertools.product((-1.0, 0.0), (1.0, -1.0)):
            z = x.copy()
            z[1 : flipped + 1] = value
            yield np.outer(x, x) - np.outer(z, z), x - y * z


@ACCOUNTS.of
def _laplace_attack(method: str, n_features: int, delta: float) -> Floats:
    """Return the accuracy (50,) of the best known attack on a method's Laplace noise, at every ε of the grid.

    The accuracy is exact at `NODES` and interpolated monotonically between them.
    """
    at_nodes = [_at_node(method, n_features, epsilon, delta) for epsilon in NODES]
    curve = PchipInterpolator(np.log(NODES), at_nodes)
    return cast(Floats, np.clip(curve(np.log(EPSILON_GRID)), 0.5, 1.0))


def _at_node(method: str, n_features: int, epsilon: float, delta: float) -> float:
    if method == "hulls":
        one = estimators.element_epsilon(epsilon, n_features, delta)
        return _right_on({one: n_features})
    shifts = [
        np.abs(np.concatenate([A[np.triu_indices(n_features + 1)], c]))
        for A, c in _shifts(n_features)
    ]
    # The pair that moves the sums farthest in either norm: the first for little noise, the second for much.
    farthest = (max(shifts, key=np.sum), max(shifts, key=lambda moved: float(moved @ moved)))
    return max(_right_on(_in_scales(moved, n_features, epsilon)) for moved in farthest)


def _in_scales(moved: Floats, n_features: int, epsilon: float) -> dict[float, int]:
    sizes, counts = np.unique(moved[moved > 0], return_counts=True)
    scales = epsilon * sizes / sensitivity.joint(n_features)
    return dict(zip(scales.tolist(), counts.tolist(), strict=True))


@lru_cache(maxsize=4096)
def _right_on_parts(parts: tuple[tuple[float, int], ...]) -> float:
    loss = sum(shift * count for shift, count in parts)
    event = Sequential(tuple(Repeated(LaplaceEvent(1 / shift), count) for shift, count in parts))
    distribution = pld.fine_distribution(event, neighbouring="add_remove", rough=loss)
    return (1 + float(distribution.get_delta_for_epsilon(0.0))) / 2


def _right_on(shifts: dict[float, int]) -> float:
    """Return the accuracy (1 + total variation)/2 of the best attack on numbers with Laplace noise.

    ``shifts``: keys are differences of a number between the two data sets, in noise scales. Values
    are how many numbers differ by that much.
    """
    return _right_on_parts(tuple(sorted(shifts.items())))


def sees_model(
    problem: Problem, params: ChooseParams, check: Callable[[], None] = lambda: None
) -> audit.PointedAt:
    """Return the measured success of a membership test that sees only the published model, at every ε.

    The attacker guesses that records with a loss below a threshold are members. The success is
    measured on 8 trained models.
    """
    pairs = []
    for draw in range(MODELS_ATTACKED):
        check()
        pairs.append(_fits(problem, params.delta, 100 * params.seed + draw))
    members, others = (np.array(part) for part in zip(*pairs, strict=True))
    seen = audit.pointed_at(members, others, rng=np.random.default_rng((params.seed, 11)))
    return _on_grid(seen)


def _on_grid(seen: audit.PointedAt) -> audit.PointedAt:
    each = None if seen.each is None else _on_grid(seen.each)
    return audit.PointedAt(members=between(seen.members), others=between(seen.others), each=each)


def _fits(problem: Problem, delta: float, seed: int) -> tuple[Floats, Floats]:
    """Return losses of n members (K, n) and m others (K, m), at the K values of ε in `NODES`.

    The losses at each ε are those of the model trained with this ε.
    """
    epsilons, y, y_test = np.array(NODES), problem.y, problem.y_test
    if not problem.classifies:
        theta = estimators.coefficients("gaussian", problem, epsilons, delta, seed)
        return (
            np.abs(estimators.predicted(problem, theta, problem.X) - y),
            np.abs(estimators.predicted(problem, theta, problem.X_test) - y_test),
        )
    model, weights = estimators.trained("softmax", problem, epsilons, delta, seed)

    def loss(X: Floats, labels: NDArray[np.int64]) -> Floats:
        scores = log_softmax(model.scores(weights, np.hstack([X, np.ones((len(X), 1))])), axis=-1)
        return cast(Floats, -scores[:, np.arange(len(labels)), labels])

    return loss(problem.X, y), loss(problem.X_test, y_test)
