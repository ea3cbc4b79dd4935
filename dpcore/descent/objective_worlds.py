"""The worst neighbours known of objective perturbation: one record against many that say the opposite.

The many make the model so sure that the record's loss has nearly its largest slope, whatever the noise; a
replaced one lies at the opposite corner and has the same class. The score is the exact likelihood ratio.
"""

from __future__ import annotations

from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore._chance import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.worlds import Worlds
from dpcore.descent.objective import ObjectiveNoise, objective_noise
from dpcore.descent.perturbed import unit_rows
from dpcore.guarantee import Guarantee, Neighbouring

__all__ = ["OBJECTIVE_WORLDS", "log_density"]

Floats = NDArray[np.float64]
_FEATURES, _REST, _CURVATURE = 4, 300, 1.0


def _data(canary: bool, replaced: bool) -> tuple[Floats, Floats]:
    """Records at two corners, all of class 1, and the canary, of class 0."""
    corner = np.ones((1, _FEATURES))
    rest = np.vstack([corner, -corner] * (_REST // 2))
    last = corner if canary else -corner
    if not (canary or replaced):
        last = np.empty((0, _FEATURES))
    return np.vstack([rest, last]), np.append(np.ones(_REST), np.zeros(len(last)))


def log_density(weights: Floats, X: Floats, y: Floats, noise: ObjectiveNoise) -> float:
    """Return the log-density of the exact minimiser at weights (d + 1,), up to a constant of d and the noise.

    That of the only b which has its minimum there, times the volume det(H + m).
    """
    p = expit(X @ weights)
    b = -(X.T @ (p - y) + noise.curvature * weights)
    H = (X * (p * (1 - p))[:, None]).T @ X + noise.curvature * np.eye(len(weights))
    square = float(b @ b)
    tilt = -np.sqrt(square) / noise.scale if noise.pure else -square / (2 * noise.scale**2)
    return float(tilt + np.linalg.slogdet(H)[1])


def _worlds(name: str, delta: float, neighbouring: Neighbouring, epsilon: float = 4.0) -> Worlds:
    replaced, n = neighbouring == "replace_one", _REST + 1
    options = {
        "epsilon": epsilon, "delta": delta, "regularisation": _CURVATURE / (2 * n),
        "neighbouring": neighbouring, "bounds": (-1.0, 1.0), "classes": [0, 1], "expected_n": n,
    }  # fmt: skip

    def _fitted(canary: bool, rng: np.random.Generator | None) -> object:
        from dpcore.descent.private import ObjectivePerturbationClassifier

        with unwarned(SeededNoiseWarning):
            model = ObjectivePerturbationClassifier(**options, random_state=rng)  # type: ignore[arg-type]
            return model.fit(*_data(canary, replaced))

    @cache
    def _claim() -> Guarantee:
        return cast(Guarantee, _fitted(True, None).privacy_)  # type: ignore[attr-defined]

    @cache
    def _noise() -> ObjectiveNoise:
        strength = _CURVATURE / (2 * n)
        return objective_noise(epsilon, delta, strength, n, neighbouring=neighbouring)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        w = _fitted(canary, rng).coefficients_  # type: ignore[attr-defined]
        rows = [(unit_rows(X), y) for X, y in (_data(there, replaced) for there in (True, False))]
        there, without = (log_density(w, X, y, _noise()) for X, y in rows)
        return there - without

    return Worlds(
        name=name,
        neighbours=f"{_REST} records of one class, and one of the other at this corner or the opposite; "
        "replace_one" if replaced else f"{_REST} records of one class, or one more of the other; add_remove",
        canary="of the class that the others make unlikely: its loss has nearly its largest slope",
        score="log-likelihood ratio of the weights: of the linear term they show, and of the volume",
        claim=_claim,
        release=_release,
    )  # fmt: skip


OBJECTIVE_WORLDS: tuple[Worlds, ...] = (
    _worlds("ObjectivePerturbationClassifier, replace_one", 1e-5, "replace_one"),
    _worlds("ObjectivePerturbationClassifier, add_remove", 1e-5, "add_remove"),
    _worlds("ObjectivePerturbationClassifier, Algorithm 2", 0.0, "replace_one"),
)
