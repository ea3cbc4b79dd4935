"""Computations for a class: a private poll, bets on a person's presence in a count, and quantiles of predictions.

All functions are pure. Other modules handle storage and devices.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from dpcore import _checks
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Laplace, RandomizedResponse

__all__ = [
    "N_BETS", "SMALLEST_CLASS", "Bets", "Phones", "PrivatePoll", "answer_phones", "bets", "count_to_bet_on", "crowd",
]  # fmt: skip

Floats = NDArray[np.float64]
N_BETS = 20
"""Number of bets that each student places."""
SMALLEST_CLASS = 10
"""Smallest number of answers at which a poll's result is displayed."""


@dataclass(frozen=True, kw_only=True)
class PrivatePoll:
    """A yes/no question answered by randomized response on each person's own device (Warner 1965).

    The device tosses two coins. With probability tanh(ε/2) the first coin selects the person's own
    answer. Otherwise the second coin, which is fair, decides the answer. So the truth is sent with
    probability e^ε/(1 + e^ε). ``epsilon`` > 0, finite.

    References
    ----------
    S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias",
    Journal of the American Statistical Association 60, 1965.

    Examples
    --------
    >>> poll = PrivatePoll(epsilon=math.log(3))
    >>> round(poll.own_answer, 3), round(poll.standard_error(0.3, 30), 3)
    (0.5, 0.179)
    """

    epsilon: float

    def __post_init__(self) -> None:
        _checks.number("epsilon", self.epsilon, low=_checks.SMALLEST_EPSILON)

    @cached_property
    def response(self) -> RandomizedResponse:
        """Mechanism that each device applies to the answer of the person who uses it."""
        return RandomizedResponse(epsilon=self.epsilon)

    @cached_property
    def guarantee(self) -> Guarantee:
        """Guarantee of one answer, for the person who gives it."""
        return self.response.privacy

    @property
    def own_answer(self) -> float:
        """Probability tanh(ε/2) that the first coin selects the person's own answer."""
        return math.tanh(self.epsilon / 2)

    def estimate(self, n_yes: int, n_people: int) -> float:
        """Return the unbiased estimate, possibly outside [0, 1], of the share of people with the true answer yes.

        Parameters
        ----------
        n_yes, n_people : int
            Number of noisy "yes" answers, and number of all answers; 0 ≤ n_yes ≤ n_people, n_people
            ≥ 1.
        """
        return float(self.response.estimate(self._seen(n_yes, n_people)))

    def standard_error(self, share: float, n_people: int) -> float:
        """Return the standard deviation of the estimate if the class is a random sample of a population.

        The formula is √(s(1 - s)/n)/(2p - 1), with s the probability of a noisy yes, p the
        probability of sending the truth, and n the number of people. The standard deviation for a
        fixed set of people, `coin_error`, is slightly smaller.
        """
        n = _checks.integer("n_people", n_people, low=1)
        truth = self.response.truth
        gain = 2 * truth - 1
        seen = (1 - truth) + _checks.number("share", share, low=0, high=1) * gain
        return math.sqrt(seen * (1 - seen) / n) / gain

    def coin_error(self, n_people: int) -> float:
        """Return the standard deviation of the estimate for a fixed set of people, where only the coins are random.

        The formula is √(p(1 - p)/n)/(2p - 1), with p the probability of sending the truth and n the
        number of people.
        """
        return float(self.response.standard_error(0.0, n_people))

    def band(self, n_yes: int, n_people: int, confidence: float = 0.95) -> tuple[float, float]:
        """Return a confidence interval for the share of people with the true answer yes.

        Wilson's interval for the share of noisy "yes" answers is converted to true answers.

        Parameters
        ----------
        n_yes, n_people : int
            Number of noisy "yes" answers, and number of all answers.
        confidence : float
            Confidence in (0, 1).

        Returns
        -------
        tuple of float
            Lower and upper end; they may lie outside [0, 1].
        """
        seen, z = self._seen(n_yes, n_people), float(ndtri((1 + confidence) / 2))
        spread = z * math.sqrt(seen * (1 - seen) / n_people + (z / n_people) ** 2 / 4)
        middle, whole = seen + z * z / n_people / 2, 1 + z * z / n_people
        low, high = self.response.estimate([(middle - spread) / whole, (middle + spread) / whole])
        return float(low), float(high)

    @staticmethod
    def _seen(n_yes: int, n_people: int) -> float:
        n = _checks.integer("n_people", n_people, low=1)
        return _checks.integer("n_yes", n_yes, low=0, high=n) / n


@dataclass(frozen=True, kw_only=True)
class Phones:
    """Answers of n phones to a private poll, for E values of ε.

    The coins are the same for every ε.

    - ``truth`` (n,): the true answers.
    - ``device`` (E, n): whether the second coin answers instead of the person.
    - ``answers`` (E, n): the answers sent.
    - ``estimates`` (E, n): estimated share of yes after the first 1, 2, ..., n answers.
    """

    truth: NDArray[np.bool_]
    device: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    estimates: Floats


def answer_phones(
    epsilons: ArrayLike, n_people: int = 12, n_yes: int = 3, *, seed: int = 3, toss: int = 0
) -> Phones:
    """Return the answers of a small class's phones, with the same coins at every ε.

    ``n_yes`` of the ``n_people`` people have the true answer yes. Another number ``toss`` gives other
    coins for the same people.

    Examples
    --------
    >>> phones = answer_phones([0.5, 20.0])
    >>> bool((phones.answers[1] == phones.truth).all()), round(float(phones.estimates[1, -1]), 3)
    (True, 0.25)
    """
    truth = np.random.default_rng(seed).permutation(n_people) < n_yes
    first, second = np.random.default_rng((seed, toss)).random((2, n_people))
    polls = [PrivatePoll(epsilon=float(epsilon)) for epsilon in np.asarray(epsilons)]
    device = np.array([first >= poll.own_answer for poll in polls])
    answers = np.where(device, second < 0.5, truth)
    estimates = [
        [poll.estimate(int(row[:k].sum()), k) for k in range(1, n_people + 1)]
        for poll, row in zip(polls, answers, strict=True)
    ]
    return Phones(truth=truth, device=device, answers=answers, estimates=np.array(estimates))


@dataclass(frozen=True)
class Bets:
    """Twenty rounds of a game about one person, Ada, and a noisy count.

    An attacker guesses whether Ada was included in the count.

    - ``published`` (20,): the noisy counts.
    - ``present`` (20,): whether Ada was included.
    """

    published: Floats
    present: NDArray[np.bool_]

    def hits(self, guesses: ArrayLike) -> int:
        """Return the number of the attacker's 20 guesses that are correct."""
        answers = np.asarray(guesses, bool)
        if answers.shape != self.present.shape:
            raise ValueError(f"guesses have shape {answers.shape}: give {N_BETS} of them.")
        return int((answers == self.present).sum())


def count_to_bet_on(epsilon: float) -> Laplace:
    """Return the Laplace mechanism that publishes one count, with a guarantee that bounds any attacker's success."""
    return Laplace(epsilon=epsilon, sensitivity=1.0)


def bets(epsilon: float, seed: bytes, answer: int = 100) -> Bets:
    """Return twenty counts with Laplace noise, each with or without one person, Ada.

    For each count a fair coin decides whether Ada is included.

    Parameters
    ----------
    epsilon : float
        ε > 0 of one count.
    seed : bytes
        Seed of coins and noise: the same bytes give the same bets.
    answer : int
        The count without Ada.

    Returns
    -------
    Bets
        The counts, rounded to one decimal, which costs no privacy.
    """
    noise = count_to_bet_on(epsilon)
    rng = np.random.default_rng(np.frombuffer(hashlib.sha256(seed).digest(), np.uint32))
    present = rng.random(N_BETS) < 0.5
    published = noise.sample(answer + present.astype(float), rng)
    return Bets(np.round(published, 1), present)


def crowd(counts: ArrayLike, levels: ArrayLike, shares: ArrayLike = (0.1, 0.5, 0.9)) -> Floats:
    """Return quantiles, at each position, of the curves that the people of a class have drawn.

    The result is computed from the numbers of people who have drawn each height at each position. The
    curves themselves are not stored.

    Parameters
    ----------
    counts : array_like
        Number of people (places, levels) who have drawn each height at each position.
    levels : array_like
        The heights that can be drawn, ascending, (levels,).
    shares : array_like
        Probabilities of the quantiles, (q,).

    Returns
    -------
    ndarray
        Quantiles (q, places); NaN at positions where nobody drew.
    """
    c, heights = np.asarray(counts, float), np.asarray(levels, float)
    wanted = np.asarray(shares, float)[:, None]
    total = c.sum(1)
    reached = np.cumsum(c, 1)[None] >= (wanted * total)[..., None] - 1e-9
    return np.where(total > 0, heights[reached.argmax(-1)], np.nan)
