"""Account for several releases a year, for years, about people in several tables; published uses of DP.

``python -m dpcore.experiments.choose.releases`` makes ``laplace_table.npz`` anew (about three minutes).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from dpcore import _checks
from dpcore.accounting import Repeated, spent
from dpcore.experiments.choose.estimators import method_event, signal
from dpcore.experiments.choose.params import RELEASES_GRID, TABLES_GRID, YEARS_GRID
from dpcore.experiments.choose.problem import Problem
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms.calibration import gaussian_epsilons

__all__ = [
    "COUNTS",
    "ONES",
    "RHO_DELTA",
    "Deployment",
    "deployments",
    "each_may_cost",
    "epsilon_of_rho",
    "groups",
    "hulls_together",
    "laplace_table",
    "signals",
    "together",
]

Floats = NDArray[np.float64]
COUNTS: tuple[int, ...] = tuple(
    sorted({a * b * c for a in RELEASES_GRID for b in YEARS_GRID for c in TABLES_GRID})
)
"""How many results the handles can ask for."""
_BELOW = np.geomspace(2e-5, EPSILON_GRID[0], 31)[:-1]
ONES: tuple[float, ...] = (*map(float, _BELOW), *EPSILON_GRID)
"""The ε of one result: the handle's, and smaller ones, which many results may cost."""
_FILE = Path(__file__).with_name("laplace_table.npz")


@lru_cache(maxsize=1)
def laplace_table() -> Floats:
    """Return the ε at δ of k Laplace results of ε each: (δ of `DELTA_GRID`, k of `COUNTS`, ε of `ONES`)."""
    with np.load(_FILE) as held:
        found: Floats = held["epsilon"].astype(float)
    found.setflags(write=False)
    return found


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
    """Return the ε at δ of k results, (K, 50), each with ε of the grid and by the method given for that ε.

    The composition of the method's own event. Gaussian noise, exactly: k results with noise σ are one with
    noise σ/√k. Laplace noise: from the distribution of the privacy loss, rounded up. NaN
    where the method is None; for affine hulls see `hulls_together`.

    Parameters
    ----------
    problem : Problem
        What is learned.
    methods : sequence of 50 str or None
        The method at each ε of `EPSILON_GRID`.
    delta : float
        δ of `DELTA_GRID`.
    n_releases : iterable of int
        k, of `COUNTS`.

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
    found = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        found[:, gaussian] = gaussian_epsilons(1 / (mu[gaussian] * _root(counts)), delta)
    rows = laplace_table()[DELTA_GRID.index(delta)][[COUNTS.index(k) for k in counts]]
    laplace = names == "joint"
    found[:, laplace] = rows[:, len(ONES) - len(EPSILON_GRID) :][:, laplace]
    return found


def each_may_cost(
    problem: Problem, methods: Methods, delta: float, n_releases: Iterable[int]
) -> Floats:
    """Return the ε at δ that each of k results may cost so that all cost (ε, δ) together: (K, 50).

    The account of `together` inverted, from below: exactly for Gaussian noise, within 0.5 % for Laplace noise.
    NaN where the method is None or affine hulls.
    """
    counts = np.array(list(n_releases))
    mu, names = signals(problem, methods, delta), np.array([name or "" for name in methods])
    found = np.full((len(counts), len(EPSILON_GRID)), np.nan)
    gaussian = np.isfinite(mu)
    if gaussian.any():
        found[:, gaussian] = gaussian_epsilons(_root(counts) / mu[gaussian], delta)
    table, grid = laplace_table()[DELTA_GRID.index(delta)], np.array(EPSILON_GRID)
    laplace = names == "joint"
    for row, k in enumerate(counts):
        totals = np.maximum(table[COUNTS.index(k)], 1e-12)  # 0 where δ alone is enough
        inverse = _MARGIN * np.exp(np.interp(np.log(grid), np.log(totals), np.log(ONES)))
        found[row, laplace] = np.maximum(inverse, grid / k)[laplace]
    return found


def signals(problem: Problem, methods: Methods, delta: float) -> Floats:
    """Return the `signal` of every ε's method, (50,); NaN where its noise is not Gaussian, or there is none."""
    found = [
        _signal(problem, name, e, delta) for name, e in zip(methods, EPSILON_GRID, strict=True)
    ]
    return np.array([np.nan if one is None else one for one in found])


def _signal(problem: Problem, method: str | None, epsilon: float, delta: float) -> float | None:
    if method in (None, "joint", "hulls"):
        return None
    return signal(method_event(problem, str(method), epsilon, delta))


def hulls_together(
    problem: Problem, delta: float, n_releases: int, check: Callable[[], None] = lambda: None
) -> Floats:
    """Return what `together` has for k results of affine hulls, (50,): some seconds."""
    found = []
    for epsilon in EPSILON_GRID:
        check()
        event = Repeated(method_event(problem, "hulls", epsilon, delta), n_releases)
        found.append(spent(event, delta, neighbouring="replace_one"))
    return np.array(found)


def _root(counts: NDArray[np.int64]) -> Floats:
    return np.asarray(np.sqrt(counts.astype(float))[:, None])


RHO_DELTA = 1e-10
"""The δ at which every ρ is converted."""
MODELS = ("central", "local", "shuffled")
MEASURES = ("epsilon", "rho", "ceiling")


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """One published use: from ``low`` to ``high`` of its ``measure``, each ``period``, about a ``unit``."""

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
        """Where it stands on the axis of ε; a ρ by `epsilon_of_rho`."""
        if self.measure != "rho":
            return self.low, self.high
        return epsilon_of_rho(self.low), epsilon_of_rho(self.high)


@lru_cache(maxsize=1)
def deployments() -> tuple[Deployment, ...]:
    """Return all rows of ``deployments.csv``, checked.

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
    """Return the rows by (unit, period, model), in the order of their years: nothing is ranked."""
    found: dict[tuple[str, str, str], list[Deployment]] = {}
    for row in sorted(deployments(), key=lambda one: (one.period, one.unit, one.model, one.year)):
        found.setdefault((row.unit, row.period, row.model), []).append(row)
    return found


def epsilon_of_rho(rho: float, delta: float = RHO_DELTA) -> float:
    """Return the ε at δ of ρ-zCDP: min over α > 1 of ρα + ln(1/(αδ))/(α - 1) + ln(1 - 1/α).

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
