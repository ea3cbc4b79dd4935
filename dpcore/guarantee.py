"""What a released result promises: (ε, δ), for which neighbours, by which argument."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from dpcore import _checks

__all__ = ["Guarantee", "Neighbouring", "Part", "Status", "odds_bound"]

Neighbouring = Literal["add_remove", "replace_one"]
Status = Literal["proved", "proved_under_assumption", "nominal"]


@dataclass(frozen=True, kw_only=True)
class Part:
    """One release inside a guarantee: its name, its (epsilon, delta), the mechanism that paid."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The privacy guarantee of one released result.

    P[M(D) ∈ S] ≤ e^ε P[M(D') ∈ S] + δ for all neighbouring data sets D, D' and all S.

    Parameters
    ----------
    epsilon, delta : float
        What the whole release really costs; ``epsilon`` ≥ 0 (inf: none), ``delta`` in [0, 1].
    neighbouring : "add_remove" or "replace_one"
        Which pairs of data sets the bound holds for: one record added or removed, or replaced.
    status : "proved", "proved_under_assumption" or "nominal"
        ``nominal`` is a number without a proof: not a guarantee.
    argument : str
        The argument in one sentence.
    public : tuple of str
        What is assumed known to everyone and is not protected.
    not_protected : tuple of str
        What this guarantee does not cover.
    parts : tuple of Part
        The single releases that add up to it.
    claimed_epsilon : float or None
        What the recipe claims to cost, where that differs from ``epsilon``.
    """

    epsilon: float
    delta: float
    neighbouring: Neighbouring
    status: Status
    argument: str
    public: tuple[str, ...] = ()
    not_protected: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    claimed_epsilon: float | None = None

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon={self.epsilon!r} is not allowed: give a number in [0, inf].")
        _checks.number("delta", self.delta, low=0, high=1)
        _checks.one_of("neighbouring", self.neighbouring, get_args(Neighbouring))
        _checks.one_of("status", self.status, get_args(Status))

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior belief that a record is in the data; see `odds_bound`."""
        return odds_bound(self.epsilon, prior)


def odds_bound(epsilon: float, prior: float = 0.5) -> float:
    """Return the largest belief that seeing an ε-DP result can lead to.

    posterior ≤ e^ε p / (e^ε p + 1 - p); with δ > 0 this holds except with probability about δ.

    Parameters
    ----------
    epsilon : float
        Privacy loss bound, ≥ 0 (inf allowed: the bound is then 1).
    prior : float
        Belief before seeing the result, in (0, 1).

    Returns
    -------
    float
        Belief after it, in [prior, 1].

    Raises
    ------
    ValueError
        When ``prior`` is not in (0, 1).

    Examples
    --------
    >>> round(odds_bound(1.0), 3)
    0.731
    """
    p = _checks.number("prior", prior, low=0, high=1, open_low=True, open_high=True)
    return 1.0 / (1.0 + math.exp(-epsilon) * (1 - p) / p)
