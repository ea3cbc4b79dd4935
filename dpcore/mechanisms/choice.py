"""Exponential mechanism: a private choice among options by their scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws
from dpcore._types import Floats, Integers
from dpcore.guarantee import Guarantee, Neighbouring, Part, from_event

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = [
    "Exponential",
    "exponential_probabilities",
    "mechanism_guarantee",
    "printed_exponential_epsilon",
]


def exponential_probabilities(
    scores: ArrayLike,
    sensitivity: float,
    *,
    epsilon: float,
    monotone: bool = False,
    as_printed: bool = False,
) -> NDArray[np.float64]:
    """Return the exponential mechanism's probability of each option.

    The mechanism chooses option o with P(o) ∝ e^{ε s(D, o)/(2Δ)}. It is ε-DP (McSherry and Talwar 2007). Without the
    factor 2 it is ε-DP only for monotone scores, where one record moves all scores in the same direction. An example
    is counts, when a record is added or removed.

    Parameters
    ----------
    scores : array (..., m)
        Scores s(D, o) of m options.
    sensitivity : float
        Δ ≥ 0, the largest change of any score by one record. For 0 only the options with the largest score have a
        positive probability.
    epsilon : float
        ε > 0; for inf only the options with the largest score have a positive probability.
    monotone : bool
        Whether the scores are monotone; the factor 2 is then omitted.
    as_printed : bool
        Whether to use the formula in a lecture by Sarkar. It omits the factor 2 for all scores, so the mechanism is
        2ε-DP.

    Returns
    -------
    ndarray (..., m)
        Probability of each option. The sum over the last axis is 1.

    Raises
    ------
    ValueError
        When an argument is outside its range, or a score is not a number.

    See Also
    --------
    Exponential, printed_exponential_epsilon

    References
    ----------
    F. McSherry and K. Talwar, "Mechanism design via differential privacy", FOCS, 2007.

    Examples
    --------
    >>> exponential_probabilities([3, 1], 1.0, epsilon=1.0).round(3).tolist()
    [0.731, 0.269]
    """
    s = np.asarray(scores, float)
    if s.ndim == 0 or s.shape[-1] == 0 or not np.isfinite(s).all():
        raise ValueError(
            f"scores={scores!r} are not allowed: give a finite number for each option."
        )
    reach = _checks.number("sensitivity", sensitivity, low=0)
    _checks.epsilon(epsilon)
    with np.errstate(over="ignore", under="ignore"):  # weight 0 for a score far below the best
        below = s - s.max(axis=-1, keepdims=True)
        if reach == 0 or math.isinf(epsilon):
            weights = (below == 0).astype(float)
        else:
            weights = np.exp(below * (epsilon / (reach if monotone or as_printed else 2 * reach)))
    return cast(Floats, weights / weights.sum(axis=-1, keepdims=True))


def printed_exponential_epsilon(n_options: int, epsilon: float) -> float:
    """Return a lower bound on the ε of the exponential mechanism as defined in a lecture by Sarkar.

    The lecture's mechanism, P(o) ∝ e^{ε s(D, o)/Δ}, lacks the factor 2 in the denominator. The bound is the largest
    privacy loss on one pair of neighbours D and D'. In D all m scores are 0. In D' one score is Δ and the others are
    -Δ. For a claimed ε, the actual ε is therefore at least ln(m e^{2ε}/(e^{2ε} + m - 1)).

    Parameters
    ----------
    n_options : int
        Number m ≥ 1 of options.
    epsilon : float
        The claimed ε > 0.

    Returns
    -------
    float
        Lower bound in [0, 2ε).

    See Also
    --------
    exponential_probabilities

    References
    ----------
    F. McSherry and K. Talwar, "Mechanism design via differential privacy", FOCS, 2007.

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
    """Exponential mechanism: the answer to a query is one of m options with scores.

    - ``epsilon`` is > 0.
    - ``sensitivity`` ≥ 0 is the largest change of a score by one record.
    - ``bounds`` are public. Scores are clamped to them.
    - ``monotone`` and ``as_printed`` omit the factor 2 of the formula, see `exponential_probabilities`. Under
      replace_one ``monotone`` is not allowed, because a replaced record may raise one score and lower another. The
      mechanism without the factor 2 would then cost 2ε.

    See Also
    --------
    exponential_probabilities, RandomizedResponse

    References
    ----------
    F. McSherry and K. Talwar, "Mechanism design via differential privacy", FOCS, 2007.
    """

    epsilon: float
    sensitivity: float = 1.0
    neighbouring: Neighbouring = "add_remove"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    monotone: bool = False
    as_printed: bool = False
    name: ClassVar[str] = "Exponential mechanism"

    def __post_init__(self) -> None:
        exponential_probabilities([0.0], self.sensitivity, epsilon=self.epsilon)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))
        if self.monotone and self.neighbouring == "replace_one":
            raise ValueError(
                "monotone=True is not allowed with neighbouring='replace_one': a replaced record can "
                "raise one score and lower another. Use monotone=False, or 'add_remove'."
            )

    def probabilities(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities (..., m) of m options with scores (..., m)."""
        return exponential_probabilities(
            np.clip(np.asarray(scores, float), *self.bounds),
            self.sensitivity,
            epsilon=self.epsilon,
            monotone=self.monotone,
            as_printed=self.as_printed,
        )

    def sample(
        self, scores: ArrayLike, rng: np.random.Generator, size: int = 1
    ) -> NDArray[np.int64]:
        """Return the indices (size,) of options that are chosen at random, given the scores (m,) of m options."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.probabilities(scores))
        return cast(Integers, np.argmax(logs + _draws.gumbel(rng, (size, len(logs))), axis=-1))

    @property
    def event(self) -> Event:
        """Privacy event of one choice, under the mechanism's neighbouring relation."""
        from dpcore.accounting import events

        if not self.sensitivity:
            return events.Sequence(())
        real = self._real_epsilon
        return events.GaussianEvent(0.0) if math.isinf(real) else events.ExponentialEvent(real)

    @property
    def _real_epsilon(self) -> float:
        twice = self.as_printed and not self.monotone
        return (2 if twice else 1) * self.epsilon if self.sensitivity else 0.0

    @property
    def privacy(self) -> Guarantee:
        """Privacy guarantee of one choice.

        With ``as_printed`` its ε is doubled, unless the scores are monotone.
        """
        twice, real = self.as_printed and not self.monotone, self._real_epsilon
        why = "printed without the 2: 2ε-DP" if twice else "McSherry and Talwar 2007"
        return mechanism_guarantee(self, real, f"exponential mechanism, {why}")


class _Choosing(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def epsilon(self) -> float: ...
    @property
    def neighbouring(self) -> Neighbouring: ...
    @property
    def event(self) -> Event: ...


def mechanism_guarantee(mechanism: _Choosing, epsilon: float, argument: str) -> Guarantee:
    """Return the guarantee of one choice among options that costs ``epsilon``."""
    part = Part(name="one choice", epsilon=epsilon, delta=0.0, mechanism=mechanism.name)
    return from_event(
        mechanism.event,
        0.0,
        calibrated_epsilon=epsilon,
        neighbouring=mechanism.neighbouring,
        argument=argument,
        public=("the options", "the sensitivity of the scores and ε"),
        not_protected=("further choices from the same data: they add up",),
        parts=(part,),
        claimed_epsilon=mechanism.epsilon,
    )
