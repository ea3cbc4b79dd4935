"""Standard normals as a pure function of (key, step, index), so any thread can regenerate the noise of a step.

A step is one release of a training run. It needs a fixed number of normals, with indices from 0.

ChaCha with 8 rounds (Bernstein 2008) turns a counter into random 32-bit words. Its key has 256 bits; its counter is
computed from the index and its nonce from the step. The Box-Muller transform turns two words into two normals.
Polynomials approximate log, sin and cos, because polynomials need only vector instructions. `_noise_compiled`
computes the same numbers, up to rounding of the last bits. Several small steps can share one block of words.

One uniform number u in (0, 1) determines the radius √(-2 ln u) of a pair of normals. u has 40 random bits. If u is
below 2^-24, 64 further bits are drawn, so that normals reach the magnitude √(2·89 ln 2) = 11.1.

The radius of a pair of normals has the correct distribution, up to 2^-40 in the body and up to a relative error of
2^-23 in the tail. A mass below `MISSING_MASS` per normal is truncated.

Leaks by floating-point arithmetic are not prevented, because the last digits of a float32 sum depend on the number
that the noise is added to (Mironov 2012). A real release needs a discrete mechanism.

References
----------
Bernstein (2008), ChaCha, a variant of Salsa20. Mironov (2012), On significance of the least
significant bits for differential privacy, CCS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks

__all__ = [
    "LARGEST",
    "MISSING_MASS",
    "Normals",
    "beyond_reach",
    "key_words",
    "missing_mass",
    "tail_delta",
    "unit_normals",
]

MISSING_MASS = 2.0**-89
LARGEST = float(np.sqrt(178 * np.log(2)))
BLOCKS = 16  # blocks made together; each has 16 words, for 8 pairs of normals
TOGETHER = 4096  # normals that are drawn together where steps need fewer
ROOT_HALF = 0x3F3504F3  # the bits of √½ in float32
# -2 ln(1 + f)/f on [√½ - 1, √2 - 1] to 3e-8, least power last; sin a/a and cos a in a², |a| ≤ π/4.
LOG = tuple(
    np.float32(c) for c in (
        -0.1744472086, 0.2873369753, -0.2990453541, 0.3312478364, -0.3991366625, 0.5000414848,
        -0.6666837335, 0.9999997616, -2.0,
    )
)  # fmt: skip
SINE = tuple(np.float32(c) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1))
COSINE = tuple(
    np.float32(c) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2, -0.5)
)
_NAME = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
_QUARTERS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
_F, _U = np.float32, np.uint32


def missing_mass(n_normals: int) -> float:
    """Return a bound on the probability that any of ``n_normals`` true normals exceeds ``LARGEST``.

    ``LARGEST`` is the largest magnitude that the generator can produce. The bound m is a union bound over all
    ``n_normals`` normals of a run (number of steps times size). Truncation changes the distribution of the noise by a
    total variation distance of at most m. A guarantee (ε, δ) that is proved for Gaussian noise therefore becomes
    (ε, δ + (1 + e^ε) m) for truncated noise.
    """
    return min(1.0, n_normals * MISSING_MASS)


def beyond_reach(n_normals: int, shift: float) -> float:
    """Return a bound in [0, 1], independent of ε, on the increase of δ that truncated noise causes.

    The bound is 2m + N e^{-(LARGEST - shift)²/2}, with N normals in a run and m = `missing_mass`.

    Proof. Let P and Q be the output distributions on two neighbouring data sets with true normals, and P' and Q'
    those with truncated normals.

    - The N truncated normals are true normals under the condition that all magnitudes are at most ``LARGEST``. The
      condition holds with probability at least 1 - m.
    - Call an output clear if only noise of magnitude at most ``LARGEST`` leads to it, from each of the two data sets,
      and whether or not the differing record is in a lot (batch).
    - Truncation removes no clear output. A set S of clear outputs therefore has P'(S) ≤ P(S) + m ≤ e^ε Q(S) + δ + m ≤
      e^ε Q'(S) + δ + m.
    - One record shifts the release of a step, and therefore each pair of normals in it, by at most ``shift`` standard
      deviations.
    - Half the squared length of a pair is exponentially distributed. An output is therefore not clear with
      probability at most N e^{-(LARGEST - shift)²/2} + m.

    Parameters
    ----------
    n_normals : int
        N, the number of steps times the size of a step.
    shift : float
        Largest change of a step by one record, divided by the standard deviation of the noise: 1/σ if a record is
        added or removed, 2/σ if a record is replaced.
    """
    if shift >= LARGEST:
        return 1.0
    outside = n_normals * float(np.exp(-((LARGEST - shift) ** 2) / 2))
    return min(1.0, 2 * missing_mass(n_normals) + outside)


def tail_delta(missing: float, beyond: float, epsilon: float) -> float:
    """Return the δ that truncated noise adds to an (ε, δ) proved for Gaussian noise.

    The result is 0 if ε is infinite. Otherwise it is the smaller of two upper bounds:

    - (1 + e^ε) ``missing``, where ``missing`` is a result of `missing_mass`
    - ``beyond``, a result of `beyond_reach`
    """
    return min(beyond, missing * (1 + math.exp(min(epsilon, 700.0)))) * (epsilon < math.inf)


def key_words(key: int | NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return a key from 0 to 2^256 - 1 as an array (8,) of 32-bit words; an array is returned unchanged."""
    if isinstance(key, np.ndarray):
        return key
    whole = _checks.integer("key", key, low=0)
    if whole >> 256:
        raise ValueError("key has more than 256 bits: give a whole number from 0 to 2^256 - 1.")
    return np.frombuffer(whole.to_bytes(32, "little"), "<u4").astype(np.uint32)


def unit_normals(key: int | NDArray[np.uint32], step: int, size: int) -> NDArray[np.float32]:
    """Return ``size`` standard normals, as a pure function of key and step.

    Parameters
    ----------
    key : int or ndarray (8,) of uint32
        Key of the random stream, from 0 to 2^256 - 1, or its eight words. A secret key needs at least
        128 random bits.
    step : int
        Number of the step, from 0 to 2^64 - 1.
    size : int
        Number of values, ≥ 1, the same for every step of a stream.

    Returns
    -------
    ndarray (size,), float32
        Standard normals of magnitude up to `LARGEST`.

    Examples
    --------
    >>> bool((unit_normals(3, 1, 4) == unit_normals(3, 1, 4)).all())
    True
    """
    return Normals(key, size)(step)


class Normals:
    """Source of the standard normals of a training run; it returns the same numbers as `unit_normals`.

    Parameters
    ----------
    key : int or ndarray (8,) of uint32
        Key of the random stream, from 0 to 2^256 - 1, or its eight words.
    size : int
        Number of normals per step. If it is small, the normals of several steps are computed together and stored.
    """

    def __init__(self, key: int | NDArray[np.uint32], size: int) -> None:
        self._key, self._size = key_words(key), size
        self._shared = max(1, TOGETHER // size)
        self._at, self._normals = -1, np.zeros(0, np.float32)

    def __call__(self, step: int) -> NDArray[np.float32]:
        """Return the standard normals (size,) of a step."""
        at, turn = divmod(step, self._shared)
        if at != self._at:
            self._at, self._normals = at, _stream(self._key, at, self._shared * self._size)
        return self._normals[turn * self._size :][: self._size]


def _stream(key: NDArray[np.uint32], step: int, length: int) -> NDArray[np.float32]:
    # 16 blocks at a time make 256 normals: words 0 to 7 give 128 radii, 8 to 15 fine bits, angles.
    groups = -(-length // 256)
    blocks = _blocks(key, step, 0, np.arange(groups * BLOCKS, dtype=np.uint32))
    high, low = blocks.reshape(2, 8, groups, BLOCKS).swapaxes(1, 2).reshape(2, groups * 128)
    pairs = _normals(high, low, _tail(key, step, high))
    return np.stack([part.reshape(groups, 128) for part in pairs], 1).ravel()


def _blocks(
    key: NDArray[np.uint32], step: int, use: int, counter: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """Return the words (16, blocks) of ChaCha8 blocks with the given counters.

    ``use`` distinguishes the blocks for the body of the distribution (0) from those for the tail (1).
    """
    nonce = (step & 0xFFFFFFFF, step >> 32, use)
    first = np.empty((16, len(counter)), np.uint32)
    first[:4], first[4:12] = np.array(_NAME, np.uint32)[:, None], key[:, None]
    first[12], first[13:] = counter, np.array(nonce, np.uint32)[:, None]
    x = first.copy()
    for _ in range(4):
        for a, b, c, d in _QUARTERS:
            for here, turned, other, bits in (
                (a, d, b, 16),
                (c, b, d, 12),
                (a, d, b, 8),
                (c, b, d, 7),
            ):
                x[here] += x[other]
                mixed = x[turned] ^ x[here]
                x[turned] = (mixed << _U(bits)) | (mixed >> _U(32 - bits))
    return x + first


def _tail(key: NDArray[np.uint32], step: int, high: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return a uniform number below 2^-24 for each word ``high`` that is below 256, and 0 for all other words.

    The top 24 bits of ``high`` are the leading bits of a uniform number. If they are all 0, the uniform number is
    below 2^-24; it then gets 64 random bits more.
    """
    uniforms = np.zeros(high.shape, np.float32)
    at = np.flatnonzero(high < 256)
    if len(at):
        more = _blocks(key, step, 1, at.astype(np.uint32))[:2].astype(float)
        uniforms.flat[at] = ((more[0] * 2.0**32 + more[1] + 0.5) * 2.0**-88).astype(np.float32)
    return uniforms


def _normals(
    high: NDArray[np.uint32], low: NDArray[np.uint32], tail: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two arrays (n,) of standard normals, computed from n pairs of words (Box-Muller transform).

    ``tail`` (n,) holds the uniform numbers from `_tail`. They are used where the word ``high`` is below 256.
    """
    fine = (low & _U(0xFFFF)).astype(np.float32) * _F(2.0**-40) + _F(2.0**-41)
    u = np.where(high < 256, tail, (high >> _U(8)).astype(np.float32) * _F(2.0**-24) + fine)
    radius = np.sqrt(_squared(u))
    cosine, sine = _turn((low >> _U(16)) | (high << _U(16)))
    return radius * cosine, radius * sine


def _series(coefficients: Sequence[np.float32], x: NDArray[np.float32]) -> NDArray[np.float32]:
    total = np.full(x.shape, coefficients[0])
    for c in coefficients[1:]:
        total = c + x * total
    return total


def _squared(u: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the squared radius -2 ln u of a pair of normals, for u in [2^-89, 1], up to float32 rounding."""
    raw = u.view(np.int32)
    exponent = (raw - np.int32(ROOT_HALF)) >> np.int32(23)
    f = (raw - (exponent << np.int32(23))).view(np.float32) - _F(1)
    return exponent.astype(np.float32) * _F(-2 * np.log(2)) + f * _series(LOG, f)


def _turn(word: NDArray[np.uint32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the cosines and the sines of random angles that are given by the lowest 24 bits of each word."""
    a = (word & _U(0x3FFFFF)).astype(np.float32) * _F(2.0**-23 * np.pi) - _F(np.pi / 4)
    t = a * a
    sine, cosine = a + a * (t * _series(SINE, t)), _F(1) + t * _series(COSINE, t)
    odd, sign = (word & _U(0x400000)) > 0, np.where(word & _U(0x800000), _F(-1), _F(1))
    return sign * np.where(odd, sine, cosine), sign * np.where(odd, cosine, sine)
