"""Formulas for exercises that no other module of dpcore contains.

Examples are clipping errors, clamped noise and group privacy.
"""

from __future__ import annotations

import math

from dpcore import _checks
from dpcore.accounting import group_privacy
from dpcore.autoencoder import similarity
from dpcore.kahm import record_epsilon
from dpcore.mechanisms import Laplace, exponential_probabilities, randomized_response

__all__ = [
    "at_least_once", "best_clip", "bhattacharyya", "choice_probability", "clamped_mean", "clip_end",
    "clipped_bias", "clipped_coordinate", "clipped_error", "functional_sensitivity", "group_delta",
    "group_epsilon", "hellinger", "laplace_sd", "negative_probability", "record_sum",
    "response_share",
]  # fmt: skip


def laplace_sd(sensitivity: float, epsilon: float) -> float:
    """Return √2 Δ/ε, the standard deviation of Laplace noise at sensitivity Δ."""
    return math.sqrt(Laplace(sensitivity=sensitivity, epsilon=epsilon).variance())


def group_epsilon(epsilon: float, delta: float, group: float) -> float:
    """Return kε, the ε for a group of k records (`dpcore.accounting.group_privacy`)."""
    return group_privacy(epsilon, delta, group=int(group))[0]


def group_delta(epsilon: float, delta: float, group: float) -> float:
    """Return δ Σ_{i<k} e^{iε}, the δ for a group of k records (`dpcore.accounting.group_privacy`)."""
    return group_privacy(epsilon, delta, group=int(group))[1]


def record_sum(epsilon: float, n_features: float) -> float:
    """Return pε, the ε of a record whose p values are ε-DP each (`dpcore.kahm.record_epsilon`)."""
    return record_epsilon(epsilon, int(n_features), kind="staircase").pure


def choice_probability(epsilon: float, sensitivity: float, *scores: float) -> float:
    """Return the exponential mechanism's probability of the option with the first score."""
    return float(exponential_probabilities(scores, sensitivity, epsilon=epsilon)[0])


def functional_sensitivity(n_features: float) -> float:
    """Return 2(1 + √d)², a bound on the L1 sensitivity of the coefficients of (y - xᵀw)² under replace_one.

    For ‖x‖₂ ≤ 1 and \\|y\\| ≤ 1 the L1 norm of a record's coefficients is y² + 2 Σ\\|y x_j\\| + (Σ\\|x_j\\|)²,
    at most 1 + 2√d + d. A replaced record changes them by at most twice this number. Zhang et al. (2012) bound every
    \\|x_j\\| by 1 instead, and get 2(1 + d)². Neither is the smallest bound. By the rule of
    `dpcore.regression.sensitivity`, the bound (1 + √(2d))² holds too, since Σ max(\\|x_j\\|, \\|x'_j\\|) ≤ √(2d).

    References
    ----------
    J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, "Functional mechanism: regression analysis
    under differential privacy", PVLDB 5(11), 2012.
    """
    return 2 * (1 + math.sqrt(_checks.integer("n_features", n_features, low=1))) ** 2


def at_least_once(probability: float, n_trials: float) -> float:
    """Return 1 - (1 - p)ⁿ, the probability of at least one event of probability p in n trials."""
    p = _checks.number("probability", probability, low=0, high=1, open_high=True)
    return -math.expm1(_checks.number("n_trials", n_trials, low=0) * math.log1p(-p))


def _histogram(first: float, second: float) -> list[float]:
    """Return the three shares of a histogram, from the first two."""
    _checks.number("first share", first, low=0, high=1)
    _checks.number("second share", second, low=0, high=1)
    both = _checks.number("first + second share", round(first + second, 12), low=0, high=1)
    return [first, second, 1 - both]


def bhattacharyya(p1: float, p2: float, q1: float, q2: float) -> float:
    """Return the Bhattacharyya coefficient of two histograms with three bins.

    A histogram is given by its first two shares.
    """
    return float(similarity.bhattacharyya(_histogram(p1, p2), _histogram(q1, q2)))


def hellinger(p1: float, p2: float, q1: float, q2: float) -> float:
    """Return the Hellinger distance of two histograms with three bins.

    A histogram is given by its first two shares.
    """
    return float(similarity.hellinger(_histogram(p1, p2), _histogram(q1, q2)))


def clipped_coordinate(first: float, second: float, clip_norm: float) -> float:
    """Return the first coordinate of a vector of two numbers, clipped to the L2 norm C."""
    length = math.hypot(first, second)
    return first * min(1.0, _checks.number("clip_norm", clip_norm, low=0) / max(length, 1e-300))


def response_share(epsilon: float, answers: float) -> float:
    """Return the estimated share of people whose true answer is yes, from the share of yes in randomized answers."""
    return float(randomized_response(epsilon).estimate([1 - answers, answers])[1])


def clipped_bias(mean: float, clip: float) -> float:
    """Return -m e^{-C/m}, the bias of the mean when exponential data of mean m are clipped to [0, C]."""
    _checks.number("mean", mean, low=0, open_low=True)
    return -mean * math.exp(-_checks.number("clip", clip, low=0) / mean)


def clipped_error(mean: float, clip: float, n_people: float, epsilon: float) -> float:
    """Return √(bias² + 2(C/(nε))²), the root mean square error of a private mean.

    Exponential data are clipped to [0, C], and the mean of n values is released with Laplace noise under replace_one
    with public n. `clipped_bias` computes the bias. The sampling error is not included.
    """
    return math.hypot(clipped_bias(mean, clip), laplace_sd(clip / n_people, epsilon))


def best_clip(mean: float, n_people: float, epsilon: float) -> float:
    """Return the clipping bound C that minimises `clipped_error`."""
    from scipy.optimize import minimize_scalar  # slow to import: only when a formula needs it

    optimum = minimize_scalar(
        lambda clip: clipped_error(mean, clip, n_people, epsilon),
        bounds=(0.01 * mean, 60 * mean),
        method="bounded",
        options={"xatol": 1e-7 * mean},
    )
    return float(optimum.x)


def clip_end(mean: float, n_people: float, epsilon: float, factor: float, side: str) -> float:
    """Return the smallest or largest clipping bound C with a `clipped_error` near the minimum.

    The error is at most ``factor`` times the minimum. ``side`` is "low" for the smallest and "high" for the largest
    C.
    """
    from scipy.optimize import brentq  # slow to import: only when a formula needs it

    _checks.one_of("side", side, ("low", "high"))
    _checks.number("factor", factor, low=1, open_low=True)
    best = best_clip(mean, n_people, epsilon)
    limit = factor * clipped_error(mean, best, n_people, epsilon)
    ends = (0.0, best) if side == "low" else (best, 2 * factor * best + 60 * mean)
    return float(brentq(lambda clip: clipped_error(mean, clip, n_people, epsilon) - limit, *ends))


def negative_probability(value: float, scale: float) -> float:
    """Return ½ e^{-c/b}, the probability that a number c ≥ 0 plus Laplace noise of scale b is negative."""
    b = _checks.number("scale", scale, low=0, open_low=True)
    return math.exp(-_checks.number("value", value, low=0) / b) / 2


def clamped_mean(value: float, scale: float) -> float:
    """Return c + b e^{-c/b}/2, the mean of max(0, c + Laplace noise of scale b) for a number c ≥ 0."""
    return value + scale * negative_probability(value, scale)
