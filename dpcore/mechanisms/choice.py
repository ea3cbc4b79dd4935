"""Mechanisms that choose among options: the exponential mechanism and randomized response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.guarantee import Guarantee, Neighbouring, Part

__all__ = [
    "Exponential",
    "RandomizedResponse",
    "exponential_probabilities",
    "printed_exponential_epsilon",
    "randomized_response",
]


def exponential_probabilities(
    scores: ArrayLike,
    sensitivity: float,
    epsilon: float,
    *,
    monotone: bool = False,
    as_printed: bool = False,
) -> NDArray[np.float64]:
    """Return the probabilities with which the exponential mechanism chooses each option.

    P(o) ∝ e^{ε s(o)/(2Δ)} is ε-DP (McSherry and Talwar 2007). Without the 2 it is ε-DP only for
    monotone scores: one record moves all scores in the same direction (counts, add or remove).

    Parameters
    ----------
    scores : array (..., m)
        s(D, o) of m options.
    sensitivity : float
        Δ ≥ 0: how far one record moves any score; 0 gives all to the best options.
    epsilon : float
        ε > 0; inf gives all to the best options.
    monotone : bool
        Whether the scores are monotone, so that the 2 may be dropped.
    as_printed : bool
        The lecture's formula, without the 2 whatever the scores: 2ε-DP in general.

    Returns
    -------
    ndarray (..., m)
        Rows sum to 1.

    Raises
    ------
    ValueError
        When an argument is outside its range, or a score is not a number.

    Examples
    --------
    >>> exponential_probabilities([3, 1], 1.0, 1.0).round(3).tolist()
    [0.731, 0.269]
    """
    s = np.asarray(scores, float)
    if s.ndim == 0 or s.shape[-1] == 0 or not np.isfinite(s).all():
        raise ValueError(
            f"scores={scores!r} are not allowed: give a finite number for each option."
        )
    reach = _checks.number("sensitivity", sensitivity, low=0)
    _checks.epsilon(epsilon)
    below = s - s.max(axis=-1, keepdims=True)
    if reach == 0 or math.isinf(epsilon):
        weights = (below == 0).astype(float)
    else:
        weights = np.exp(epsilon * below / (reach if monotone or as_printed else 2 * reach))
    return weights / weights.sum(axis=-1, keepdims=True)


def printed_exponential_epsilon(n_options: int, epsilon: float) -> float:
    """Return the ε that the printed formula shows on one pair of neighbours: a lower bound.

    All m scores 0 in D; in D' one is +Δ and the others -Δ: ε ≥ ln(m e^{2ε}/(e^{2ε} + m - 1)).

    Parameters
    ----------
    n_options : int
        m ≥ 1.
    epsilon : float
        The ε that is claimed, > 0.

    Returns
    -------
    float
        In (0, 2ε).

    Examples
    --------
    >>> round(printed_exponential_epsilon(1000, 1.0), 4)
    1.9936
    """
    m = _checks.integer("n_options", n_options, low=1)
    eps = _checks.number("epsilon", epsilon, low=0, open_low=True)
    return math.log(m) - float(np.logaddexp(0, math.log(max(m - 1, 1e-300)) - 2 * eps))


@dataclass(frozen=True, kw_only=True)
class Exponential:
    """The exponential mechanism, for questions whose answer is one of m options.

    ``epsilon`` > 0, ``sensitivity`` ≥ 0 of the scores, ``neighbouring``, public ``bounds`` that the
    scores are clamped to, ``monotone`` and ``as_printed`` as in `exponential_probabilities`.
    """

    epsilon: float
    sensitivity: float = 1.0
    neighbouring: Neighbouring = "add_remove"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    monotone: bool = False
    as_printed: bool = False
    name: ClassVar[str] = "Exponential mechanism"

    def __post_init__(self) -> None:
        exponential_probabilities([0.0], self.sensitivity, self.epsilon)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))

    def probabilities(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of each option, (..., m) for scores (..., m)."""
        return exponential_probabilities(
            np.clip(np.asarray(scores, float), *self.bounds),
            self.sensitivity,
            self.epsilon,
            monotone=self.monotone,
            as_printed=self.as_printed,
        )

    def sample(
        self, scores: ArrayLike, rng: np.random.Generator, size: int = 1
    ) -> NDArray[np.int64]:
        """Return chosen options, (size,), for scores (m,): the best of the scores plus Gumbel noise."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.probabilities(scores))
        return np.argmax(logs + rng.gumbel(size=(size, len(logs))), axis=-1)

    @property
    def privacy(self) -> Guarantee:
        """What one choice promises; the printed formula costs 2ε unless the scores are monotone."""
        twice = self.as_printed and not self.monotone
        real = (2 if twice else 1) * self.epsilon if self.sensitivity else 0.0
        why = "printed without the 2: 2ε-DP" if twice else "McSherry and Talwar 2007"
        return _promise(self, real, f"exponential mechanism, {why}")


def randomized_response(epsilon: float, n_options: int = 2) -> RandomizedResponse:
    """Return randomized response: tell the truth with probability e^ε/(e^ε + m - 1).

    Parameters
    ----------
    epsilon : float
        ε > 0; inf always tells the truth.
    n_options : int
        m ≥ 2 possible answers; a lie is any of the others, equally likely.

    Returns
    -------
    RandomizedResponse

    Examples
    --------
    >>> round(randomized_response(1.0).truth, 4)
    0.7311
    """
    return RandomizedResponse(epsilon=epsilon, n_options=n_options)


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse:
    """Randomized response (Warner 1965): local privacy, each person noises their own answer.

    ``epsilon`` > 0, ``n_options`` ≥ 2; neighbours are two answers of the same person (replace_one).
    """

    epsilon: float
    n_options: int = 2
    neighbouring: Neighbouring = "replace_one"
    name: ClassVar[str] = "Randomized response"

    def __post_init__(self) -> None:
        _checks.epsilon(self.epsilon)
        _checks.integer("n_options", self.n_options, low=2)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))

    @property
    def truth(self) -> float:
        """The probability of a true answer."""
        return 1 / (1 + (self.n_options - 1) * math.exp(-self.epsilon))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The probability of each answer (columns) given each truth (rows), (m, m)."""
        lie = (1 - self.truth) / (self.n_options - 1)
        return np.full((self.n_options, self.n_options), lie) + np.eye(self.n_options) * (
            self.truth - lie
        )

    def sample(self, truth: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return an answer for each true answer 0 … m - 1, any shape."""
        t = np.asarray(truth, int)
        other = (t + rng.integers(1, self.n_options, size=t.shape)) % self.n_options
        return np.where(rng.random(t.shape) < self.truth, t, other)

    def estimate(self, shares: ArrayLike) -> NDArray[np.float64]:
        """Return unbiased shares of the true answers from shares of the given ones, (..., m)."""
        lie = (1 - self.truth) / (self.n_options - 1)
        return (np.asarray(shares, float) - lie) / (self.truth - lie)

    def standard_error(self, share: ArrayLike, n_samples: int) -> NDArray[np.float64]:
        """Return the standard deviation of an estimated share (any shape) from n people."""
        n = _checks.integer("n_samples", n_samples, low=1)
        lie = (1 - self.truth) / (self.n_options - 1)
        seen = lie + np.asarray(share, float) * (self.truth - lie)
        # People and their answers are fixed; only the coins of the mechanism are random.
        own = np.asarray(share, float)
        spread = own * self.truth * (1 - self.truth) + (1 - own) * lie * (1 - lie)
        return np.sqrt(np.minimum(spread, seen * (1 - seen) + 1e-30) / n) / (self.truth - lie)

    @property
    def privacy(self) -> Guarantee:
        """What one answer promises to the person who gives it."""
        return _promise(self, self.epsilon, "ratio of answer probabilities, Warner 1965")


def _promise(
    mechanism: Exponential | RandomizedResponse, epsilon: float, argument: str
) -> Guarantee:
    part = Part(name="one choice", epsilon=epsilon, delta=0.0, mechanism=mechanism.name)
    return Guarantee(
        epsilon=epsilon,
        delta=0.0,
        neighbouring=mechanism.neighbouring,
        status="proved",
        argument=argument,
        public=("the options", "the sensitivity of the scores and ε"),
        not_protected=("further choices from the same data: they add up",),
        parts=(part,),
        claimed_epsilon=mechanism.epsilon,
    )
