"""Estimates from random draws, which are medians, differences between two settings, or rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks

__all__ = [
    "Difference",
    "Direction",
    "Estimate",
    "Rate",
    "difference",
    "draws_to_separate",
    "median_interval",
    "middle",
]

Direction = Literal["higher", "lower", "none"]
_MIDDLE = 0.1, 0.5, 0.9


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Median of several draws of a quantity, with the interval that contains the middle 80 % of the draws.

    Parameters
    ----------
    value : float
        The median of the draws.
    low, high : float
        The 10 % and 90 % quantiles of the draws. They show the spread of the draws, not the error of ``value``, which
        `median_interval` estimates.
    n_draws : int
        Number of draws, ≥ 1.
    over : str
        What varied from draw to draw, such as "noise", "noise and split", "seed" or "test records".
    unit : str
        Unit of measurement; "" for a share or a plain number.
    direction : "higher", "lower" or "none"
        Whether higher or lower values are better.

    Raises
    ------
    ValueError
        When ``low`` ≤ ``value`` ≤ ``high`` does not hold, or another argument is outside its range.

    See Also
    --------
    difference, middle, Rate

    Examples
    --------
    >>> error = Estimate.of([3.0, 1.0, 2.0], over="noise", direction="lower")
    >>> error.value, error.n_draws
    (2.0, 3)
    """

    value: float
    low: float
    high: float
    n_draws: int
    over: str
    unit: str = ""
    direction: Direction = "none"

    def __post_init__(self) -> None:
        _checks.integer("n_draws", self.n_draws, low=1)
        _checks.one_of("direction", self.direction, get_args(Direction))
        if not self.over:
            raise ValueError("over='' is not allowed: say what varied, such as 'noise'.")
        if not self.low <= self.value <= self.high:
            raise ValueError(
                f"value={self.value!r} is not allowed: give a median from low={self.low!r} to "
                f"high={self.high!r}."
            )

    @classmethod
    def of(
        cls, draws: ArrayLike, *, over: str, unit: str = "", direction: Direction = "none"
    ) -> Self:
        """Return the estimate of a quantity from finite draws (n,).

        Raises
        ------
        ValueError
            When there is no draw, or when a draw is not finite. A caller with such draws must either leave them out
            and say so, or show no estimate.
        """
        values = _draws("draws", draws)
        low, value, high = (float(end) for end in middle(values))
        return cls(
            value=value, low=low, high=high, n_draws=len(values),
            over=over, unit=unit, direction=direction,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Estimated difference of a quantity between two settings, with a confidence interval.

    Parameters
    ----------
    value : float
        Estimate of the first minus the second setting. For paired draws it is the median of the differences, for
        unpaired draws the difference of the two medians.
    low, high : float
        Ends of an interval that contains the true difference with probability ``coverage`` or more. They are infinite
        if there are too few draws.
    n_draws : int
        Number of draws of each setting. If the settings have different numbers, it is the smaller one; a setting that
        is not random is left out.
    coverage : float
        Confidence in (0, 1) of the interval of this single difference.
    over, unit : str
        What varied from draw to draw, and the unit of measurement; see `Estimate`.
    direction : "higher", "lower" or "none"
        Whether higher or lower values of the quantity are better.

    See Also
    --------
    difference
    """

    value: float
    low: float
    high: float
    n_draws: int
    coverage: float
    over: str
    unit: str = ""
    direction: Direction = "none"

    @property
    def leaves_out_zero(self) -> bool:
        """Whether the interval excludes 0; the settings then differ significantly."""
        return self.low > 0 or self.high < 0

    @property
    def loss(self) -> float:
        """Return by how much the first setting is worse than the second; the value is negative if it is better."""
        if self.direction == "none":
            raise ValueError("direction='none' has no loss: choose one of 'higher', 'lower'.")
        return -self.value if self.direction == "higher" else self.value


@dataclass(frozen=True, kw_only=True)
class Rate:
    """Rate of an event among independent trials, with its Clopper-Pearson confidence interval.

    Parameters
    ----------
    hits, tries : int
        Number of occurrences of the event, and number of trials, ≥ 1.
    coverage : float
        Confidence in (0, 1), the least probability with which the interval contains the true rate.

    Raises
    ------
    ValueError
        When a count or the coverage is outside its range.

    See Also
    --------
    Estimate, dpcore.audit.error_bound

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26(4), 1934.

    Examples
    --------
    >>> attack = Rate(hits=40, tries=80)
    >>> attack.value, round(attack.low, 3), round(attack.high, 3)
    (0.5, 0.386, 0.614)
    """

    hits: int
    tries: int
    coverage: float = 0.95

    def __post_init__(self) -> None:
        _checks.integer("tries", self.tries, low=1)
        _checks.integer("hits", self.hits, low=0, high=self.tries)
        _coverage(self.coverage)

    @property
    def value(self) -> float:
        """Observed rate, ``hits`` divided by ``tries``."""
        return self.hits / self.tries

    @property
    def low(self) -> float:
        """Lower end of the confidence interval; 0 if the event did not occur."""
        return 1 - self._bound(self.tries - self.hits)

    @property
    def high(self) -> float:
        """Upper end of the confidence interval; 1 if the event occurred in every trial."""
        return self._bound(self.hits)

    def _bound(self, k: int) -> float:
        from dpcore.audit.bounds import error_bound

        return error_bound(k, self.tries, beta=(1 - self.coverage) / 2)


def middle(draws: ArrayLike) -> NDArray[np.float64]:
    """Return the 10 %, 50 % and 90 % quantiles (3, ...) of draws (n, ...) over the first axis.

    Quantiles are computed separately for every entry of the trailing axes. They are NaN for an entry that is NaN in
    any draw.

    See Also
    --------
    Estimate, median_interval
    """
    return np.asarray(np.quantile(np.asarray(draws, float), _MIDDLE, axis=0))


def median_interval(draws: ArrayLike, *, coverage: float = 0.95) -> NDArray[np.float64]:
    """Return a confidence interval (2, ...) for the median over the first axis of draws (n, ...).

    The ends x₍r₎ and x₍n+1-r₎ of the interval are the r-th smallest and the r-th largest draw. r is the largest
    number with P[Bin(n, ½) < r] ≤ (1 - coverage)/2. For any distribution of the draws, the interval contains the true
    median with probability ``coverage`` or more. If r = 0, its ends are infinite.

    Parameters
    ----------
    draws : array_like (n, ...)
        Independent draws, n ≥ 1. An entry that is NaN in any draw has the interval (NaN, NaN).
    coverage : float
        Confidence in (0, 1) of the interval of each single entry.

    Returns
    -------
    ndarray (2, ...)
        Lower and upper ends.

    Raises
    ------
    ValueError
        When there is no draw, or the coverage is outside its range.

    See Also
    --------
    difference, draws_to_separate

    Examples
    --------
    >>> median_interval(range(1, 41)).tolist()
    [14.0, 27.0]
    """
    values = np.asarray(draws, float)
    n = _checks.integer("number of draws", values.shape[0] if values.ndim else 0, low=1)
    rank = _rank(n, _coverage(coverage))
    if rank == 0:
        ends = np.stack([np.full(values.shape[1:], end) for end in (-np.inf, np.inf)])
    else:
        ends = np.sort(values, axis=0)[[rank - 1, n - rank]]
    ends[:, np.isnan(values).any(axis=0)] = np.nan
    return ends


def draws_to_separate(coverage: float = 0.95) -> int:
    """Return the smallest number of draws for which `median_interval` has finite ends.

    For a coverage of 95 % this number is 6.

    See Also
    --------
    median_interval
    """
    level = _coverage(coverage)
    return next(n for n in range(1, 2000) if _rank(n, level) > 0)


def difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    paired: bool = True,
    coverage: float = 0.95,
    over: str,
    unit: str = "",
    direction: Direction = "none",
) -> Difference:
    """Return the estimated difference of a quantity between two settings, first minus second.

    Paired draws share their randomness (noise, split, lots). The confidence interval is then the `median_interval` of
    the differences. For unpaired draws it is computed from the confidence intervals of the two medians, which have
    half of the error probability 1 - coverage each (Bonferroni).

    Parameters
    ----------
    first, second : array_like (n,), (m,), or a number
        Draws of the quantity in each setting, or a single number for a setting that is not random.
    paired : bool
        Whether the j-th draws of both settings share their randomness. This requires n = m.
    coverage : float
        Confidence of the interval, in (0, 1).
    over, unit, direction
        What varied from draw to draw, the unit of measurement, and whether higher or lower values are better; see
        `Estimate`.

    Returns
    -------
    Difference
        Estimate and confidence interval.

    Raises
    ------
    ValueError
        When a setting has no draw, a draw is not finite, or paired settings have different numbers of draws.

    See Also
    --------
    median_interval, Estimate

    Examples
    --------
    >>> noise = difference([1.0, 1.2, 0.9, 1.1, 1.3, 1.0], 0.5, over="noise", direction="lower")
    >>> round(noise.loss, 2), noise.leaves_out_zero
    (0.55, True)
    """
    a, b = _draws("first", first), _draws("second", second)
    certain = np.ndim(first) == 0 or np.ndim(second) == 0
    if paired and not certain and len(a) != len(b):
        raise ValueError(
            f"second has {len(b)} draws, which is not allowed: give as many as first, {len(a)}, or "
            "say paired=False."
        )
    if paired or certain:
        value = float(np.median(a - b))
        low, high = (float(end) for end in median_interval(a - b, coverage=coverage))
    else:
        value = float(np.median(a) - np.median(b))
        half = (1 + _coverage(coverage)) / 2
        (a_low, a_high), (b_low, b_high) = (median_interval(x, coverage=half) for x in (a, b))
        low, high = float(a_low - b_high), float(a_high - b_low)
    return Difference(
        value=value, low=low, high=high, n_draws=max(len(a), len(b)) if certain else min(len(a), len(b)),
        coverage=coverage, over=over, unit=unit, direction=direction,
    )  # fmt: skip


def _draws(name: str, values: ArrayLike) -> NDArray[np.float64]:
    draws = np.atleast_1d(np.asarray(values, float))
    if draws.ndim != 1 or len(draws) == 0 or not np.isfinite(draws).all():
        raise ValueError(
            f"{name} of shape {draws.shape} with {int((~np.isfinite(draws)).sum())} numbers that are not "
            "finite is not allowed: give a row of one or more finite numbers."
        )
    return draws


def _coverage(coverage: float) -> float:
    return _checks.number("coverage", coverage, low=0, high=1, open_low=True, open_high=True)


def _rank(n: int, coverage: float) -> int:
    """Return the rank r of the ends of a median interval, the largest r with P[Bin(n, ½) < r] ≤ (1 - coverage)/2."""
    below, rank = 0.0, 0
    while rank <= n // 2:
        below += math.exp(
            math.lgamma(n + 1) - math.lgamma(rank + 1) - math.lgamma(n - rank + 1) - n * math.log(2)
        )
        if below > (1 - coverage) / 2:
            break
        rank += 1
    return min(rank, n // 2)
