"""Which numbers the textbook's Laplace noise can give in floating point, and which it cannot (Mironov 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.sabotage.numbers import float_laplace, is_reachable

__all__ = ["Reachable", "reachable"]

Floats = NDArray[np.float64]
_NEAR, _SPAN = 1.5, 60  # where the picture looks, and how many doubles wide
_DRAWS = 1500


@dataclass(frozen=True, kw_only=True, eq=False)
class Reachable:
    """Neighbouring doubles around one number, and whether 0 or 1 plus noise can give each (K,).

    ``place``: in steps of the last bit; ``from_zero``, ``from_one``: 1 where it can come out. ``share``:
    of so many ``draws`` from 1, how many cannot have come from 0.
    """

    place: Floats
    from_zero: Floats
    from_one: Floats
    share: float
    draws: int


def reachable(seed: int) -> Reachable:
    """Return the picture around 1.5, and the share of outputs that give the true answer away.

    Every double there is asked whether the sampler's own formula can make it: the logarithm of a
    53-bit number, with 0 or 1 added, rounded as the machine rounds.

    Parameters
    ----------
    seed : int
        Of the draws, ≥ 0.
    """
    doubles = [_NEAR]
    for _ in range(_SPAN - 1):
        doubles.append(float(np.nextafter(doubles[-1], np.inf)))
    rng = np.random.default_rng((seed, 10))
    drawn = [1.0 + float_laplace(rng) for _ in range(_DRAWS)]
    return Reachable(
        place=np.arange(_SPAN, dtype=float),
        from_zero=np.array([float(is_reachable(z)) for z in doubles]),
        from_one=np.array([float(_from_one(z)) for z in doubles]),
        share=float(np.mean([not is_reachable(z) for z in drawn])),
        draws=_DRAWS,
    )


def _from_one(output: float) -> bool:
    """Whether 1 plus the noise can round to exactly this number."""
    noise = output - 1.0
    near = np.rint(np.exp(-abs(noise)) * 2.0**53) + np.arange(-64, 65)
    made = -np.log(near[(near > 0) & (near <= 2.0**53)] * 2.0**-53) * np.sign(noise or 1.0)
    return bool((1.0 + made == output).any())
