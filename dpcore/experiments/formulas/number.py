"""A number of a formula: as it is printed, and as it should be, along one quantity a reader may move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dpcore.mechanisms import calibration

__all__ = ["DELTA", "EPSILONS", "Number", "classical", "counts"]

DELTA = 1e-5
EPSILONS = (
    0.05,
    0.1,
    0.2,
    0.3,
    0.5,
    0.75,
    0.8,
    1.0,
    1.2,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
)


def classical(epsilon: float) -> float:
    """Return σ as it is printed for ε, at unit sensitivity and `DELTA`."""
    return calibration.gaussian_sigma(1.0, epsilon, delta=DELTA, calibration="classical")


def counts(*more: int) -> tuple[float, ...]:
    """Return 1 to 10 and some larger whole numbers, for sliders that count."""
    return (*map(float, range(1, 11)), *map(float, more))


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number of one formula, computed anew at each place of a slider.

    Parameters
    ----------
    what : str
        What the number counts.
    right : callable
        The number as it should be, of the quantity that moves.
    printed : callable, optional
        The number that follows from the formula as printed; None where it says none.
    symbol, moves : str
        The quantity that moves: its symbol, and what it is in words.
    grid : tuple of float
        Its values.
    start : float
        Where it stands first, a value of the grid.

    Examples
    --------
    >>> noise = Number(what="mean error", right=lambda e: 1 / e, start=0.5)
    >>> noise.right(noise.start)
    2.0
    """

    what: str
    right: Callable[[float], float]
    printed: Callable[[float], float] | None = None
    symbol: str = "ε"
    moves: str = "privacy parameter"
    grid: tuple[float, ...] = field(default=EPSILONS, repr=False)
    start: float = 1.0

    @property
    def title(self) -> str:
        """What the number counts, as a title: a symbol at its beginning stays as it is."""
        first = self.what[0]
        return (first.upper() if first.isascii() else first) + self.what[1:]
