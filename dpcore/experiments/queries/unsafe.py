"""Two releases that protect badly: a mean within bounds read from the data, and whole records."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, sensitivity
from dpcore.audit import choose_threshold, count, two_worlds
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import CHANCES, PEOPLE, QueriesParams
from dpcore.guarantee import Guarantee, Part
from dpcore.mechanisms import Laplace

__all__ = [
    "DECLARED",
    "N_PEOPLE",
    "N_RELEASES",
    "PLACES",
    "Bounds",
    "Publish",
    "Publishing",
    "World",
    "bounds",
    "bounds_guarantee",
    "publish",
    "somebody",
    "world",
]

Floats = NDArray[np.float64]
N_PEOPLE = 20
DECLARED = (0.0, 100.0)
N_RELEASES = 1000
_N_DRAWS = 80
_LINES = np.sinh(np.linspace(0, 5, 41)) / np.sinh(5) * 45
PLACES = np.concatenate([-_LINES[:0:-1], _LINES])
"""Places of a density, in scales of the noise."""


@dataclass(frozen=True, kw_only=True)
class World:
    """One data set: the exact ``mean``, and the ``reach`` (high - low)/n that its noise is made for."""

    mean: float
    reach: float

    def scale(self, epsilon: float) -> float:
        """Return b of the Laplace noise: reach/ε."""
        return self.reach / epsilon


def world(params: QueriesParams, ada: float) -> World:
    """Return the data set in which Ada has this value, and 19 others have theirs."""
    values = np.full(N_PEOPLE, float(params.others))
    values[0] = ada
    low, high = DECLARED
    if params.reading != "declared":
        high = float(values.max())
    if params.reading == "range":
        low = float(values.min())
    reach = sensitivity.mean(low, high, n_samples=N_PEOPLE, neighbouring="replace_one")
    return World(mean=float(np.clip(values, low, high).mean()), reach=reach)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Two neighbours: Ada has v, or w like everybody else; E = 50 values of ε.

    ``noise`` (80,) in scales; ``hits`` (E,): an attacker's best share of right guesses; ``shown`` (E,): an
    ε that an attack of 1,000 releases in each world demonstrates at 95 %; ``honest`` (E,): the same
    against declared bounds; ``ceiling``: what no such attack can exceed; ``real`` (E,): sup |ln ratio|,
    the ε of these two data sets.
    """

    there: World
    other: World
    noise: Floats
    hits: Floats
    shown: Floats
    honest: Floats
    ceiling: float
    real: Floats


def bounds(params: QueriesParams) -> Bounds:
    """Return the two worlds, and an attack on the noise at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``reading``, ``value``, ``others`` and ``seed`` are used.

    Returns
    -------
    Bounds

    Examples
    --------
    >>> found = bounds(QueriesParams(topic="bounds"))
    >>> float(found.hits[0]), bool(found.shown[0] > 5)   # ε = 0.05 is claimed
    (1.0, True)
    """
    there, other = world(params, float(params.value)), world(params, float(params.others))
    declared = params.but(reading="declared")
    pair = world(declared, float(params.value)), world(declared, float(params.others))
    # Two sets of noise: what a threshold is chosen on is not counted.
    rng = np.random.default_rng(params.seed)
    noise = Laplace(epsilon=1.0).sample(np.zeros((2, 2, N_RELEASES)), rng)
    shown = np.array([_attack(there, other, e, noise) for e in EPSILON_GRID])
    same = pair == (there, other)  # bounds that are declared are attacked once
    return Bounds(
        there=there,
        other=other,
        noise=noise[0, 0, :_N_DRAWS],
        hits=np.array([_hits(there, other, e) for e in EPSILON_GRID]),
        shown=shown,
        honest=shown if same else np.array([_attack(*pair, e, noise) for e in EPSILON_GRID]),
        ceiling=two_worlds(0, 0, n=N_RELEASES).ceiling,
        real=np.array([_real(there, other, e) for e in EPSILON_GRID]),
    )


def _log_ratio(seen: Floats, there: World, other: World, epsilon: float) -> Floats:
    """ln(density with Ada's value / density without); a world without noise gives one answer alone."""
    if there.reach and other.reach:
        a, b = there.scale(epsilon), other.scale(epsilon)
        found = np.abs(seen - other.mean) / b - np.abs(seen - there.mean) / a + np.log(b / a)
        return np.asarray(found, float)
    # A world without noise gives one answer, and no other world gives it with a positive probability.
    here, away = (not w.reach and seen == w.mean for w in (there, other))
    if not there.reach and not other.reach:
        return np.where(here, 1e9, 0.0) - np.where(away, 1e9, 0.0)
    return np.where(here, 1e9, -1e9) if not there.reach else np.where(away, -1e9, 1e9)


def _attack(there: World, other: World, epsilon: float, noise: Floats) -> float:
    """ε that releases in both worlds demonstrate, at a threshold chosen on others."""
    inside, outside = (
        _log_ratio(w.mean + w.scale(epsilon) * draws, there, other, epsilon)
        for w, draws in zip((there, other), noise, strict=True)
    )
    cut = choose_threshold(outside[1], inside[1])
    k0, k1 = count(outside[0], inside[0], cut)
    return two_worlds(k0, k1, n=N_RELEASES).epsilon_lower


def _hits(there: World, other: World, epsilon: float) -> float:
    """(1 + total variation)/2, from both densities on a fine grid."""
    if there == other:
        return 0.5
    a, b = there.scale(epsilon), other.scale(epsilon)
    if not (a and b):
        return 1.0
    near = np.sinh(np.linspace(-6, 6, 2001)) / np.sinh(6) * 40 * max(a, b)
    x = np.unique(np.concatenate([there.mean + near, other.mean + near]))
    p = np.exp(-np.abs(x - there.mean) / a) / (2 * a)
    q = np.exp(-np.abs(x - other.mean) / b) / (2 * b)
    return float(min(0.5 + 0.25 * np.trapezoid(np.abs(p - q), x), 1.0))


def _real(there: World, other: World, epsilon: float) -> float:
    """The largest |ln ratio| of these two data sets: unbounded as soon as the scales differ."""
    if there.reach != other.reach:
        return float("inf")
    if not there.reach:
        return 0.0 if there.mean == other.mean else float("inf")
    return abs(there.mean - other.mean) / there.scale(epsilon)


def bounds_guarantee(params: QueriesParams) -> Guarantee:
    """Return what the noisy mean promises: ε with declared bounds, nothing where they are read."""
    reach = sensitivity.mean(*DECLARED, n_samples=N_PEOPLE, neighbouring="replace_one")
    made = Laplace(epsilon=params.epsilon, sensitivity=reach, neighbouring="replace_one")
    if params.reading == "declared":
        return made.privacy
    found = made.privacy.having_read("the bounds of the values")
    return replace(found, public=("the question asked and ε",))


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
