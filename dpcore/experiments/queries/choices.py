"""Mechanisms with a discrete result: a choice among options, and publication of randomly drawn records."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import CHANCES, PEOPLE, Options, QueriesParams, options
from dpcore.guarantee import Guarantee, Part
from dpcore.mechanisms import Exponential, exponential_probabilities
from dpcore.mechanisms.choice import mechanism_guarantee

__all__ = [
    "Choosing",
    "Publish",
    "Publishing",
    "choice_guarantee",
    "choosing",
    "clearest_neighbour",
    "noisy_best",
    "noisy_winner",
    "publish",
    "somebody",
]

Floats = NDArray[np.float64]
_FINE = 1600


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Probabilities with which three mechanisms choose each of m options, at E = 50 values of ε.

    - ``options``: names and scores; ``other``: the scores of a neighbour.
    - ``chosen``, ``chosen_other`` (E, m): probabilities of the exponential mechanism, with the
      given and with the neighbour's scores.
    - ``winner``, ``winner_other`` (E, m): probability that an option has the largest noisy score,
      with the given and with the neighbour's scores, if only the name of this option is published.
    - ``all_scores`` (E, m): probability that an option has the largest noisy score, if all noisy
      scores are published at the same ε.
    - ``shown`` (E,): largest |ln ratio| of the exponential mechanism's probabilities over all
      neighbours.
    - ``loss`` (E, 3): mean difference between the best score and that of the chosen option, by
      mechanism.
    """

    options: Options
    other: tuple[float, ...]
    chosen: Floats
    chosen_other: Floats
    winner: Floats
    winner_other: Floats
    all_scores: Floats
    shown: Floats
    loss: Floats


def choosing(params: QueriesParams) -> Choosing:
    """Return the probabilities with which three mechanisms of the same ε choose each option.

    Parameters
    ----------
    params : QueriesParams
        ``options`` and ``monotone`` are used.

    Returns
    -------
    Choosing

    Examples
    --------
    >>> found = choosing(QueriesParams(topic="choosing", options="yes 3, no 1"))
    >>> found.chosen[20].round(3).tolist()   # ε = 1: e²/(e² + 1) with counts
    [0.881, 0.119]
    """
    choices = options(params.options)
    here = np.array(choices.scores)
    moves = here + _moves(len(here), monotone=params.monotone)
    there = np.array(clearest_neighbour(choices.scores, monotone=params.monotone))
    one = 1.0 if params.monotone else 2.0
    pairs = [
        np.array([exponential_probabilities(s, 1.0, epsilon=e, monotone=params.monotone) for e in EPSILON_GRID])
        for s in (here, there)
    ]  # fmt: skip
    winners = [np.array([noisy_winner(s, one / e) for e in EPSILON_GRID]) for s in (here, there)]
    everything = np.array([noisy_winner(here, len(here) / e) for e in EPSILON_GRID])
    return Choosing(
        options=choices, other=tuple(there), chosen=pairs[0], chosen_other=pairs[1],
        winner=winners[0], winner_other=winners[1], all_scores=everything,
        shown=_shown(pairs[0], moves, params.monotone),
        loss=here.max() - np.stack([pairs[0] @ here, winners[0] @ here, everything @ here], -1),
    )  # fmt: skip


def _moves(m: int, *, monotone: bool) -> Floats:
    """Return all extreme changes of m scores by one person, (changes, m).

    A score changes by 0 or 1 if ``monotone``, else by -1 or 1.
    """
    return np.array(list(itertools.product((0.0, 1.0) if monotone else (-1.0, 1.0), repeat=m)))


def clearest_neighbour(scores: tuple[float, ...], *, monotone: bool) -> tuple[float, ...]:
    """Return the neighbour's scores that the exponential mechanism at ε = 1 distinguishes best from ``scores``.

    One person changes every score by at most 1: only upwards if scores are counts (monotone), else
    in either direction; all extreme changes are tried.

    Examples
    --------
    >>> clearest_neighbour((1.0, 1.0), monotone=False)
    (0.0, 2.0)
    """
    here = np.array(scores)
    there = here + _moves(len(scores), monotone=monotone)
    p = exponential_probabilities(here, 1.0, epsilon=1.0, monotone=monotone)
    q = exponential_probabilities(there, 1.0, epsilon=1.0, monotone=monotone)
    clearest = int(np.abs(p - q).sum(1).round(9).argmax())
    return tuple(float(s) for s in there[clearest])


def noisy_winner(scores: NDArray[np.float64], scale: float) -> Floats:
    """Return the probability of each option to have the largest score after Laplace noise of scale b, (m,).

    For option i it is ∫ f(x - sᵢ) Πⱼ F(x - sⱼ) dx over j ≠ i, with density f and distribution
    function F of the noise, on a grid that is fine around every score.

    Examples
    --------
    >>> noisy_winner(np.array([1.0, 1.0, 1.0]), 2.0).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    s = np.asarray(scores, float) / scale
    near = np.sinh(np.linspace(-4, 4, _FINE // 2 + 1)) / np.sinh(4) * 40
    x = np.unique(np.concatenate([place + near for place in np.unique(s)]))
    z = x - s[:, None]
    tail = np.exp(-np.abs(z)) / 2
    below = np.where(z > 0, 1 - tail, tail)
    product = np.prod(below, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = np.where(below > 0, product / below, 0.0)
    probabilities = np.trapezoid(tail * others, x, axis=1)
    return np.asarray(probabilities / probabilities.sum(), float)


def noisy_best(scores: NDArray[np.float64], scale: float, rng: np.random.Generator) -> int:
    """Return the index of the largest of the scores (m,) plus Laplace noise; the noisy scores stay secret."""
    return int(np.argmax(np.asarray(scores, float) + scale * rng.laplace(size=len(scores))))


def _shown(chosen: Floats, neighbours: Floats, monotone: bool) -> Floats:
    """Return the largest |ln ratio| of the choice probabilities over all neighbours, at every ε, (E,).

    Options whose probabilities are near 0 under both scores are ignored.
    """
    ratios = []
    for p, e in zip(chosen, EPSILON_GRID, strict=True):
        q = exponential_probabilities(neighbours, 1.0, epsilon=e, monotone=monotone)
        both = (p > 1e-300) & (q > 1e-300)
        ratios.append(np.abs(np.log(np.where(both, p / np.where(both, q, 1), 1.0))).max())
    return np.array(ratios)


def choice_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of one choice, the same for the exponential mechanism and for the largest noisy score."""
    mechanism = Exponential(epsilon=params.epsilon, monotone=params.monotone)
    kind = (
        "counts, which one person can only raise together"
        if params.monotone
        else "scores that one person may move either way, by at most 1"
    )
    return mechanism_guarantee(
        mechanism,
        params.epsilon,
        f"exponential mechanism on {kind} (McSherry and Talwar 2007); the largest of scores with Laplace "
        "noise costs the same (Dwork and Roth 2014, section 3.3)",
    )


_MOST = 160


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """Mechanism that publishes every record with probability δ, independently; or else one random record.

    It is (0, δ)-DP, since a record changes the result only if it is itself published. Publishing
    one of n records is (0, 1/n)-DP.

    Parameters
    ----------
    n_people : int
        Number n of records, ≥ 1; public if one record is chosen.
    chance : float or None
        Probability δ in (0, 1] of each record; None: one record is chosen at random.
    """

    n_people: int
    chance: float | None = None

    def __post_init__(self) -> None:
        _checks.integer("n_people", self.n_people, low=1)
        if self.chance is not None:
            _checks.number("chance", self.chance, low=0, high=1, open_low=True)

    @property
    def delta(self) -> float:
        """Probability δ that a particular record is published."""
        return 1 / self.n_people if self.chance is None else self.chance

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the indices of the records that one release publishes."""
        if self.chance is None:
            return np.array([rng.integers(self.n_people)])
        return np.flatnonzero(rng.random(self.n_people) < self.chance)

    @property
    def privacy(self) -> Guarantee:
        """Guarantee of one release: ε = 0 at the δ of `delta`."""
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
    """Return the probability that at least one of n records is published, 1 - (1 - δ)ⁿ.

    With ``one``, if exactly one record is published, the probability is 1.

    Examples
    --------
    >>> round(somebody(0.01, 100), 4)
    0.634
    """
    return 1.0 if one else -math.expm1(n_people * math.log1p(-min(chance, 1 - 1e-16)))


@dataclass(frozen=True, kw_only=True)
class Publish:
    """Published records of one release, for C probabilities δ and N numbers of people n.

    - ``places`` (N, 1000, 2): positions of the n people in a figure, padded to 1000 with positions
      outside of it.
    - ``shown`` (C, N, 160, 2): positions of the first 160 published records, padded likewise.
    - ``picked``: for each of C probabilities and N numbers, the indices of all published records.
    - ``expected`` and ``somebody`` (C, N): expected number of published records, and the
      probability of at least one.
    """

    places: Floats
    shown: Floats
    picked: tuple[tuple[tuple[int, ...], ...], ...]
    expected: Floats
    somebody: Floats


def publish(params: QueriesParams) -> Publish:
    """Return the records that one release publishes, for every δ and n, from the same uniform numbers for all δ.

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
    """Return the positions of n people in rows of the square [-1, 1]², (n, 2)."""
    side = math.ceil(math.sqrt(n))
    rows, columns = np.divmod(np.arange(n), side)
    return np.stack([(columns + 0.5) / side, 1 - (rows + 0.5) / side], -1) * 2 - 1


def _padded(points: Floats, length: int) -> Floats:
    out = np.full((length, 2), 9.0)  # outside of the picture
    out[: len(points)] = points
    return out
