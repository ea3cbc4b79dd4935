"""Privacy bugs of earlier versions of this project, in small copies of mechanisms."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpcore.audit.sabotage.base import claimed_guarantee, clipped, sabotage
from dpcore.mechanisms import gaussian_sigma

__all__ = ["CASES"]

_SIGMA = gaussian_sigma(1.0, 1.0, delta=1e-5)
_LOUD = gaussian_sigma(1.0, 20.0, delta=1e-5)
_STEPS, _FEATURES = 10, 400


def _glvq_gradient(x: float, w: list[float], d: tuple[float, float]) -> np.ndarray:
    """Return the gradient (2,) of (d₁ - d₂)/(d₁ + d₂) with respect to two one-dimensional prototypes ``w``.

    ``d`` holds the squared distances d₁ and d₂ of the record x to the two prototypes.
    """
    total = (d[0] + d[1]) ** 2
    return np.array([-4 * d[1] / total * (x - w[0]), 4 * d[0] / total * (x - w[1])])


def _norm_by_formula(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    step = np.zeros(2)
    if canary:
        x, w = np.float32(0.7), np.array([0.7002, 0.6997], np.float32)
        # |x|² + |w|² - 2xw in single precision: what is left of it here is rounding, or nothing
        near, far = np.maximum(x * x + w * w - np.float32(2) * x * w, np.float32(0)).tolist()
        gradient = _glvq_gradient(float(x), w.tolist(), (near, far))
        norm = 4 * math.sqrt(near * far / (near + far)) / (near + far)
        step = gradient / max(norm, 1.0) if broken else clipped(gradient[None])[0]
    return float(np.abs(step + _SIGMA * rng.standard_normal(2)).max())


def _size_in_the_noise(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    lot = 0.5 * ((10 if canary else 9) if broken else 10)
    path = _SPREAD * rng.standard_normal((_STEPS, _FEATURES)) / lot
    return -float(np.sqrt(np.square(path).mean()))


def _normal_that_ends(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    bits = 24 if broken else 53
    uniform = (int(rng.integers(2**bits)) + 1) / 2.0**bits
    radius = math.sqrt(max(-2 * math.log(uniform), 0.0))
    return float(canary) / _LOUD + radius * math.cos(2 * math.pi * rng.random())


def _seed_in_the_model(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    seed = rng.integers(2**63)
    noisy = float(canary) + float(np.random.default_rng(seed).laplace())
    stored_seed = seed if broken else None
    return (
        noisy
        if stored_seed is None
        else noisy - float(np.random.default_rng(stored_seed).laplace())
    )


_END = math.sqrt(48 * math.log(2))
_REAL_END = math.sqrt(106 * math.log(2))
_SPREAD = _SIGMA * math.sqrt(_STEPS)

CASES = (
    sabotage(
        17, "Clipping by a formula for the norm",
        source="this project, the plain backend of DPGLVQ",
        neighbours="no record, and one at 0.7 between prototypes at 0.7002 and 0.6997",
        canary="close to both prototypes, so that the gradient is huge",
        score="the largest coordinate of the noisy step",
        release=_norm_by_formula, thresholds=(20 * _SIGMA, _SIGMA), claim=partial(claimed_guarantee, 1.0, 1e-5),
        trainings=100,
    ),
    sabotage(
        18, "The number of records in the scale of the noise",
        source="this project, DPGLVQ without a declared size (Opacus issue 571 is its kin)",
        neighbours=f"9 records and 10, {_FEATURES} features, {_STEPS} steps",
        canary="any record: it need not move anything",
        score="minus the root mean square of the path's steps",
        release=_size_in_the_noise, thresholds=(-_SPREAD / 4.74, -_SPREAD / 5), trainings=100,
        claim=partial(claimed_guarantee, 1.0, 1e-5),
    ),
    sabotage(
        19, "A normal that ends",
        source="this project, the compiled loops' noise",
        neighbours="a sum of 0 and of 1", canary="the one record, at the clipping norm",
        score="the noisy sum in units of the noise: above its end it is impossible without the record",
        release=_normal_that_ends, thresholds=(_END, _REAL_END), claim=partial(claimed_guarantee, 20.0, 1e-5),
        trainings=3000, support=True,
    ),
    sabotage(
        20, "The seed left in the model",
        source="this project, the parties of federated affine hulls",
        neighbours="a count of 0 and of 1", canary="the one record",
        score="the count less the noise drawn again (twin: the noisy count)",
        release=_seed_in_the_model, thresholds=(0.5, 1.0), trainings=60,
    ),
)  # fmt: skip
"""The bugs with the numbers 17 to 20."""
