"""How much noise a budget asks for: the smallest σ whose account stays within it."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpcore import _checks
from dpcore._memo import ACCOUNTS
from dpcore.accounting import simple
from dpcore.accounting.events import Event, Sequence
from dpcore.accounting.pld import refuse_added
from dpcore.accounting.public import MOST_STEPS, refuse_rdp, spent, steps_event
from dpcore.units import Neighbouring

__all__ = ["noise_multiplier"]

_MOST_STEPS_OF_SEARCH = 200_000
_LARGEST_NOISE = 1e6
_SMALLEST_NOISE = 1e-6
_Cost = Callable[[float], float]


@ACCOUNTS.of
def noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    sample_rate: float,
    n_steps: int,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
    besides: Event | None = None,
    lots: str = "poisson",
) -> float:
    """Return the smallest σ at which T subsampled Gaussian steps cost at most (ε, δ).

    Parameters
    ----------
    epsilon : float
        ε > 0; inf gives 0.
    delta : float
        δ in (0, 1); below 1 - (1 - q)^T, the chance that a record is drawn at all.
    sample_rate : float
        q in (0, 1].
    n_steps : int
        T from 0 to 10⁷; 0 gives 0.
    neighbouring : "add_remove" or "replace_one"
        For which data sets it holds.
    accountant : "pld" or "rdp"
        Which account has to be met.
    besides : Event, optional
        What else is released from the same data and has to fit into the same (ε, δ).
    lots : "poisson" or "fixed"
        As in `epsilon`.

    Returns
    -------
    float
        σ on the safe side, within 0.1 % of the smallest; above 200,000 steps, where the tight account
        takes too long to search, the σ of the closed bound, a few percent larger.

    Raises
    ------
    ValueError
        When an argument is outside its range, the budget asks for σ above 10⁶ or would be met without
        any noise, or ``besides`` alone costs more.

    See Also
    --------
    epsilon, paper_noise_multiplier

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    A. Koskela, J. Jälkö and A. Honkela, "Computing tight differential privacy guarantees using
    FFT", AISTATS, 2020.

    Examples
    --------
    >>> round(noise_multiplier(2.0, 1e-5, sample_rate=0.01, n_steps=5000, accountant="rdp"), 2)
    1.69
    """
    count = _checks.integer("n_steps", n_steps, low=0, high=MOST_STEPS)
    if epsilon == math.inf or count == 0:
        return 0.0
    goal = _checks.number("epsilon", epsilon, low=0, open_low=True)
    fixed = lots == "fixed"

    def cost(log_sigma: float, method: str) -> float:
        steps = steps_event(math.exp(log_sigma), sample_rate, n_steps=count, lots=lots)
        whole = steps if besides is None else Sequence((besides, steps))
        if method == "bound":
            return simple.upper_bound(whole, delta, neighbouring=neighbouring)
        relation: Neighbouring = "add_remove" if method == "rdp" and not fixed else neighbouring
        return spent(whole, delta, neighbouring=relation, accountant=method)

    _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    _checks.delta(delta)
    _refuse_rare(sample_rate, count, delta)
    _refuse_full(besides, goal, delta, neighbouring)
    one = steps_event(1.0, sample_rate, n_steps=count, lots=lots)
    refuse_added(one, neighbouring)
    if accountant == "rdp":
        refuse_rdp(one if besides is None else Sequence((besides, one)), neighbouring)
        return math.exp(_bracketed(lambda s: cost(s, "rdp"), goal, 1e-5, None))
    if count > _MOST_STEPS_OF_SEARCH:
        return math.exp(_bracketed(lambda s: cost(s, "bound"), goal, 5e-4, None))
    guess = _bracketed(lambda s: cost(s, "bound" if fixed else "rdp"), goal, 1e-3, None)
    if neighbouring == "replace_one" and not fixed:
        guess += math.log(2)
    # A tiny ε is met by noise that hardly depends on it: fewer tries are enough.
    tolerance = 5e-4 if goal >= 1e-3 else 5e-3
    return math.exp(_bracketed(lambda s: cost(s, "pld"), goal, tolerance, guess))


def _refuse_rare(sample_rate: float, n_steps: int, delta: float) -> None:
    if sample_rate == 1:
        return
    drawn = -math.expm1(n_steps * math.log1p(-sample_rate))
    if drawn <= delta:
        raise ValueError(
            f"delta={delta:g} is not below {drawn:.3g}, the chance that a record is drawn at all: no noise "
            "would meet it, and whoever is drawn would be published. Give a smaller delta."
        )


def _refuse_full(
    besides: Event | None, goal: float, delta: float, neighbouring: Neighbouring
) -> None:
    if besides is None:
        return
    alone = spent(besides, delta, neighbouring=neighbouring)
    if alone >= goal:
        raise ValueError(
            f"epsilon={goal:g} is used up: what is released besides costs {alone:.4g} alone. "
            "Give a larger epsilon, or more noise there."
        )


def _bracketed(cost: _Cost, goal: float, tolerance: float, guess: float | None) -> float:
    """The smallest ln σ with cost ≤ goal, from above, by the secant in (ln σ, ln cost)."""
    high = math.log(1.0) if guess is None else guess
    at_high = cost(high)
    low, at_low = high, at_high
    stride = 0.1 if guess is not None else 1.0
    while at_high > goal:
        if high >= math.log(_LARGEST_NOISE):
            raise ValueError(
                f"epsilon={goal:g} asks for a noise multiplier above {_LARGEST_NOISE:g}: "
                "give a larger epsilon or delta, or fewer steps."
            )
        low, at_low = high, at_high
        high = min(high + stride, math.log(_LARGEST_NOISE))
        stride *= 2
        at_high = cost(high)
    while at_low <= goal:
        if low <= math.log(_SMALLEST_NOISE):
            return low
        low -= stride
        stride *= 2
        at_low = cost(low)
    return _narrowed(cost, goal, tolerance, (low, at_low), (high, at_high))


def _narrowed(
    cost: _Cost,
    goal: float,
    tolerance: float,
    below: tuple[float, float],
    above: tuple[float, float],
) -> float:
    while above[0] - below[0] > tolerance:
        if math.isinf(below[1]) or above[1] <= 0:
            middle = (below[0] + above[0]) / 2
        else:
            slope = (math.log(above[1]) - math.log(below[1])) / (above[0] - below[0])
            middle = below[0] + (math.log(goal) - math.log(below[1])) / slope
            # Aim a little past the root on alternate sides, so that the bracket closes.
            edge = 0.4 * tolerance
            middle = min(max(middle + edge, below[0] + edge), above[0] - edge)
            if middle + tolerance >= above[0]:
                middle = max(above[0] - 0.9 * tolerance, (below[0] + above[0]) / 2)
        found = cost(middle)
        if found <= goal:
            above = (middle, found)
        else:
            below = (middle, found)
    return above[0]
