"""A choice among a reader's own options: the exponential mechanism, and Laplace noise on the same question."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import Options, QueriesParams, options
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Exponential, exponential_probabilities
from dpcore.mechanisms.choice import mechanism_guarantee

__all__ = [
    "Choosing",
    "choice_guarantee",
    "choosing",
    "clearest_neighbour",
    "noisy_best",
    "noisy_winner",
]

Floats = NDArray[np.float64]
_FINE = 1600


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """m options; E = 50 values of ε.

    ``chosen``, ``chosen_other`` (E, m): how often the exponential mechanism gives each option, with these scores
    and with those of the neighbour ``other``; ``winner``, ``winner_other`` (E, m): the option with the largest
    noisy score, of which the name alone is published; ``all_scores`` (E, m): the same where all noisy scores are
    published, at the same ε; ``shown`` (E,): the largest |ln ratio| of the exponential mechanism over all
    neighbours; ``loss`` (E, 3): how much worse than the best score on average.
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
    """Return how often three mechanisms of the same ε choose each option.

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
    given = options(params.options)
    here = np.array(given.scores)
    moves = here + _moves(len(here), monotone=params.monotone)
    there = np.array(clearest_neighbour(given.scores, monotone=params.monotone))
    one = 1.0 if params.monotone else 2.0
    pairs = [
        np.array([exponential_probabilities(s, 1.0, epsilon=e, monotone=params.monotone) for e in EPSILON_GRID])
        for s in (here, there)
    ]  # fmt: skip
    winners = [np.array([noisy_winner(s, one / e) for e in EPSILON_GRID]) for s in (here, there)]
    everything = np.array([noisy_winner(here, len(here) / e) for e in EPSILON_GRID])
    return Choosing(
        options=given, other=tuple(there), chosen=pairs[0], chosen_other=pairs[1],
        winner=winners[0], winner_other=winners[1], all_scores=everything,
        shown=_shown(pairs[0], moves, params.monotone),
        loss=here.max() - np.stack([pairs[0] @ here, winners[0] @ here, everything @ here], -1),
    )  # fmt: skip


def _moves(m: int, *, monotone: bool) -> Floats:
    """Every way in which one person moves m scores by at most 1; those between are never worse."""
    return np.array(list(itertools.product((0.0, 1.0) if monotone else (-1.0, 1.0), repeat=m)))


def clearest_neighbour(scores: tuple[float, ...], *, monotone: bool) -> tuple[float, ...]:
    """Return the scores of the neighbour that a choice tells apart best, at ε = 1.

    One person moves every score by at most 1: up only where scores are counts (monotone), else
    either way; all of these moves are tried.

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
    """Return how often each of m scores is the largest under Laplace noise of scale b, (m,).

    ∫ f(x - sᵢ) Πⱼ F(x - sⱼ) dx over j ≠ i, on a grid that is fine around every score.

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
    found = np.trapezoid(tail * others, x, axis=1)
    return np.asarray(found / found.sum(), float)


def noisy_best(scores: NDArray[np.float64], scale: float, rng: np.random.Generator) -> int:
    """Return the option with the largest of scores (m,) plus Laplace noise; the noisy scores stay secret."""
    return int(np.argmax(np.asarray(scores, float) + scale * rng.laplace(size=len(scores))))


def _shown(chosen: Floats, neighbours: Floats, monotone: bool) -> Floats:
    """The largest |ln ratio| over all neighbours, at every ε; what never happens in both is left out."""
    found = []
    for p, e in zip(chosen, EPSILON_GRID, strict=True):
        q = exponential_probabilities(neighbours, 1.0, epsilon=e, monotone=monotone)
        both = (p > 1e-300) & (q > 1e-300)
        found.append(np.abs(np.log(np.where(both, p / np.where(both, q, 1), 1.0))).max())
    return np.array(found)


def choice_guarantee(params: QueriesParams) -> Guarantee:
    """Return what one choice promises: ε, by the exponential mechanism and by the noisy winner alike."""
    made = Exponential(epsilon=params.epsilon, monotone=params.monotone)
    kind = (
        "counts, which one person can only raise together"
        if params.monotone
        else "scores that one person may move either way, by at most 1"
    )
    return mechanism_guarantee(
        made,
        params.epsilon,
        f"exponential mechanism on {kind} (McSherry and Talwar 2007); the largest of scores with Laplace "
        "noise costs the same (Dwork and Roth 2014, section 3.3)",
    )
