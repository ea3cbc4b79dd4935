"""A mechanism that publishes whole records with a small probability: (0, δ)-DP, and somebody is given away."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.experiments.queries.params import CHANCES, PEOPLE, QueriesParams
from dpcore.guarantee import Guarantee, Part

__all__ = ["Publish", "Publishing", "publish", "somebody"]

Floats = NDArray[np.float64]
_MOST = 160


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """Publish every record with probability δ, independently; or one record, chosen at random.

    (0, δ)-DP: a record changes the result only where it is itself published. One of n is (0, 1/n)-DP.

    Parameters
    ----------
    n_people : int
        n ≥ 1; public where one record is chosen.
    chance : float or None
        δ in (0, 1] for each record; None: one record at random.
    """

    n_people: int
    chance: float | None = None

    def __post_init__(self) -> None:
        _checks.integer("n_people", self.n_people, low=1)
        if self.chance is not None:
            _checks.number("chance", self.chance, low=0, high=1, open_low=True)

    @property
    def delta(self) -> float:
        """δ: how often one certain record is published."""
        return 1 / self.n_people if self.chance is None else self.chance

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the places of the records that are published once."""
        if self.chance is None:
            return np.array([rng.integers(self.n_people)])
        return np.flatnonzero(rng.random(self.n_people) < self.chance)

    @property
    def privacy(self) -> Guarantee:
        """What one release promises: ε = 0, and a δ that is all there is to say."""
        one = self.chance is None
        what = "one record at random" if one else f"each record with probability {self.delta:.3g}"
        sure = somebody(self.delta, self.n_people, one=one)
        return Guarantee(
            epsilon=0.0, delta=self.delta, neighbouring="replace_one" if one else "add_remove",
            status="proved", n_records=self.n_people, loss_tail=self.delta,
            argument=f"Published is {what}, as it is. A record changes the result only where it is itself "
            f"published, which happens with probability δ = {self.delta:.3g}: ε is 0.",
            public=("what is published, and how often", *(("the number of people",) if one else ())),
            not_protected=(
                "whoever is published: everything in their record",
                f"somebody among {self.n_people} is, with probability {sure:.3g}",
            ),
            parts=(Part(name="one release", epsilon=0.0, delta=self.delta, mechanism="publish a record"),),
        )  # fmt: skip


def somebody(chance: float, n_people: float, *, one: bool = False) -> float:
    """Return the probability that anybody at all is published: 1 - (1 - δ)ⁿ, or 1.

    >>> round(somebody(0.01, 100), 4)
    0.634
    """
    return 1.0 if one else -math.expm1(n_people * math.log1p(-min(chance, 1 - 1e-16)))


@dataclass(frozen=True, kw_only=True)
class Publish:
    """What one release publishes, for C probabilities and N sizes.

    ``places`` (N, 1000, 2): where people stand, outside of the picture beyond n; ``shown`` (C, N, 160, 2):
    the first of those published; ``picked`` C rows of N: the places of all of them; ``expected`` and
    ``somebody`` (C, N): how many are published on average, and how often anybody is.
    """

    places: Floats
    shown: Floats
    picked: tuple[tuple[tuple[int, ...], ...], ...]
    expected: Floats
    somebody: Floats


def publish(params: QueriesParams) -> Publish:
    """Return a release at every δ and n; a person's chance draw is the same at every δ.

    Examples
    --------
    >>> found = publish(QueriesParams(topic="publish"))
    >>> float(found.expected[4, 2])   # δ = 0.01, n = 100
    1.0
    """
    one = params.how == "one"
    rng = np.random.default_rng(params.seed)
    uniforms, chosen = rng.random(PEOPLE[-1]), rng.random()
    picked = [
        [
            np.array([int(chosen * n)]) if one else np.flatnonzero(uniforms[:n] < chance)
            for n in PEOPLE
        ]
        for chance in CHANCES
    ]
    grids = [_grid(n) for n in PEOPLE]
    return Publish(
        places=np.stack([_padded(grid, PEOPLE[-1]) for grid in grids]),
        shown=np.array(
            [
                [_padded(grid[who[:_MOST]], _MOST) for grid, who in zip(grids, row, strict=True)]
                for row in picked
            ]
        ),
        picked=tuple(tuple(tuple(who.tolist()) for who in row) for row in picked),
        expected=np.array([[1.0 if one else c * n for n in PEOPLE] for c in CHANCES]),
        somebody=np.array([[somebody(c, n, one=one) for n in PEOPLE] for c in CHANCES]),
    )


def _grid(n: int) -> Floats:
    """n people in rows of a square from -1 to 1."""
    side = math.ceil(math.sqrt(n))
    rows, columns = np.divmod(np.arange(n), side)
    return np.stack([(columns + 0.5) / side, 1 - (rows + 0.5) / side], -1) * 2 - 1


def _padded(points: Floats, length: int) -> Floats:
    out = np.full((length, 2), 9.0)  # outside of the picture
    out[: len(points)] = points
    return out
