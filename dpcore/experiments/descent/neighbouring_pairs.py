"""The worst neighbours of the two places of noise that Gradient descent compares and no estimator has.

Noise on signed rows, and on every sum of gradients; noise on the result and in the objective are audited
beside their own modules.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore.audit.likelihood_ratios import step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.descent.objective import unit_rows
from dpcore.experiments.descent.comparisons import descend_everybody, noisy_rows
from dpcore.guarantee import Guarantee, Part
from dpcore.mechanisms import gaussian_sigma

__all__ = [
    "WORLDS",
]

Floats = NDArray[np.float64]
_EPSILON, _DELTA, _STEPS, _REST = 4.0, 1e-5, 40, 300
_CORNER = unit_rows(np.ones((1, 3)))
_OTHER = unit_rows(-np.ones((1, 3)))


def _claim() -> Guarantee:
    """What the page says of each place: (ε, δ) where one record is replaced, n public."""
    release = Part(name="one model", epsilon=_EPSILON, delta=_DELTA, mechanism="Gaussian, reach 2")
    return Guarantee(
        epsilon=_EPSILON, delta=_DELTA, neighbouring="replace_one", status="proved",
        argument="Rows of norm at most 1 move what gets the noise by at most 2.",
        public=("the number of records n", "bounds of every feature"), parts=(release,),
    )  # fmt: skip


def _on_a_row(canary: bool, rng: np.random.Generator) -> float:
    """A row or its opposite, by its class: the published row along it."""
    sigma = gaussian_sigma(2.0, _EPSILON, delta=_DELTA)
    seen = noisy_rows(_CORNER, np.array([float(canary)]), sigma, rng.standard_normal((1, 4)))
    return float(seen[0] @ _CORNER[0])


def _on_gradients(canary: bool, rng: np.random.Generator) -> float:
    """Log-likelihood ratio of all steps, for a record that the others make unlikely."""
    rest = np.vstack([_CORNER, _OTHER] * (_REST // 2))
    X, y = np.vstack([rest, _CORNER if canary else _OTHER]), np.append(np.ones(_REST), 0.0)
    sigma = gaussian_sigma(2.0, _EPSILON, delta=_DELTA) * math.sqrt(_STEPS)
    unit, strength, n = rng.standard_normal((_STEPS, 4)), 0.001, len(X)
    W = descend_everybody(X, y, strength, np.array([sigma]), unit, n)[0]
    step = 1 / (0.25 + 2 * strength)
    seen = (-np.diff(W, axis=0) / step - 2 * strength * W[:-1]) * n
    others = [(expit(W[:-1] @ rest.T) - 1) @ rest]
    mine, replaced = (expit(W[:-1] @ x.T) * x for x in (_CORNER, _OTHER))
    return step_evidence(seen, mine, others, scale=sigma, replaced=replaced)


WORLDS: tuple[Worlds, ...] = (
    Worlds(
        name="noise on every record",
        neighbours="one row with one class or the other; replace_one",
        canary="a row of norm 1 with the opposite class: its signed row is turned round",
        score="the published row, along the row",
        claim=_claim,
        release=_on_a_row,
        threshold=0.0,
        gaussian=True,
    ),
    Worlds(
        name="noise on every gradient of everybody",
        neighbours=f"{_REST} records of one class, and one of the other at this corner or the opposite; "
        "replace_one",
        canary="of the class that the others make unlikely: its gradient is nearly as long as its row",
        score="log-likelihood ratio of all steps",
        claim=_claim,
        release=_on_gradients,
        threshold=0.0,
    ),
)
