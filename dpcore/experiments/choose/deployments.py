"""Published uses of differential privacy: what they spend, on what unit, how often, in which model.

Only values that were seen in a source; sums of several releases, and totals of a daily ε, are left out.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from scipy.optimize import minimize_scalar

from dpcore import _checks

__all__ = ["RHO_DELTA", "Deployment", "deployments", "epsilon_of_rho", "groups"]

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
