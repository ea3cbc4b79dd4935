"""Common parts of private gradient descent: lots, step sizes, and averaging of iterates.

A step is W ← W - η (Σ clip_C(g_i) + σ C Z) / (qN) (Abadi et al. 2016, Alg. 1). The gradients g_i of the records in a
lot (random batch) are clipped and summed. Gaussian noise σ C Z is added, where Z is standard normal. The noisy sum is
divided by the expected lot size qN, a public number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks

__all__ = [
    "AVERAGE_ETA",
    "Lots",
    "Streams",
    "average_weights",
    "fixed_lots",
    "growing_lots",
    "poisson_lots",
    "step_sizes",
]

AVERAGE_ETA = 8.0


@dataclass(frozen=True)
class Streams:
    """Three independent sources of randomness for one private training run.

    - ``start`` is the random generator for the starting point.
    - ``lots`` is the random generator for the lots (batches).
    - ``key`` (256 bits) is the key for the noise of the steps, see ``dpcore._noise``.

    Each stream has as much entropy as the seed of the training, up to 128 bits.
    """

    start: np.random.Generator
    lots: np.random.Generator
    key: int

    @classmethod
    def of(cls, *seed: int) -> Streams:
        """Return the streams derived from a seed of one or several non-negative integers."""
        return cls.spawned(
            np.random.SeedSequence([_checks.integer("seed", s, low=0) for s in seed])
        )

    @classmethod
    def spawned(cls, source: np.random.SeedSequence) -> Streams:
        """Return the streams spawned from a numpy seed sequence."""
        start, lots, key = source.spawn(3)
        return cls(
            np.random.default_rng(start),
            np.random.default_rng(lots),
            int.from_bytes(key.generate_state(8, np.uint32).tobytes(), "little"),
        )


@dataclass(frozen=True)
class Lots:
    """Random lots (batches) of all steps; the lot of step t is ``indices[offsets[t]:offsets[t + 1]]``.

    ``indices`` (int32) holds the record indices of all lots, in increasing order within a lot. ``offsets`` (int64)
    has n_steps + 1 entries.
    """

    indices: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def at(self, step: int) -> NDArray[np.int32]:
        """Return the record indices of the lot of step number ``step``; the first step has number 0."""
        return self.indices[self.offsets[step] : self.offsets[step + 1]]

    def without(self, record: int) -> Lots:
        """Return the same lots without one record.

        Parameters
        ----------
        record : int
            Index of the record that is absent from the neighbouring data set. The other records keep their indices
            and their lots.

        Returns
        -------
        Lots
            Lots of the same number of steps.
        """
        keep = self.indices != record
        gone = np.concatenate([[0], np.cumsum(~keep)])
        return Lots(self.indices[keep], self.offsets - gone[self.offsets])


def poisson_lots(
    n_samples: int, sample_rate: float, *, n_steps: int, rng: np.random.Generator
) -> Lots:
    """Draw Poisson lots: every record joins every lot independently with probability q.

    Only the gaps between the members of the lots are drawn; they are geometrically distributed. The time is therefore
    proportional to qNT, the expected number of members, and not to NT.

    Parameters
    ----------
    n_samples : int
        Number N ≥ 1 of records.
    sample_rate : float
        Probability q in (0, 1] that a record joins a lot.
    n_steps : int
        Number T ≥ 1 of steps.
    rng : numpy.random.Generator
        Source of the randomness.

    Returns
    -------
    Lots
        One lot for each of ``n_steps`` steps; a lot may be empty.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> poisson_lots(4, 1.0, n_steps=2, rng=np.random.default_rng(0)).indices.tolist()
    [0, 1, 2, 3, 0, 1, 2, 3]
    """
    n, q, steps = _poisson_checked(n_samples, sample_rate, n_steps)
    total = n * steps
    heads = _heads(total, q, rng)
    offsets = np.searchsorted(heads, np.arange(steps + 1, dtype=np.int64) * n)
    return Lots((heads % n).astype(np.int32), offsets.astype(np.int64))


def _poisson_checked(n_samples: int, sample_rate: float, n_steps: int) -> tuple[int, float, int]:
    return (
        _checks.integer("n_samples", n_samples, low=1),
        _checks.number("sample_rate", sample_rate, low=0, high=1, open_low=True),
        _checks.integer("n_steps", n_steps, low=1),
    )


def _heads(total: int, q: float, rng: np.random.Generator) -> NDArray[np.int64]:
    if q == 1.0:
        return np.arange(total, dtype=np.int64)
    batches, last = [], -1
    while last < total:
        expected = (total - last) * q
        gaps = rng.geometric(q, size=int(expected + 6 * np.sqrt(expected) + 16))
        # Gaps are capped just beyond the last coin, because sums of larger ones overflow.
        batches.append(last + np.cumsum(np.minimum(gaps, total - last)))
        last = int(batches[-1][-1])
    heads = np.concatenate(batches)
    return heads[: np.searchsorted(heads, total)]


def growing_lots(
    n_samples: int, sample_rate: float, *, n_steps: int, rng: np.random.Generator
) -> Lots:
    """Draw Poisson lots that grow with q: the lots for a larger q contain the lots for a smaller q.

    A record joins a lot if its uniform random number for this lot is below q. Generators in the same state give the
    same N·T uniform numbers for every q, so results for many q can be compared. The numbers are multiples of 2⁻⁵³.
    The probability that a record joins therefore differs from q by less than 2⁻⁵³.

    Parameters
    ----------
    n_samples, sample_rate, n_steps, rng
        Number N of records, sampling rate q, number T of steps, and source of the randomness; see `poisson_lots`.

    Returns
    -------
    Lots
        One lot for each of ``n_steps`` steps; a lot may be empty.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> few, many = (
    ...     growing_lots(9, q, n_steps=2, rng=np.random.default_rng(0)) for q in (0.3, 0.6)
    ... )
    >>> set(few.at(1)) <= set(many.at(1))
    True
    """
    n, q, steps = _poisson_checked(n_samples, sample_rate, n_steps)
    lots = [np.flatnonzero(rng.random(n) < q) for _ in range(steps)]
    offsets = np.cumsum([0, *map(len, lots)], dtype=np.int64)
    return Lots(np.concatenate(lots).astype(np.int32), offsets)


def fixed_lots(n_samples: int, lot_size: int, *, n_steps: int, rng: np.random.Generator) -> Lots:
    """Draw an independent, uniformly random lot of L records for every step.

    This is the "random subset of size L" of Brinkrolf, Berger and Hammer (2018). Guarantees for such lots assume that
    the number of records is public. Their ε is larger than for Poisson lots with the same mean size, see
    `accounting.FixedSizeSampled`.

    Parameters
    ----------
    n_samples : int
        Number N ≥ 1 of records.
    lot_size : int
        Number L of records in a lot, from 1 to N.
    n_steps : int
        Number T ≥ 1 of steps.
    rng : numpy.random.Generator
        Source of the randomness.

    Returns
    -------
    Lots
        One lot of L records for each of ``n_steps`` steps.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> fixed_lots(3, 3, n_steps=2, rng=np.random.default_rng(0)).indices.tolist()
    [0, 1, 2, 0, 1, 2]
    """
    n = _checks.integer("n_samples", n_samples, low=1)
    size = _checks.integer("lot_size", lot_size, low=1, high=n)
    steps = _checks.integer("n_steps", n_steps, low=1)
    chosen = np.empty((steps, size), np.int32)
    for lot in chosen:
        lot[:] = rng.choice(n, size, replace=False, shuffle=False)  # Floyd's method, O(L)
    chosen.sort(axis=1)
    return Lots(chosen.ravel(), np.arange(steps + 1, dtype=np.int64) * size)


def step_sizes(learning_rate: float, n_steps: int, *, schedule: str) -> NDArray[np.float32]:
    """Return the sizes of T steps, which are constant or decrease linearly towards 0.

    Parameters
    ----------
    learning_rate : float
        η > 0, the first step size.
    n_steps : int
        Number T ≥ 1 of steps.
    schedule : "constant" or "linear"
        η_t = η, or η_t = η (1 - t/T), for t = 0, ..., T - 1.

    Returns
    -------
    ndarray (n_steps,), float32
        The step sizes η_t.

    Raises
    ------
    ValueError
        When an argument is outside its range.
    """
    rate = _checks.number("learning_rate", learning_rate, low=0, open_low=True)
    _checks.one_of("schedule", schedule, ("constant", "linear"))
    fall = np.arange(n_steps) / n_steps if schedule == "linear" else np.zeros(n_steps)
    return (rate * (1 - fall)).astype(np.float32)


def average_weights(n_steps: int, average: bool) -> NDArray[np.float32]:
    """Return the weight a_t of the new iterate in the running average after each step t.

    The average after step t is (1 - a_t) times the previous average plus a_t times the new iterate, with
    a_t = (h + 1)/(t + h) and h = 8 (Shamir and Zhang 2013). Recent iterates have the largest weights, so the average
    at any step can serve as the result of a shorter run. If ``average`` is False, a_t = 1, and the average is the
    last iterate. Averaging is post-processing and costs no privacy.

    Parameters
    ----------
    n_steps : int
        Number T ≥ 1 of steps.
    average : bool
        Whether to average.

    Returns
    -------
    ndarray (n_steps,), float32
        Weights a_1, ..., a_T in (0, 1]; a_1 is 1.
    """
    t = np.arange(1, n_steps + 1)
    weights = (AVERAGE_ETA + 1) / (t + AVERAGE_ETA) if average else np.ones(n_steps)
    return weights.astype(np.float32)
