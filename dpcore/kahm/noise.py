"""Noise on every element of a data matrix, and its guarantee for an element and for a record.

In the introduction of the paper by Kumar, Moser and Fischer (arXiv:2304.01300) the noise v has the mean size E|v| =
(1 - δ)d/ε. Two assumptions are recalled from the authors' earlier papers: the noise has a Laplace density with an
atom at zero, and neighbours differ in one element by at most d. `element_noise` proves that the noise is (ε, δ)-DP
for one element. The paper claims that no (ε, δ)-DP noise has a smaller mean size, but staircase noise has one (see
`amount`).
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import Floats

__all__ = [
    "MISSING",
    "NOISES",
    "amount",
    "element_delta",
    "element_noise",
    "uniforms",
]

NOISES = ("laplace", "staircase")
MISSING = 2.0**-53  # mass of the noise beyond its largest value, which 53 random bits limit


def uniforms(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw uniform numbers in [-1/2, 1/2), from which `element_noise` computes noise for any ε.

    Parameters
    ----------
    shape : tuple of int
        Shape of the data; one number is drawn for each element.
    rng : numpy.random.Generator
        Source of the noise.

    Returns
    -------
    ndarray (any shape)
        Uniform in [-1/2, 1/2).
    """
    return rng.random(shape) - 0.5


def check_noise(epsilon: float, delta: float, sensitivity: float, kind: str) -> None:
    _checks.epsilon(epsilon, low=_checks.SMALLEST_EPSILON)
    _checks.number("delta", delta, low=0, high=1, open_high=True)
    _checks.number("sensitivity", sensitivity, low=0)
    _checks.one_of("kind", kind, NOISES)


def element_noise(
    u: ArrayLike,
    epsilon: float,
    *,
    delta: float = 0.0,
    sensitivity: float = 1.0,
    kind: str = "laplace",
) -> NDArray[np.float64]:
    """Return noise v(u) with the density δ·Dirac(0) + (1 - δ)·f(v).

    With probability δ, for |u| ≤ δ/2, the noise is 0 and the element is published unchanged. Otherwise the noise has
    the density f.

    - "laplace": f(v) = (ε/(2d)) exp(-ε|v|/d), so that v = sign(u) (d/ε) ln((1 - δ)/(1 - 2|u|)) for |u| > δ/2.
    - "staircase": f is the density of Geng and Viswanath (2014) with γ = 1/(1 + e^{ε/2}).

    The noise is (ε, δ)-DP **per element** (replace_one of a single value). Proof: let two data matrices Y and Y'
    differ in one element by at most d, let V be noise on all elements, and let P_f be the probability if the noise
    on the differing element has the density f. Then, for every set O, P[Y + V ∈ O] ≤ δ + (1 - δ)·e^ε P_f[Y' + V ∈
    O] ≤ e^ε P[Y' + V ∈ O] + δ.

    Parameters
    ----------
    u : array-like (any shape)
        Uniforms in [-1/2, 1/2), the same for every ε: see `uniforms`.
    epsilon : float
        ε ≥ 1e-12 of one element; inf gives 0.
    delta : float
        δ in [0, 1), probability that an element is published unchanged; use 0 unless there is a reason.
    sensitivity : float
        d ≥ 0, the largest change of one element.
    kind : "laplace" or "staircase"
        The density f.

    Returns
    -------
    ndarray (any shape)
        Noise in the shape of ``u``. It is for experiments only, because floating-point noise is open to Mironov's
        attack (2012).

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    fabricate, record_epsilon

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.
    Q. Geng and P. Viswanath, "The optimal mechanism in differential privacy", ISIT, 2014.

    Examples
    --------
    >>> element_noise([-0.25, 0.0, 0.25], 1.0).round(4).tolist()
    [-0.6931, 0.0, 0.6931]
    """
    check_noise(epsilon, delta, sensitivity, kind)
    u = np.asarray(u, float)
    if math.isinf(epsilon) or sensitivity == 0:
        return np.zeros(u.shape)
    # Tail probability beyond |v|, given that v is not in the atom: 1 inside the atom.
    beyond = np.clip((1 - 2 * np.abs(u)) / (1 - delta), MISSING, 1.0)
    size = -np.log(beyond) / epsilon if kind == "laplace" else _staircase(beyond, epsilon)
    return cast(Floats, sensitivity * np.copysign(size, u))


def _staircase(beyond: NDArray[np.float64], epsilon: float) -> NDArray[np.float64]:
    """Return the absolute value that staircase noise exceeds with probability ``beyond``.

    The unit is the length d of an interval. The value is a geometrically distributed number of whole intervals plus a
    position from 0 to 1 within the next interval.
    """
    fall, gamma = math.exp(-epsilon), 1 / (1 + math.exp(min(epsilon / 2, 700.0)))
    step = np.floor(-np.log(beyond) / epsilon)
    place = np.clip((1 - beyond * np.exp(step * epsilon)) / -math.expm1(-epsilon), 0.0, 1.0)
    first = gamma / (gamma + (1 - gamma) * fall)
    near = gamma * place / first
    far = gamma + (1 - gamma) * (place - first) / max(1 - first, 1e-300)
    return step + np.where(place < first, near, far)


def element_delta(epsilon: float, delta: float = 0.0) -> float:
    """Return the δ of one element including the truncation of sampled noise: δ + (1 + e^ε) 2⁻⁵³, at most 1.

    Under the exact density, |noise| exceeds 53 ln 2 · d/ε with probability 2⁻⁵³. Sampled noise is cut off at this
    value. The total variation distance between sampled and exact noise is therefore 2⁻⁵³, for each of two neighbours.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> element_delta(1.0) < 1e-15 < element_delta(10.0)
    True
    """
    check_noise(epsilon, delta, 1.0, "laplace")
    if math.isinf(epsilon):
        return delta
    return min(1.0, delta + MISSING * (1 + math.exp(min(epsilon, 700.0))))


def amount(
    epsilon: float, delta: float = 0.0, *, sensitivity: float = 1.0, kind: str = "laplace"
) -> float:
    """Return the mean size E|v| of the noise: (1 - δ)d/ε (laplace) or (1 - δ) d e^{ε/2}/(e^ε - 1) (staircase).

    Staircase noise always has the smaller mean size. Kumar, Moser and Fischer (arXiv:2304.01300) state that no (ε,
    δ)-DP noise has a smaller mean size than Laplace noise. This is true only among noise densities f with |d ln f/dv|
    ≤ ε/d.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Examples
    --------
    >>> amount(1.0), round(amount(1.0, kind="staircase"), 6)
    (1.0, 0.959517)
    """
    check_noise(epsilon, delta, sensitivity, kind)
    if math.isinf(epsilon):
        return 0.0
    if kind == "laplace":
        return (1 - delta) * sensitivity / epsilon
    return (1 - delta) * sensitivity * math.exp(-epsilon / 2) / -math.expm1(-epsilon)
