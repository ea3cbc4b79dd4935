"""Attack thresholds that are chosen on some trainings and used to count errors on other trainings.

On a sample of scores, the threshold with the largest bound is usually extreme and best only by chance. Two measures
prevent this choice. Error counts below a minimum are raised to the minimum, and the bound of a threshold is averaged
over the adjacent thresholds.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from dpcore import _checks
from dpcore.audit.bounds import AuditBound, two_worlds

__all__ = ["choose_threshold", "count", "split_bound"]

Floats = NDArray[np.float64]
_CUTS = 400  # cuts that are compared: more are no better, and cost
_SMOOTH = 0.02  # half width of the average over neighbouring cuts, as a share of them
_FLOOR = 10


def choose_threshold(
    without: ArrayLike, with_canary: ArrayLike, *, delta: float = 0.0, confidence: float = 0.95
) -> float:
    """Return the threshold on scores with the best expected bound on ε for other trainings.

    The candidates are equally spaced in the ranks of all scores. The bound of `two_worlds` is computed for every
    candidate. Counts of false positives or misses below 10 are raised to 10, since they may be due to chance. The
    bounds are averaged over the candidates within 2 % on either side. If several candidates are best, the middle one
    is taken. It is moved to the middle of a wide gap between scores, if there is one nearby.

    Parameters
    ----------
    without, with_canary : array (m,), (k,)
        Scores of m independent releases without the canary, and of k with the canary. Large scores speak for the
        canary.
    delta, confidence : float
        δ and confidence of the bound for which the threshold is used.

    Returns
    -------
    float
        Threshold above which the attacker guesses that the canary is in the data.

    Raises
    ------
    ValueError
        When there are fewer than two scores without or with the canary, or a score is not a number.

    See Also
    --------
    split_bound, count

    Examples
    --------
    >>> choose_threshold([0.0] * 9, [1.0] * 9)
    0.5
    """
    a, b = _scores("without", without), _scores("with_canary", with_canary)
    d = _checks.number("delta", delta, low=0, high=1, open_high=True)
    level = _checks.number("confidence", confidence, low=0, high=1, open_low=True, open_high=True)
    cuts = _cuts(np.concatenate([a, b]))
    false = len(a) - np.searchsorted(a, cuts, "right")
    missed = np.searchsorted(b, cuts, "right")
    tail = (1 - level) / 2
    fpr, fnr = _rates(false, len(a), tail), _rates(missed, len(b), tail)
    with np.errstate(divide="ignore"):
        gain = np.log(np.maximum([(1 - d - fnr) / fpr, (1 - d - fpr) / fnr], 1e-300)).max(0)
    smooth = _smoothed(gain)
    best = np.flatnonzero(smooth >= smooth.max() - 1e-9)
    errors = (false / len(a) + missed / len(b))[best]
    best = best[errors == errors.min()]
    middle = int(best[len(best) // 2])
    reach = _reach(len(cuts)) + 1
    return _in_the_gap(a, b, cuts[max(middle - reach, 0) : middle + reach + 1], cuts[middle])


def count(without: ArrayLike, with_canary: ArrayLike, *, threshold: float) -> tuple[int, int]:
    """Return the number of false positives and the number of misses at a threshold.

    False positives are scores without the canary that are above the threshold. Misses are scores with the canary that
    are not above it. ``without`` (m,) and ``with_canary`` (k,) hold the scores.

    See Also
    --------
    choose_threshold, two_worlds
    """
    a, b = _scores("without", without), _scores("with_canary", with_canary)
    return int((a > threshold).sum()), int((b <= threshold).sum())


def split_bound(
    without: ArrayLike, with_canary: ArrayLike, *, delta: float = 0.0, confidence: float = 0.95
) -> AuditBound:
    """Return the lower bound on ε from the second half of the scores, with a threshold chosen on the first half.

    Parameters
    ----------
    without, with_canary : array (n,), (n,)
        Scores of independent releases without and with the canary, in the order of the releases. If one array is
        longer, it is truncated to the length of the other array.
    delta, confidence : float
        δ in [0, 1) at which ε is bounded, and confidence in (0, 1) of the bound.

    Returns
    -------
    AuditBound
        The bound from `two_worlds`.

    Raises
    ------
    ValueError
        When there are fewer than four scores without or with the canary.

    See Also
    --------
    choose_threshold, two_worlds

    References
    ----------
    M. Jagielski, J. Ullman and A. Oprea, "Auditing differentially private machine learning: how
    private is private SGD?", NeurIPS, 2020.

    Examples
    --------
    >>> round(split_bound(np.zeros(2000), np.ones(2000)).epsilon_lower, 2)
    5.6
    """
    a, b = np.asarray(without, float), np.asarray(with_canary, float)
    n = min(len(a), len(b))
    if n < 4:
        raise ValueError("Too few scores: give at least four with and four without the canary.")
    half = n // 2
    cut = choose_threshold(a[:half], b[:half], delta=delta, confidence=confidence)
    k0, k1 = count(a[half:n], b[half:n], threshold=cut)
    return two_worlds(k0, k1, n=n - half, delta=delta, confidence=confidence)


def _scores(name: str, values: ArrayLike) -> Floats:
    scores = np.sort(np.asarray(values, float).ravel())
    if len(scores) < 2 or np.isnan(scores).any():
        raise ValueError(
            f"{name} holds too few scores or one that is not a number: give at least two numbers "
            "(infinite ones are allowed)."
        )
    return scores


def _cuts(pool: Floats) -> Floats:
    """Return candidate thresholds, which are midpoints between distinct scores and equally spaced in the ranks."""
    values = np.sort(pool)
    places = np.flatnonzero(values[1:] > values[:-1])
    if not len(places):
        return values[:1]
    wanted = np.linspace(0, len(values) - 2, min(_CUTS, len(values) - 1))
    picked = places[np.unique(np.searchsorted(places, wanted).clip(0, len(places) - 1))]
    low, high = values[picked], values[picked + 1]
    ends = np.isfinite(low) & np.isfinite(high)
    with np.errstate(invalid="ignore"):
        return cast(Floats, np.where(ends, low / 2 + high / 2, low))


def _rates(errors: NDArray[np.int64], n: int, tail: float) -> Floats:
    k = np.clip(errors, min(_FLOOR, n // 4), n)
    return np.where(k < n, 1 - betaincinv(np.maximum(n - k, 1), k + 1, tail), 1.0)


def _reach(n_cuts: int) -> int:
    return round(_SMOOTH * n_cuts)


def _in_the_gap(a: Floats, b: Floats, near: Floats, cut: float) -> float:
    """Return the middle of the largest gap between the scores near a threshold, if this gap is wide.

    ``a`` and ``b`` hold the scores, and ``cut`` is the threshold. Scores between the first and the last number in
    ``near`` are searched. If the largest gap is at most half of the range of these scores, ``cut`` is returned.
    """
    pool = np.unique(np.concatenate([a, b]))
    inside = pool[(pool >= near[0]) & (pool <= near[-1]) & np.isfinite(pool)]
    gaps = np.diff(inside)
    if not len(gaps) or not np.isfinite(cut) or gaps.max() <= 0.5 * (inside[-1] - inside[0]):
        return float(cut)
    return float(inside[gaps.argmax()] / 2 + inside[gaps.argmax() + 1] / 2)


def _smoothed(gain: Floats) -> Floats:
    reach = _reach(len(gain))
    kernel = np.ones(2 * reach + 1)
    return np.convolve(np.pad(gain, reach, mode="edge"), kernel / kernel.sum(), mode="valid")
