"""The three questions one asks an accountant: what did it cost, how much noise, what in total."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpcore import _checks
from dpcore.accounting import pld, rdp
from dpcore.accounting.events import Event, Gaussian, Repeated, Sequence, sampled
from dpcore.guarantee import Neighbouring

__all__ = ["epsilon", "noise_multiplier", "paper_noise_multiplier", "spent"]

_ACCOUNTANTS = ("pld", "rdp")
_LARGEST_NOISE = 1e6


def _steps(noise_multiplier: float, sample_rate: float, n_steps: int) -> Event:
    one = Gaussian(noise_multiplier)
    return Repeated(sampled(one, sample_rate), n_steps)


def epsilon(
    noise_multiplier: float,
    sample_rate: float,
    n_steps: int,
    delta: float,
    *,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
) -> float:
    """Return the ε of T Poisson-subsampled Gaussian steps at δ, the cost of DP-SGD.

    Parameters
    ----------
    noise_multiplier : float
        σ ≥ 0, noise standard deviation over clipping norm; 0 costs inf.
    sample_rate : float
        q in (0, 1].
    n_steps : int
        T ≥ 0.
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        For which data sets it holds.
    accountant : "pld" or "rdp"
        Tight, or an instant upper bound.

    Returns
    -------
    float
        An upper bound on ε; by PLD within about 0.02 %.

    Raises
    ------
    ValueError
        When an argument is outside its range, or RDP is asked about replaced records.

    Examples
    --------
    >>> round(epsilon(2.0, 0.01, 5000, 1e-5, accountant="rdp"), 4)
    1.6131
    """
    _checks.number("noise_multiplier", noise_multiplier, low=0)
    _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    _checks.integer("n_steps", n_steps, low=0)
    return spent(
        _steps(noise_multiplier, sample_rate, n_steps),
        delta,
        neighbouring=neighbouring,
        accountant=accountant,
    )


def spent(
    event: Event,
    delta: float,
    *,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
) -> float:
    """Return the ε of any sequence of events at δ, all on the same data.

    Parameters
    ----------
    event : Event
        What happened; a `Sequence` composes its parts jointly.
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        For which data sets it holds.
    accountant : "pld" or "rdp"
        Tight, or an instant upper bound.

    Returns
    -------
    float
        An upper bound on ε; inf when something was released without noise.

    Raises
    ------
    ValueError
        When an argument is outside its range, or RDP is asked about replaced records.

    Examples
    --------
    >>> round(spent(Repeated(Gaussian(10.0), 4), 1e-5, accountant="rdp"), 3)
    0.795
    """
    _checks.delta(delta)
    _checks.one_of("neighbouring", neighbouring, ("add_remove", "replace_one"))
    _checks.one_of("accountant", accountant, _ACCOUNTANTS)
    if pld.is_free(event):
        return 0.0
    if pld.is_open(event):
        return math.inf
    if accountant == "rdp":
        if neighbouring == "replace_one":
            raise ValueError(
                "neighbouring='replace_one' is not covered by accountant='rdp': use 'pld'."
            )
        return float(rdp.to_epsilon(rdp.curve(event), delta))
    # The width of the grid needs the size of the answer only; twice is right for replacement too.
    rough = float(rdp.to_epsilon(rdp.curve(event), delta))
    return pld.epsilon(event, delta, neighbouring=neighbouring, rough=rough)


@lru_cache(maxsize=4096)
def noise_multiplier(
    epsilon: float,
    delta: float,
    sample_rate: float,
    n_steps: int,
    *,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
    besides: Event | None = None,
) -> float:
    """Return the smallest σ at which T Poisson-subsampled Gaussian steps cost at most (ε, δ).

    Parameters
    ----------
    epsilon : float
        ε > 0; inf gives 0.
    delta : float
        δ in (0, 1).
    sample_rate : float
        q in (0, 1].
    n_steps : int
        T ≥ 0; 0 gives 0.
    neighbouring : "add_remove" or "replace_one"
        For which data sets it holds.
    accountant : "pld" or "rdp"
        Which account has to be met.
    besides : Event, optional
        What else is released from the same data and has to fit into the same (ε, δ).

    Returns
    -------
    float
        σ on the safe side, within 0.1 % of the smallest.

    Raises
    ------
    ValueError
        When an argument is outside its range, the budget asks for σ above 10⁶, or ``besides`` alone
        costs more.

    Examples
    --------
    >>> round(noise_multiplier(2.0, 1e-5, 0.01, 5000, accountant="rdp"), 2)
    1.69
    """
    if epsilon == math.inf or n_steps == 0:
        return 0.0
    goal = _checks.number("epsilon", epsilon, low=0, open_low=True)

    def cost(log_sigma: float, method: str) -> float:
        relation: Neighbouring = "add_remove" if method == "rdp" else neighbouring
        steps = _steps(math.exp(log_sigma), sample_rate, n_steps)
        whole = steps if besides is None else Sequence((besides, steps))
        return spent(whole, delta, neighbouring=relation, accountant=method)

    _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    _checks.integer("n_steps", n_steps, low=0)
    _refuse_full(besides, goal, delta, neighbouring)
    if accountant == "rdp":
        _refuse_rdp(neighbouring)
        return math.exp(_bracketed(lambda s: cost(s, "rdp"), goal, 1e-5, None))
    guess = _bracketed(lambda s: cost(s, "rdp"), goal, 1e-3, None)
    if neighbouring == "replace_one":
        guess += math.log(2)
    return math.exp(_bracketed(lambda s: cost(s, "pld"), goal, 5e-4, guess))


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


def _refuse_rdp(neighbouring: Neighbouring) -> None:
    if neighbouring == "replace_one":
        raise ValueError(
            "neighbouring='replace_one' is not covered by accountant='rdp': use 'pld'."
        )


def _bracketed(cost, goal: float, tolerance: float, guess: float | None) -> float:
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
        low -= stride
        stride *= 2
        at_low = cost(low)
    return _narrowed(cost, goal, tolerance, (low, at_low), (high, at_high))


def _narrowed(
    cost,
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


def paper_noise_multiplier(epsilon: float, delta: float, sample_rate: float, n_steps: int) -> float:
    """Return the printed σ = 2 q √(T ln(1/δ)) / ε: a leading-order formula, not a guarantee.

    It adds too much noise where σ is above about 1.1, and does not keep its promise below 0.75;
    see `epsilon` for what it really costs.

    Parameters
    ----------
    epsilon : float
        The ε it claims, > 0.
    delta : float
        δ in (0, 1).
    sample_rate : float
        q in (0, 1].
    n_steps : int
        T ≥ 1.

    Returns
    -------
    float
        σ (Brinkrolf, Berger and Hammer 2018, section 3).

    Examples
    --------
    >>> round(paper_noise_multiplier(0.6, 1e-5, 0.01, 5000), 3)
    7.998
    """
    eps = _checks.number("epsilon", epsilon, low=0, open_low=True)
    q = _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    steps = _checks.integer("n_steps", n_steps, low=1)
    return float(2 * q * np.sqrt(steps * np.log(1 / _checks.delta(delta))) / eps)
