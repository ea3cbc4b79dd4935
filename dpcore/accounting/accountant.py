"""Main functions of the accountants, which return the ε of steps or events, or the smallest noise multiplier σ."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._memoize import ACCOUNTS
from dpcore.accounting import closed_form, convolve, pld, rdp
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    GaussianEvent,
    Repeated,
    Sequence,
    sampled,
)
from dpcore.accounting.pld import refuse_added
from dpcore.units import Neighbouring

__all__ = [
    "LOTS",
    "MOST_STEPS",
    "epsilon",
    "epsilons_by_steps",
    "noise_multiplier",
    "paper_noise_multiplier",
    "refuse_rdp",
    "spent",
    "steps_event",
]


MOST_STEPS = 10**7

LOTS = ("poisson", "fixed")

_ACCOUNTANTS = ("pld", "rdp")


def steps_event(
    noise_multiplier: float, sample_rate: float, *, n_steps: int, lots: str = "poisson"
) -> Event:
    """Return the event of T subsampled Gaussian steps, on Poisson-sampled batches or on batches of a fixed size."""
    _checks.one_of("lots", lots, LOTS)
    one = GaussianEvent(noise_multiplier)
    if lots == "fixed":
        return Repeated(FixedSizeSampled(sample_rate, one), n_steps)
    return Repeated(sampled(one, sample_rate), n_steps)


@ACCOUNTS.of
def epsilon(
    *,
    delta: float,
    noise_multiplier: float,
    sample_rate: float,
    n_steps: int,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
    lots: str = "poisson",
) -> float:
    """Return the ε at δ of T subsampled Gaussian steps, the privacy cost of DP-SGD.

    Parameters
    ----------
    delta : float
        δ in (0, 1).
    noise_multiplier : float
        σ in [0, inf], the standard deviation of the noise divided by the clipping norm. For σ = 0 the result is inf.
        For σ = inf it is 0.
    sample_rate : float
        Sampling rate q in (0, 1], the expected lot size divided by the number of records.
    n_steps : int
        Number T of steps, from 0 to 10⁷.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.
    accountant : "pld" or "rdp"
        "pld" (privacy loss distribution) is tight; "rdp" (Rényi DP) is a fast, looser upper bound.
    lots : "poisson" or "fixed"
        How a lot (batch) is drawn. "poisson": every record joins a lot with probability q. "fixed": a lot is a random
        subset of exactly L = qN of the N records (`FixedSizeSampled`); this requires replace_one.

    Returns
    -------
    float
        An upper bound on ε. With "pld" it exceeds the true ε by at most about 0.2 % if T ≤ 10⁶ and ε ≤ 100. Otherwise
        see `spent`.

    Raises
    ------
    ValueError
        When an argument is outside its range, when "rdp" is combined with replace_one on Poisson lots, or when lots
        of a fixed size are combined with add_remove.

    See Also
    --------
    noise_multiplier, spent, paper_noise_multiplier

    References
    ----------
    A. Koskela, J. Jälkö and A. Honkela, "Computing tight differential privacy guarantees using
    FFT", AISTATS, 2020.
    S. Gopi, Y. T. Lee and L. Wutschitz, "Numerical composition of differential privacy", NeurIPS,
    2021.
    I. Mironov, "Rényi differential privacy", CSF, 2017.
    I. Mironov, K. Talwar and L. Zhang, "Rényi differential privacy of the sampled Gaussian
    mechanism", arXiv:1908.10530, 2019.

    Examples
    --------
    >>> how = {"noise_multiplier": 2.0, "sample_rate": 0.01, "n_steps": 5000}
    >>> round(epsilon(delta=1e-5, **how, accountant="rdp"), 4)
    1.6131
    """
    _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    steps = _checks.integer("n_steps", n_steps, low=0, high=MOST_STEPS)
    if noise_multiplier == math.inf:
        _checks.delta(delta)
        return 0.0
    _checks.number("noise_multiplier", noise_multiplier, low=0)
    return spent(
        steps_event(noise_multiplier, sample_rate, n_steps=steps, lots=lots),
        delta,
        neighbouring=neighbouring,
        accountant=accountant,
    )


@ACCOUNTS.of
def epsilons_by_steps(
    *, delta: float, noise_multiplier: float, sample_rate: float, n_steps: tuple[int, ...]
) -> NDArray[np.float64]:
    """Return the ε (n,) at δ of T subsampled Gaussian steps, for n different values of T.

    Parameters
    ----------
    delta : float
        δ in (0, 1).
    noise_multiplier : float
        σ > 0, the standard deviation of the noise divided by the clipping norm.
    sample_rate : float
        Sampling rate q in (0, 1] of Poisson-sampled batches.
    n_steps : tuple of int
        The n values of T, each ≥ 1, in increasing order.

    Returns
    -------
    ndarray (n,)
        Upper bounds on ε, one for each T, in non-decreasing order. The last one equals the result of `epsilon`. The
        others are about 0.1 % above it, because their grid of losses is ten times as coarse.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    epsilon

    Examples
    --------
    >>> steps = {"sample_rate": 0.1, "n_steps": (10, 100)}
    >>> epsilons_by_steps(delta=1e-5, noise_multiplier=2.0, **steps).round(2).tolist()
    [0.8, 2.34]
    """
    last = epsilon(
        noise_multiplier=noise_multiplier, sample_rate=sample_rate, n_steps=n_steps[-1], delta=delta
    )
    one = sampled(GaussianEvent(noise_multiplier), sample_rate)
    if sample_rate == 1 or not pld.is_feasible(
        Repeated(one, n_steps[-1]), delta, last, neighbouring="add_remove"
    ):
        each = [
            epsilon(
                noise_multiplier=noise_multiplier, sample_rate=sample_rate, n_steps=n, delta=delta
            )
            for n in n_steps
        ]
        return np.maximum.accumulate(np.array(each))
    least = epsilon(
        noise_multiplier=noise_multiplier, sample_rate=sample_rate, n_steps=n_steps[0], delta=delta
    )
    width = min(max(2e-3 * least, 1e-5), 0.1 * pld.deviation(one), 1e-2)
    whole = convolve.along(
        pld.distribution(one, neighbouring="add_remove", width=width), list(n_steps)
    )
    epsilons = np.array([pld.epsilon_at(some, delta) for some in whole])
    epsilons[0] = min(epsilons[0], least)
    epsilons[-1] = last
    return np.minimum(np.maximum.accumulate(epsilons), last)


@ACCOUNTS.of
def spent(
    event: Event,
    delta: float,
    *,
    neighbouring: Neighbouring = "add_remove",
    accountant: str = "pld",
) -> float:
    """Return the ε at δ of any sequence of events on the same data.

    If a privacy loss distribution cannot be computed in double precision or within a few seconds, the smallest
    closed-form bound is returned. This happens for ε far above any useful value, for millions of steps, and for δ
    near 10⁻¹⁵.

    For every kind of event, a mass of 10⁻¹⁵ of the distribution is counted as an infinite loss, so that the returned
    ε is never too small. If δ is smaller than this mass, closed-form bounds are used.

    Parameters
    ----------
    event : Event
        The noisy release, or a `Sequence` of several noisy releases, which are composed.
    delta : float
        δ in (0, 1).
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.
    accountant : "pld" or "rdp"
        "pld" (privacy loss distribution) is tight; "rdp" (Rényi DP) is a fast, looser upper bound.

    Returns
    -------
    float
        An upper bound on ε; inf if any release has no noise.

    Raises
    ------
    ValueError
        When an argument is outside its range, when "rdp" is combined with replace_one (unless all lots have a fixed
        size), or when lots of a fixed size are combined with add_remove.

    See Also
    --------
    epsilon, Sequence, Repeated

    References
    ----------
    A. Koskela, J. Jälkö and A. Honkela, "Computing tight differential privacy guarantees using
    FFT", AISTATS, 2020.
    S. Gopi, Y. T. Lee and L. Wutschitz, "Numerical composition of differential privacy", NeurIPS,
    2021.

    Examples
    --------
    >>> round(spent(Repeated(GaussianEvent(10.0), 4), 1e-5, accountant="rdp"), 3)
    0.795
    """
    _checks.delta(delta)
    _checks.one_of("neighbouring", neighbouring, ("add_remove", "replace_one"))
    _checks.one_of("accountant", accountant, _ACCOUNTANTS)
    pld.refuse_added(event, neighbouring)
    if pld.is_free(event):
        return 0.0
    if pld.is_open(event):
        return math.inf
    if accountant == "rdp":
        refuse_rdp(event, neighbouring)
        return float(rdp.to_epsilon(rdp.curve(event), delta))
    distribution, bound = gridded(event, delta, neighbouring)
    return bound if distribution is None else min(bound, pld.epsilon_at(distribution, delta))


def gridded(event: Event, delta: float, neighbouring: Neighbouring) -> tuple[Any, float]:
    """Return a privacy loss distribution of an event on a fine grid, and a closed-form upper bound on its ε at δ.

    The distribution is None if the bound is already exact, or if the distribution cannot be computed within seconds
    and in double precision.
    """
    _checks.delta(delta)
    pld.refuse_added(event, neighbouring)
    if pld.is_free(event) or pld.is_open(event):
        return None, 0.0 if pld.is_free(event) else math.inf
    bound = closed_form.upper_bound(event, delta, neighbouring=neighbouring)
    exact = bound == 0 or closed_form.is_gaussian(event)
    if exact or not pld.is_feasible(event, delta, bound, neighbouring=neighbouring):
        return None, bound
    return pld.fine_distribution(event, neighbouring=neighbouring, rough=bound), bound


def refuse_rdp(event: Event, neighbouring: Neighbouring) -> None:
    """Raise a ValueError if ``neighbouring`` is "replace_one", unless all lots of the event have a fixed size.

    Only then does the accountant "rdp" cover the relation replace_one.
    """
    if neighbouring == "replace_one" and not pld.is_fixed(event, all):
        raise ValueError(
            "neighbouring='replace_one' is not covered by accountant='rdp': use 'pld'."
        )


def paper_noise_multiplier(
    epsilon: float, delta: float, *, sample_rate: float, n_steps: int
) -> float:
    """Return σ = 2 q √(T ln(1/δ)) / ε, a leading-order formula published by Brinkrolf et al., not a guarantee.

    If the resulting σ is above about 1.1, it is larger than (ε, δ) requires. If σ is below 0.75, (ε, δ) is not
    guaranteed. The function `epsilon` returns the ε that σ actually guarantees.

    Parameters
    ----------
    epsilon : float
        The claimed ε > 0.
    delta : float
        δ in (0, 1).
    sample_rate : float
        Sampling rate q in (0, 1].
    n_steps : int
        Number T ≥ 1 of steps.

    Returns
    -------
    float
        Noise multiplier σ (Brinkrolf, Berger and Hammer 2018, section 3).

    See Also
    --------
    noise_multiplier, epsilon

    References
    ----------
    J. Brinkrolf, K. Berger and B. Hammer, "Differential private relevance learning", ESANN, 2018.
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.

    Examples
    --------
    >>> round(paper_noise_multiplier(0.6, 1e-5, sample_rate=0.01, n_steps=5000), 3)
    7.998
    """
    eps = _checks.number("epsilon", epsilon, low=0, open_low=True)
    q = _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True)
    steps = _checks.integer("n_steps", n_steps, low=1)
    return float(2 * q * np.sqrt(steps * np.log(1 / _checks.delta(delta))) / eps)


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
    """Return the smallest σ at which T subsampled Gaussian steps are (ε, δ)-DP.

    Parameters
    ----------
    epsilon : float
        ε > 0; for ε = inf the result is 0.
    delta : float
        δ in (0, 1). It must be below 1 - (1 - q)^T, the probability that a given record is in at least one lot.
    sample_rate : float
        Sampling rate q in (0, 1].
    n_steps : int
        Number T of steps, from 0 to 10⁷; for T = 0 the result is 0.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.
    accountant : "pld" or "rdp"
        Accountant that computes the ε of a candidate σ. "pld" is tight; "rdp" is a fast, looser upper bound.
    besides : Event, optional
        Another release from the same data. The steps and this release together must be (ε, δ)-DP.
    lots : "poisson" or "fixed"
        Poisson-sampled lots (batches), or lots of a fixed size; see `epsilon`.

    Returns
    -------
    float
        σ that satisfies the guarantee, at most 0.1 % above the smallest one (0.5 % for ε < 0.001). Above 200,000
        steps a search with the tight accountant is too slow. σ is then computed from the closed-form bound and is a
        few percent larger.

    Raises
    ------
    ValueError
        When an argument is outside its range, when (ε, δ) requires σ above 10⁶, when δ is not below
        1 - (1 - q)^T, or when ``besides`` alone already costs ε.

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
            return closed_form.upper_bound(whole, delta, neighbouring=neighbouring)
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
    # At tiny ε, σ hardly changes with ε: fewer iterations are enough.
    tolerance = 5e-4 if goal >= 1e-3 else 5e-3
    return math.exp(_bracketed(lambda s: cost(s, "pld"), goal, tolerance, guess))


def _refuse_rare(sample_rate: float, n_steps: int, delta: float) -> None:
    if sample_rate == 1:
        return
    chance = -math.expm1(n_steps * math.log1p(-sample_rate))
    if chance <= delta:
        raise ValueError(
            f"delta={delta:g} is not below {chance:.3g}, the chance that a record is drawn at all: no noise "
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
    """Return the smallest ln σ with cost(ln σ) ≤ ``goal``, rounded up by at most ``tolerance``.

    ``cost`` is a decreasing function of ln σ, for example the ε of the noise multiplier σ. The search starts at
    ``guess``, a value of ln σ (0 if it is None), and moves until it has found an interval that contains the solution.
    It then continues by the secant method.
    """
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
        value = cost(middle)
        if value <= goal:
            above = (middle, value)
        else:
            below = (middle, value)
    return above[0]
