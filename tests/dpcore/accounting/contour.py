"""An independent accountant for comparison: δ(ε) as one integral over a line in the complex plane.

With L the privacy loss and M(z) = E_P[e^{zL}] = ∫ p^{1+z} p'^{-z}, for any c > 0,

    δ(ε) = E_P[(1 - e^{ε-L})⁺] = 1/(2πi) ∫_{c-i∞}^{c+i∞} Π M_j(z)^{T_j} e^{-zε} / (z(z + 1)) dz,

since ∫ (1 - e^{-y}) e^{-zy} dy = 1/(z(z + 1)) over y > 0. The computation uses no grid of losses, no
convolution, and nothing of dp-accounting or of `dpcore.accounting`. M is integrated over the outputs by the
trapezoidal rule, which is exact to rounding for such integrands. The line goes through the saddle point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

Array = NDArray[np.complex128]
Floats = NDArray[np.float64]
Mixture = Sequence[tuple[float, float]]
_TERMS = 8


@dataclass(frozen=True)
class Part:
    """One kind of step on a pair of neighbouring data sets: ln M(z) at complex z, and the number of such steps."""

    log_moment: Callable[[Array], Array]
    count: int = 1


def epsilon(orders: Sequence[Sequence[Part]], delta: float) -> float:
    """Return the ε at δ of independent steps, the larger of both orders of the two data sets."""
    found = 0.0
    for parts in orders:
        if found == 0 or chernoff(parts, delta)[0] > found:
            found = max(found, _one_order(parts, delta))
    return found


def _one_order(parts: Sequence[Part], delta: float) -> float:
    """Return the ε for one order of the data sets.

    The integral is repeated with less smoothing and a longer period until ε does not change.
    """
    smooth, found = 0.1, [_refined(parts, delta, 0.1)]
    while len(found) < 9:
        smooth /= 2
        found.append(_refined(parts, delta, smooth))
        if abs(found[-1] - found[-2]) <= 2e-7 * found[-1]:
            return found[-1]
    raise ArithmeticError(f"no answer: {found}")


def _refined(parts: Sequence[Part], delta: float, smooth: float) -> float:
    high, first = chernoff(parts, delta)
    for _ in range(2):
        if high <= 0:
            return 0.0
        # A little to the left of the saddle: the mass that never met the record disturbs less there.
        at = _delta(parts, 0.4 * min(first, _saddle(parts, high)), smooth)
        low = 0.9 * high
        while at(low) < delta:
            if low < 1e-7:
                return 0.0
            high, low = low, 0.8 * low
        while at(high) > delta:
            high *= 1.01
        high = float(brentq(lambda e: at(e) - delta, low, high, xtol=1e-14, rtol=1e-9))  # noqa: B023
    return high


def chernoff(parts: Sequence[Part], delta: float) -> tuple[float, float]:
    """Return an upper bound on ε from real moments, and the c at which it is attained."""

    def bound(log_c: float) -> float:
        c = math.exp(log_c)
        return (_height(parts, c) + c * math.log(c) - (1 + c) * math.log1p(c) - math.log(delta)) / c

    log_c = float(minimize_scalar(bound, bounds=_REACH, method="bounded").x)
    return bound(log_c), math.exp(log_c)


_REACH = (-5.0, 11.0)


def _height(parts: Sequence[Part], c: float) -> float:
    return sum(p.count * float(p.log_moment(np.array([c], complex))[0].real) for p in parts)


def _saddle(parts: Sequence[Part], epsilon: float) -> float:
    """Return the c > 0 at which the integrand is smallest on the real line."""

    def exponent(log_c: float) -> float:
        c = math.exp(log_c)
        return _height(parts, c) - c * epsilon - math.log(c) - math.log1p(c)

    return math.exp(float(minimize_scalar(exponent, bounds=_REACH, method="bounded").x))


def _delta(parts: Sequence[Part], c: float, smooth: float) -> Callable[[float], float]:
    """Return the function δ(ε) by the integral over the line through c, for ε whose saddle point is near c."""
    h = 1e-3 * c
    around = np.array([c - h, c, c + h], complex)
    bend = sum(p.count * np.diff(p.log_moment(around).real, 2)[0] for p in parts) / h**2
    period = max(10 * math.sqrt(max(bend, 0.0)), 70 / c) * 0.2 / smooth
    step = 2 * math.pi / period
    z = c + 1j * np.arange(0.0, 12.0 / smooth * c, step)
    total = sum(p.count * p.log_moment(z) for p in parts)
    w = (smooth / c) ** 2 * z**2 / 2
    kernel = sum((-w) ** k / math.factorial(k) for k in range(_TERMS)) / (z * (z + 1))
    kernel[0] /= 2

    def at(eps: float) -> float:
        with np.errstate(over="ignore", invalid="ignore"):
            found = float((np.exp(total + w - z * eps) * kernel).real.sum() * step / math.pi)
        if not math.isfinite(found):  # ε is the largest loss there is: there is no saddle
            raise ArithmeticError(f"no integral at epsilon={eps}, c={c}")
        return found

    return at


def gaussian(sigma: float, shift: float = 1.0) -> Part:
    """Return a step with Gaussian noise, for which L is N(μ²/2, μ²)."""
    half = (shift / sigma) ** 2 / 2
    return Part(lambda z: half * z * (z + 1))


def laplace(scale: float, shift: float = 1.0) -> Part:
    """Return a step with Laplace noise, integrated in closed form.

    L has atoms at ±a, a = shift/scale, and a density between them.
    """
    a = shift / scale

    def log_moment(z: Array) -> Array:
        both = np.exp(-z * a - a - z * a) / 2 + 0.5
        between = (1 - np.exp(-(2 * z + 1) * a)) / (2 * (2 * z + 1))
        return z * a + np.log(both + between)

    return Part(log_moment)


def coin(epsilon: float) -> Part:
    """Return a step of randomized response."""
    p = 1 / (1 + math.exp(-epsilon))
    return Part(lambda z: z * epsilon + np.log(p + (1 - p) * np.exp(-2 * z * epsilon)))


def mixtures(first: Mixture, second: Mixture, sigma: float) -> Part:
    """Return a step whose outputs are two mixtures of normals, given as pairs (weight, mean), with the same σ."""
    means = [m for _, m in (*first, *second)]
    reach = max(means) - min(means)

    def densities(x: Floats) -> tuple[Floats, Floats]:
        log_p, log_q = (_log_density(x, one, sigma) for one in (first, second))
        return log_p, log_p - log_q

    def points(c: float, most: float) -> tuple[Floats, Floats]:
        out = 13 * sigma + min((1 + c) * reach, 200 * sigma**2 / reach + 40 * sigma)
        x = np.arange(min(means) - out, max(means) + out, sigma / 4)
        log_p, loss = densities(x)
        tilted = log_p + c * loss
        x = x[tilted > tilted.max() - 60]
        slope = (x[-1] - x[0]) * (1 + c + most) * reach / sigma**2 / math.pi
        x = np.linspace(x[0] - sigma, x[-1] + sigma, int(min(max(2_000, 3 * slope), 400_000)))
        log_p, loss = densities(x)
        return log_p + math.log(x[1] - x[0]), loss

    return Part(_moment(points))


def _log_density(x: Floats, mixture: Mixture, sigma: float) -> Floats:
    logs = [math.log(w) - (x - m) ** 2 / (2 * sigma**2) for w, m in mixture if w > 0]
    return np.logaddexp.reduce(logs) - math.log(sigma * math.sqrt(2 * math.pi))


def _moment(points: Callable[[float, float], tuple[Floats, Floats]]) -> Callable[[Array], Array]:
    """Return z ↦ ln Σ e^{ln m_j + z L_j}, for points (ln m_j, L_j) that are fine enough for Re z and |Im z|."""

    def log_moment(z: Array) -> Array:
        log_mass, loss = points(z[0].real, float(np.abs(z.imag).max()))
        tilted = log_mass + z[0].real * loss
        top = tilted.max()
        kept = tilted > top - 45
        weights, losses = np.exp(tilted[kept] - top), loss[kept]
        if len(z) < 50:
            found = np.exp(1j * z.imag[:, None] * losses) @ weights
        else:
            found = _fourier(weights, losses * (z[1] - z[0]).imag, len(z))
        return np.log(np.where(found == 0, 1e-300, found)) + top

    return log_moment


_SPREAD = 14


def _fourier(weights, angles, count: int) -> Array:
    """Return Σ_j w_j e^{ikθ_j} for k = 0 ... count - 1 (Greengard and Lee 2004), to about 10⁻¹³."""
    size = 4 * count  # twice as fine as frequencies -count ... count - 1 ask for
    tau = math.pi * _SPREAD / ((2 * count) ** 2 * 2 * 1.5)
    place = np.mod(angles, 2 * math.pi) * size / (2 * math.pi)
    cell = np.floor(place).astype(np.int64)
    grid = np.zeros(size)
    for shift in range(-_SPREAD + 1, _SPREAD + 1):
        away = (place - cell - shift) * 2 * math.pi / size
        grid += np.bincount((cell + shift) % size, weights * np.exp(-(away**2) / (4 * tau)), size)
    k = np.arange(count)
    spread = math.sqrt(math.pi / tau) * np.exp(k**2 * tau) / size
    return np.fft.rfft(grid)[:count].conj() * spread


def poisson(sigma: float, rate: float) -> tuple[Part, Part]:
    """Return a Poisson-sampled Gaussian step for one record removed, and for one record added."""
    with_one, without = [(1 - rate, 0.0), (rate, 1.0)], [(1.0, 0.0)]
    return mixtures(with_one, without, sigma), mixtures(without, with_one, sigma)


def replaced(sigma: float, rate: float) -> tuple[Part]:
    """Return a Poisson-sampled Gaussian step for one record replaced by its opposite."""
    one = mixtures([(1 - rate, 0.0), (rate, 1.0)], [(1 - rate, 0.0), (rate, -1.0)], sigma)
    return (one,)


def fixed(sigma: float, rate: float) -> tuple[Part]:
    """Return a Gaussian step on a lot of a fixed size, with the profile of `dpcore.accounting.fixed_size`.

    Losses above 0 are those of a Poisson step at σ/2, each of mass m; -L has the mass m e^{-L}.
    """
    half = sigma / 2

    def points(c: float, most: float) -> tuple[Floats, Floats]:
        high = 1 + 14 * half + min(c, 200 * half**2 + 40 * half)
        nodes, weights = _panels(0.5, high, (high - 0.5) * (1 + c + most) / half**2)
        log_p = _log_density(nodes, [(1 - rate, 0.0), (rate, 1.0)], half)
        loss = log_p - _log_density(nodes, [(1.0, 0.0)], half)
        log_mass = log_p + np.log(weights)
        rest = 1 - np.exp(log_mass).sum() - np.exp(log_mass - loss).sum()
        return (
            np.concatenate([log_mass, log_mass - loss, [math.log(max(rest, 1e-300))]]),
            np.concatenate([loss, -loss, [0.0]]),
        )

    one = Part(_moment(points))
    return (one,)


def sampled_laplace(scale: float, rate: float) -> tuple[Part, Part]:
    """Return a Laplace step on a Poisson sample for one record removed, and for one record added."""

    def both(sign: int) -> Part:
        def points(c: float, most: float) -> tuple[Floats, Floats]:
            nodes, weights = _panels(0.0, 1.0, (1 + c + most) / scale)
            logs = [-np.abs(nodes - m) / scale - math.log(2 * scale) for m in (0.0, 1.0)]
            ends = np.log([[0.5, 0.5 * math.exp(-1 / scale)], [0.5 * math.exp(-1 / scale), 0.5]])
            without = np.concatenate([logs[0] + np.log(weights), ends[0]])
            there = np.concatenate([logs[1] + np.log(weights), ends[1]])
            mixed = np.logaddexp(without + math.log1p(-rate), there + math.log(rate))
            return (mixed, mixed - without) if sign > 0 else (without, without - mixed)

        return Part(_moment(points))

    return both(1), both(-1)


def _panels(low: float, high: float, turns: float) -> tuple[Floats, Floats]:
    """Return Gauss-Legendre nodes and weights on panels, for an integrand that oscillates ``turns`` times."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(low, high, 20 + int(min(turns / 6, 20_000)))
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (1 + nodes)).ravel(), (half * weights).ravel()
