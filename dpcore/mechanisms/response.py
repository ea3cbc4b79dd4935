"""Randomized response: every person randomises their own answer (Warner 1965)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.mechanisms.choice import mechanism_guarantee

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = ["RandomizedResponse", "randomized_response"]


def randomized_response(epsilon: float, n_options: int = 2) -> RandomizedResponse:
    """Return a randomized response mechanism; the true answer has probability e^ε/(e^ε + m - 1).

    Parameters
    ----------
    epsilon : float
        ε > 0; with inf the answer is always the true one.
    n_options : int
        Number m ≥ 2 of possible answers. An untrue answer is one of the m - 1 others, all equally likely.

    Returns
    -------
    RandomizedResponse
        The mechanism for one person's answer.

    See Also
    --------
    RandomizedResponse

    References
    ----------
    S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias",
    Journal of the American Statistical Association 60, 1965.

    Examples
    --------
    >>> round(randomized_response(1.0).truth, 4)
    0.7311
    """
    return RandomizedResponse(epsilon=epsilon, n_options=n_options)


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse:
    """Randomized response (Warner 1965), a local mechanism: people randomise their own answers.

    ``epsilon`` is > 0, and the number ``n_options`` of possible answers is ≥ 2. Neighbouring data sets are two
    different true answers of the same person (replace_one).

    See Also
    --------
    randomized_response, Exponential

    References
    ----------
    S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias",
    Journal of the American Statistical Association 60, 1965.
    """

    epsilon: float
    n_options: int = 2
    neighbouring: Neighbouring = "replace_one"
    name: ClassVar[str] = "Randomized response"

    def __post_init__(self) -> None:
        _checks.epsilon(self.epsilon)
        _checks.integer("n_options", self.n_options, low=2)
        if self.neighbouring != "replace_one":
            raise ValueError(
                f"neighbouring={self.neighbouring!r} is not allowed: whoever answers is seen to answer, "
                "so that only the answer is protected. Use 'replace_one'."
            )

    @property
    def truth(self) -> float:
        """Probability of giving the true answer."""
        return 1 / (1 + (self.n_options - 1) * math.exp(-self.epsilon))

    @property
    def _log_lie(self) -> float:
        """Log probability ln(1 - truth) of an untrue answer.

        It is finite even where 1 - truth rounds to 0.
        """
        lies = math.log(self.n_options - 1) - self.epsilon
        return float(lies - np.logaddexp(0.0, lies))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Probabilities (m, m) of the given answer (column) for the true answer (row), for m possible answers."""
        lie = (1 - self.truth) / (self.n_options - 1)
        return np.full((self.n_options, self.n_options), lie) + np.eye(self.n_options) * (
            self.truth - lie
        )

    def sample(self, truth: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a randomized answer, a number from 0 to m - 1, for every true answer (any shape).

        There are m options.

        Raises
        ------
        ValueError
            When a true answer is none of the options.
        """
        t = self._among_the_options(truth)
        other = (t + rng.integers(1, self.n_options, size=t.shape)) % self.n_options
        truly = _draws.log_tail(rng, t.shape) > self._log_lie
        return np.where(truly, t, other)

    def _among_the_options(self, truth: ArrayLike) -> NDArray[np.int64]:
        answers = np.asarray(truth)
        whole = answers.dtype.kind in "iub" or (
            answers.dtype.kind == "f" and bool(np.equal(np.mod(answers, 1), 0).all())
        )
        if not whole or ((answers < 0) | (answers >= self.n_options)).any():
            raise ValueError(
                f"truth holds an answer that is no option: give whole numbers from 0 to {self.n_options - 1}."
            )
        return answers.astype(np.int64)

    def estimate(self, shares: ArrayLike) -> NDArray[np.float64]:
        """Return unbiased estimates of the shares of true answers, from the shares of given answers.

        Estimates and shares are (..., m) for m possible answers.
        """
        lie = (1 - self.truth) / (self.n_options - 1)
        return (np.asarray(shares, float) - lie) / (self.truth - lie)

    def standard_error(self, share: ArrayLike, n_samples: int) -> NDArray[np.float64]:
        """Return the standard deviation of a share estimated from the answers of n people.

        ``share`` is the true share. It may have any shape, and the result has the same shape.
        """
        n = _checks.integer("n_samples", n_samples, low=1)
        lie = (1 - self.truth) / (self.n_options - 1)
        seen = lie + np.asarray(share, float) * (self.truth - lie)
        # The true answers are fixed; only the mechanism is random.
        own = np.asarray(share, float)
        spread = own * self.truth * (1 - self.truth) + (1 - own) * lie * (1 - lie)
        return np.sqrt(np.minimum(spread, seen * (1 - seen) + 1e-30) / n) / (self.truth - lie)

    @property
    def event(self) -> Event:
        """Privacy event of one answer, under the mechanism's neighbouring relation."""
        from dpcore.accounting import events

        if math.isinf(self.epsilon):
            return events.GaussianEvent(0.0)
        return events.RandomizedResponseEvent(self.epsilon, self.n_options)

    @property
    def privacy(self) -> Guarantee:
        """Privacy guarantee of one answer, for the person who gives it."""
        return mechanism_guarantee(self, self.epsilon, "ratio of answer probabilities, Warner 1965")
