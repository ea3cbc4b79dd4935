"""Likelihood ratios of noisy releases with and without the canary, and optimal thresholds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, logsumexp

__all__ = ["IMPOSSIBLE", "best_cut", "clipped", "laplace_cut", "laplace_evidence", "step_evidence"]

Floats = NDArray[np.float64]
IMPOSSIBLE = 1e9
"""The score of a release that noise alone cannot explain in the world without the canary."""
_FAR = 8.0  # standard deviations beyond what so many normals reach


def best_cut(
    alarm: Callable[[Floats], Floats],
    miss: Callable[[Floats], Floats],
    cuts: ArrayLike,
    *,
    delta: float = 0.0,
    trainings: int = 1000,
) -> float:
    """Return the threshold whose expected counts give the largest bound on ε.

    Maximises ln((1 - δ - miss⁺)/alarm⁺) or its mirror image, with Clopper-Pearson bounds at 95 % of
    the expected counts of n trainings for each data set.

    Parameters
    ----------
    alarm, miss : callables (m,) -> (m,)
        P[score > cut] without the canary, P[score ≤ cut] with it.
    cuts : array (m,)
        Candidates.
    delta : float
        δ in [0, 1).
    trainings : int
        n ≥ 1 in each world.

    Returns
    -------
    float
        One of the candidates.
    """
    t = np.asarray(cuts, float)
    first, second = (_upper(rate(t) * trainings, trainings) for rate in (alarm, miss))
    with np.errstate(divide="ignore", invalid="ignore"):
        one = np.log(np.maximum(1 - delta - second, 0) / first)
        other = np.log(np.maximum(1 - delta - first, 0) / second)
    return float(t[np.fmax(one, other).argmax()])


def _upper(count: Floats, trainings: int) -> Floats:
    k = np.clip(count, 0, trainings - 1e-9)
    return cast(Floats, betaincinv(k + 1, trainings - k, 0.975))


def laplace_evidence(
    seen: ArrayLike, without: ArrayLike, canary: ArrayLike, scale: ArrayLike
) -> float:
    """Return the log-likelihood ratio of the canary's presence under Laplace noise.

    Parameters
    ----------
    seen, without, canary : array (k,)
        The released values, and the noiseless values without and with the canary.
    scale : float or array (k,)
        b > 0.

    Returns
    -------
    float
        Large when the canary is in.
    """
    x, a, b = (np.asarray(v, float) for v in (seen, without, canary))
    return float(((np.abs(x - a) - np.abs(x - b)) / np.asarray(scale, float)).sum())


def clipped(gradients: Floats, clip_norm: float) -> Floats:
    """Return one record's gradients (T, d), scaled down to the norm C where they are longer."""
    too_long = np.maximum(1, np.linalg.norm(gradients, axis=1, keepdims=True) / clip_norm)
    return cast(Floats, gradients / too_long)


def step_evidence(
    seen: ArrayLike,
    canary: ArrayLike,
    others: Sequence[ArrayLike] = (),
    *,
    scale: float,
    sample_rate: float = 1.0,
    replaced: ArrayLike | None = None,
    lot_size: int | None = None,
) -> float:
    """Return the exact log-likelihood ratio of noisy steps, averaged over the secret Poisson lots.

    Every record joins every step with probability q, or a lot is a random subset of a fixed size:
    the likelihood is summed over all lots of the other records (at most 2^m). A step that is
    impossible without the canary scores `IMPOSSIBLE`.

    Parameters
    ----------
    seen : array (T, k)
        Noisy sums of clipped gradients, one a step.
    canary : array (T, k)
        The canary's clipped gradient at each step.
    others : sequence of m arrays (T, k)
        Clipped gradients of the records in both data sets; m must be small when q < 1.
    scale : float
        Standard deviation of the noise in each coordinate.
    sample_rate : float
        q in (0, 1].
    replaced : array (T, k) or None
        Gradients of the record that takes the canary's place in the other data set; None if there
        is none.
    lot_size : int or None
        L from 1 to m + 1 of lots of a fixed size, with ``replaced``; q is then not used.

    Returns
    -------
    float
        Large when the canary is in.
    """
    u, q = np.asarray(seen, float), sample_rate
    known = [np.asarray(g, float) for g in others]
    if q == 1.0 and known and lot_size is None:
        u, known = u - sum(known), []
    with np.errstate(over="ignore", invalid="ignore"):
        without = _log_density(
            u, _lots(known if replaced is None else [*known, replaced], q, lot_size), scale
        )
        there = _log_density(u, _lots([*known, canary], q, lot_size), scale)
    reach = (_FAR + np.sqrt(u.shape[-1])) ** 2 / 2
    if not np.isfinite(u).all() or (np.maximum(without, there) < -reach - 50).any():
        return IMPOSSIBLE
    return float((there - without).sum())


def _lots(
    records: Sequence[ArrayLike], q: float, size: int | None
) -> list[tuple[float, Floats | float]]:
    """Return log probability and sum of every possible lot."""
    found = []
    for joins in itertools.product((False, True), repeat=len(records)):
        chance = float(np.prod([q if j else 1 - q for j in joins]))
        if size is not None:
            chance = float(sum(joins) == size)  # all alike: a common factor cancels
        if chance > 0:
            total = sum(
                (np.asarray(r, float) for r, j in zip(records, joins, strict=True) if j), 0.0
            )
            found.append((float(np.log(chance)), total))
    return found


def _log_density(u: Floats, lots: list[tuple[float, Floats | float]], scale: float) -> Floats:
    """Return the log density (T,) of T steps under a mixture of lots, up to a constant."""
    parts = [chance - np.square((u - total) / scale).sum(-1) / 2 for chance, total in lots]
    return np.asarray(logsumexp(parts, axis=0))


def laplace_cut(shifts: ArrayLike, *, trainings: int = 1000) -> float:
    """Return the best threshold on `laplace_evidence` for ``shifts`` in units of the noise scale.

    Computed from 20,000 draws of the noise with a fixed seed; no training is used.

    Parameters
    ----------
    shifts : array (k,)
        Effect of the canary on every noised number.
    trainings : int
        n ≥ 1 in each world.

    Returns
    -------
    float
        Of "in when score > cut".
    """
    s = np.asarray(shifts, float)
    z = np.random.default_rng(0).laplace(size=(20_000, *s.shape))
    there, without = (
        np.sort((np.abs(place) - np.abs(place - s)).reshape(len(z), -1).sum(1))
        for place in (z + s, z)
    )
    places = np.quantile(np.concatenate([there, without]), np.linspace(0.01, 0.99, 99))
    # The ratio has atoms at both ends: a cut away from them is robust to rounding.
    beside = np.concatenate([places - 1e-6, places + 1e-6])
    return best_cut(
        lambda t: 1 - np.searchsorted(without, t, "right") / len(z),
        lambda t: np.searchsorted(there, t, "right") / len(z),
        beside,
        trainings=trainings,
    )
