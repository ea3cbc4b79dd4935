"""The evidence on Jiang's slides."""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpcore.experiments.formulas.evidence.hulls import EVIDENCE as KUMAR
from dpcore.experiments.formulas.evidence.kinds import Evidence, Trial, at_most, equal, readings
from dpcore.experiments.formulas.evidence.relevance import EVIDENCE as BRINKROLF
from dpcore.experiments.formulas.plain import plain
from dpcore.regression import sensitivity as moved

__all__ = ["EVIDENCE"]

_CORNERS = (-1.0, 1.0)


def _held(one: Evidence) -> Evidence:
    return one if one.verdict == "wrong" else Evidence(verdict="right", says=one.says)


def _last() -> Evidence:
    rng = np.random.default_rng(0)
    X, new = rng.uniform(-1, 1, (12, 3)), rng.uniform(-1, 1, 3)
    tried = []
    for k in (0, 5, 11):
        other = X.copy()
        other[k] = new
        swapped = np.vstack([np.delete(X, k, 0), X[k]])
        last = swapped.copy()
        last[-1] = new
        tried.append(
            Trial(
                at=f"record {k + 1} of 12 replaced, and the same record replaced as the last",
                printed=float(np.abs(swapped.T @ swapped - last.T @ last).sum()),
                real=float(np.abs(X.T @ X - other.T @ other).sum()),
            )
        )
    return equal(tried, "Change of the coefficients, wherever the record stands")


def _bracket() -> Evidence:
    tried = [
        Trial(at=f"a lot of {n}, in units of σC", printed=math.sqrt(n), real=1.0)
        for n in (10, 25, 100, 600)
    ]
    found = at_most(
        tried, "Deviation of the noise in the sum that privacy needs, against the printed"
    )
    empty = 0.99**1000
    return Evidence(
        verdict=found.verdict,
        says=f"{found.says} An empty lot gets no noise: with N = 1000 and L/N = 0.01 a lot is empty "
        f"with probability {plain(empty, 2)}.",
    )


def _polynomial() -> Evidence:
    rng = np.random.default_rng(0)
    tried = []
    for m, d in ((5, 1), (20, 3), (50, 8)):
        X, y = np.hstack([np.ones((m, 1)), rng.uniform(-1, 1, (m, d))]), rng.uniform(-1, 1, m)
        theta = rng.normal(size=d + 1)
        whole = np.einsum("ij,ik,j,k->", X, X, theta, theta) - 2 * (y @ X) @ theta + y @ y
        tried.append(
            Trial(
                at=f"m = {m}, d = {d}",
                printed=float(whole / (2 * m)),
                real=float(np.square(X @ theta - y).sum() / (2 * m)),
            )
        )
    return equal(tried, "J(θ) by the squares, and by its coefficients")


def _most_quadratic(d: int) -> float:
    points = [np.array((1.0, *one)) for one in itertools.product((-1.0, 0.0, 1.0), repeat=d)]
    return max(float(np.abs(np.outer(a, a) - np.outer(b, b)).sum()) for a in points for b in points)


def _quadratic() -> Evidence:
    tried = [
        Trial(
            at=f"d = {d}, all pairs of records on a grid",
            printed=2.0 * (d + 1) ** 2,
            real=_most_quadratic(d),
        )
        for d in (1, 2, 3, 4)
    ]
    return at_most(tried, "Change of the quadratic coefficients when one record is replaced")


def _linear() -> Evidence:
    tried = []
    for d in (1, 2, 3, 4):
        points = [
            (y, np.array((1.0, *one)))
            for y in _CORNERS
            for one in itertools.product(_CORNERS, repeat=d)
        ]
        most = max(float(np.abs(2 * a * x - 2 * b * z).sum()) for a, x in points for b, z in points)
        tried.append(Trial(at=f"d = {d}, all pairs of corners", printed=4.0 * (d + 1), real=most))
    return at_most(tried, "Change of the linear coefficients when one record is replaced")


def _noise(share: float, d: int) -> float:
    """The total deviation of all coefficients at ε = 1, with a share of ε for the quadratic part."""
    quadratic = (d + 1) ** 2 * (moved.printed_quadratic(d) / share) ** 2
    linear = (d + 1) * (moved.linear(d) / (1 - share)) ** 2
    return math.sqrt(2 * (quadratic + linear))


def _split() -> Evidence:
    found = []
    for name, share in (("somewhat more, 3 to 1", 0.75), ("far more, 99 to 1", 0.99)):
        tried = [
            Trial(at=f"d = {d}", printed=_noise(0.5, d), real=_noise(share, d)) for d in (4, 8, 13)
        ]
        found.append((name, _held(at_most(tried, "Total noise, against that of two equal halves"))))
    return readings(found)


def _whole_matrix() -> Evidence:
    """An entry of the symmetric part by the exact sensitivity, and by one joint release of distinct coefficients."""
    tried = []
    for d in (5, 10, 13):
        share = (d + 1) / (d + 3)
        each = math.sqrt(2) * moved.quadratic(d) / share / math.sqrt(2)
        tried.append(Trial(at=f"d = {d}, ε = 1", printed=each, real=math.sqrt(2) * moved.joint(d)))
    return at_most(
        tried,
        "Deviation of an off-diagonal coefficient in one joint release, against noise for each (j, k)",
    )


def _signs() -> Evidence:
    """The printed density ratio of two data sets, and that of Laplace noise."""
    tried = []
    for t in (-2.0, 0.5, 3.0):
        first, second = abs(0.0 - t), abs(1.0 - t)
        tried.append(
            Trial(
                at=f"a = 0 and 1, â = {plain(t)}, ε/Δ = 1",
                printed=math.exp(first - second),
                real=math.exp(-first + second),
            )
        )
    return equal(tried, "Ratio of the two densities as printed, and of Laplace noise")


EVIDENCE = {
    "4.1": _last,
    "4.2": _bracket,
    "4.3": _polynomial,
    "4.4": _quadratic,
    "4.5": _linear,
    "4.6": _split,
    "4.7": _whole_matrix,
    "4.8": _signs,
    "4.10": KUMAR["1.1"],
    "4.11": BRINKROLF["0.1"],
    "4.12": BRINKROLF["0.1"],
}
