"""Sufficient statistics of least squares: sums over clipped and scaled records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import lstsq

from dpcore._types import Floats

__all__ = ["Bounds", "SufficientStatistics", "sufficient_statistics"]

_ROWS = 8192
LARGEST, SMALLEST = 1e50, 1e-50


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """Bounds of the features and the target; they scale both to [-1, 1].

    A value x is scaled to clip((x - (high + low)/2) / ((high - low)/2), -1, 1), or to 0 where low = high.
    Every sensitivity in this package assumes these bounds, so they have to be known without the records.

    Parameters
    ----------
    low, high : array-like (d,)
        Lower and upper ends of every feature in its own unit, inside ±1e50, with low = high or low ≤ high - 1e-50. If
        they are equal, the scaled feature is 0 for every record, and its slope is 0.
    target_low, target_high : float
        Lower and upper end of the target, under the same conditions.
    status : "public" or "estimated"
        "public": the bounds are known without the records. "estimated": they were read from the records, and no ε
        accounts for the reading.

    Raises
    ------
    ValueError
        When an end is outside ±1e50, when a lower end is above the upper one or less than 1e-50 below it, or
        when ``low`` and ``high`` have different lengths.

    See Also
    --------
    sufficient_statistics

    Examples
    --------
    >>> Bounds(low=[0], high=[10], target_low=0, target_high=4).scale([[5.0], [20.0]]).tolist()
    [[0.0], [1.0]]
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    target_low: float
    target_high: float
    status: Literal["public", "estimated"] = "public"

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            array = np.atleast_1d(np.array(getattr(self, name), float))
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _ordered("bounds", self.low, self.high)
        ends = (np.array([end], float) for end in (self.target_low, self.target_high))
        _ordered("target_bounds", *ends)

    @classmethod
    def estimated(cls, X: ArrayLike, y: ArrayLike) -> Bounds:
        """Return the smallest bounds around records X (n, d) and targets y (n,), for demonstrations only.

        Such bounds reveal data.
        """
        X, y = np.asarray(X, float), np.asarray(y, float)
        return cls(
            low=X.min(0), high=X.max(0), target_low=float(y.min()), target_high=float(y.max()),
            status="estimated",
        )  # fmt: skip

    @property
    def n_features(self) -> int:
        """Number d of features."""
        return len(self.low)

    def scale(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return records (n, d) scaled to [-1, 1]^d; values outside the bounds are clipped."""
        return _scaled(np.asarray(X, float), self.low, self.high)

    def scale_target(self, y: ArrayLike) -> NDArray[np.float64]:
        """Return targets (n,) scaled to [-1, 1]; values outside the bounds are clipped."""
        return _scaled(np.asarray(y, float), self.target_low, self.target_high)

    def unscale_target(self, y: ArrayLike) -> NDArray[np.float64]:
        """Return scaled targets (any shape), converted back to their original unit."""
        middle, half = _middle(self.target_low, self.target_high)
        return cast(Floats, middle + half * np.asarray(y, float))

    def unscale(self, coefficients: ArrayLike) -> tuple[float, NDArray[np.float64]]:
        """Return intercept and slopes (d,) in the units of the data, from coefficients (d + 1,) for scaled data."""
        theta = np.asarray(coefficients, float)
        middle, half = _middle(self.low, self.high)
        target_middle, target_half = _middle(self.target_low, self.target_high)
        slopes = target_half * theta[1:] / _divisor(half)
        return float(target_middle + target_half * theta[0] - slopes @ middle), slopes


def _ordered(name: str, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
    fits = low.shape == high.shape and low.ndim == 1
    # Within these limits squares and quotients of widths stay in the double range.
    fits = fits and bool((np.abs([low, high]) <= LARGEST).all() and (low <= high).all())
    if not fits or ((low < high) & (high - low < SMALLEST)).any():
        raise ValueError(
            f"{name}=({low.tolist()}, {high.tolist()}) is not allowed: give finite numbers, one pair "
            f"per column, the lower one first, inside ±{LARGEST:g}, equal or {SMALLEST:g} apart."
        )


def _middle(low: ArrayLike, high: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = np.asarray(low, float), np.asarray(high, float)
    return (high + low) / 2, (high - low) / 2


def _divisor(half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the numbers by which centred features are divided to scale them to [-1, 1].

    The number is inf for a feature with low = high, so that all its scaled values are 0.
    """
    return np.where(half > 0, half, np.inf)


def _scaled(values: NDArray[np.float64], low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
    middle, half = _middle(low, high)
    inside = np.clip(values, low, high)  # first, so that nothing below can overflow
    inside -= middle
    inside /= _divisor(half)
    return np.clip(inside, -1.0, 1.0, out=inside)


@dataclass(frozen=True, kw_only=True, eq=False)
class SufficientStatistics:
    """Sufficient statistics of least squares on (1, x) ∈ [-1, 1]^D, D = d + 1, and y ∈ [-1, 1].

    Parameters
    ----------
    quadratic : ndarray (D, D)
        A = Σ x xᵀ, the intercept's row and column first.
    linear : ndarray (D,)
        c = Σ y x.
    target_square : float
        Σ y².
    n_samples : int
        Number n of records.

    See Also
    --------
    sufficient_statistics, Bounds
    """

    quadratic: NDArray[np.float64]
    linear: NDArray[np.float64]
    target_square: float
    n_samples: int

    @property
    def n_features(self) -> int:
        """Number d of features, without the intercept."""
        return len(self.linear) - 1

    def solve(self) -> NDArray[np.float64]:
        """Return the least-squares coefficients A⁻¹c (D,).

        If A is singular, the solution of smallest norm is returned.
        """
        return cast(Floats, lstsq(self.quadratic, self.linear)[0])

    def mse(self, coefficients: ArrayLike) -> NDArray[np.float64]:
        """Return the mean squared error (...) of coefficients θ (..., D) on the n summed records.

        The error is (θᵀAθ - 2cᵀθ + Σy²)/n with A = ``quadratic`` and c = ``linear``, for the scaled target and
        unclipped predictions. Results that rounding would make negative are 0.
        """
        theta = np.asarray(coefficients, float)
        residual = theta @ self.quadratic
        residual -= 2 * self.linear
        total = np.einsum("...i,...i->...", residual, theta) + self.target_square
        return cast(Floats, np.maximum(total, 0.0) / self.n_samples)


def sufficient_statistics(X: ArrayLike, y: ArrayLike, *, bounds: Bounds) -> SufficientStatistics:
    """Return the sums A = Σxxᵀ, c = Σyx and Σy² over clipped and scaled records.

    Parameters
    ----------
    X : array-like (n, d)
        Records in their own units.
    y : array-like (n,)
        Targets in their own unit.
    bounds : Bounds
        Bounds of the d features and the target.

    Returns
    -------
    SufficientStatistics

    Raises
    ------
    ValueError
        When the shapes do not fit each other, or a number is not finite.

    See Also
    --------
    SufficientStatistics, Bounds

    Examples
    --------
    >>> unit = Bounds(low=[-1], high=[1], target_low=-1, target_high=1)
    >>> sums = sufficient_statistics([[0.5], [-0.5]], [1.0, 0.0], bounds=unit)
    >>> sums.quadratic.tolist(), sums.linear.tolist()
    ([[2.0, 0.0], [0.0, 0.5]], [1.0, 0.5])
    """
    X, y = np.asarray(X), np.asarray(y)
    if X.ndim != 2 or y.shape != X.shape[:1] or X.shape[1] != bounds.n_features:
        raise ValueError(
            f"X of shape {X.shape} with y of shape {y.shape} is not allowed: give (n, d) and (n,) "
            f"with d = {bounds.n_features}, as many features as there are bounds."
        )
    n, d = X.shape
    total = np.zeros((d + 2, d + 2))
    # Blocks that stay in the cache; the block carries the intercept first and the target last.
    block = np.empty((min(_ROWS, n), d + 2))
    block[:, 0] = 1.0
    for start in range(0, n, _ROWS):
        rows = slice(start, min(start + _ROWS, n))
        part = block[: rows.stop - start]
        part[:, 1:-1] = bounds.scale(X[rows])
        part[:, -1] = bounds.scale_target(y[rows])
        total += part.T @ part
    if not np.isfinite(total).all():  # only NaN survives clipping
        raise ValueError("X or y with NaN is not allowed: give finite numbers.")
    return SufficientStatistics(
        quadratic=total[:-1, :-1], linear=total[:-1, -1], target_square=float(total[-1, -1]),
        n_samples=n,
    )  # fmt: skip
