"""The worst neighbours known of objective perturbation: one record against many that say the opposite.

The many make the model so sure that the record's loss has nearly its largest slope, whatever the noise; a
replaced one lies at the opposite corner and has the same class. The score is the exact likelihood ratio.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore._chance import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.worlds import Worlds
from dpcore.descent.objective import ObjectiveNoise, objective_noise
from dpcore.descent.perturbed import unit_rows
from dpcore.guarantee import Guarantee, Neighbouring

if TYPE_CHECKING:
    from dpcore.descent.private import ObjectivePerturbationClassifier

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


class _Setting(NamedTuple):
    """What an objective is perturbed for; the arguments of the functions that are computed once."""

    delta: float
    neighbouring: Neighbouring
    epsilon: float = 4.0

    @property
    def replaced(self) -> bool:
        """Whether a neighbour has another record in the canary's place."""
        return self.neighbouring == "replace_one"


_N = _REST + 1
_REGULARISATION = _CURVATURE / (2 * _N)


def _fitted(
    setting: _Setting, canary: bool, rng: np.random.Generator | None
) -> ObjectivePerturbationClassifier:
    from dpcore.descent.private import ObjectivePerturbationClassifier

    model = ObjectivePerturbationClassifier(
        epsilon=setting.epsilon, delta=setting.delta, neighbouring=setting.neighbouring,
        regularisation=_REGULARISATION, bounds=(-1.0, 1.0), classes=[0, 1], expected_n=_N,
        random_state=rng,
    )  # fmt: skip
    with unwarned(SeededNoiseWarning):
        return model.fit(*_data(canary, setting.replaced))


@cache
def _claim(setting: _Setting) -> Guarantee:
    return _fitted(setting, True, None).privacy_


@cache
def _noise(setting: _Setting) -> ObjectiveNoise:
    return objective_noise(
        setting.epsilon, setting.delta, _REGULARISATION, _N, neighbouring=setting.neighbouring
    )


def _release(setting: _Setting, canary: bool, rng: np.random.Generator) -> float:
    w = _fitted(setting, canary, rng).coefficients_
    rows = [(unit_rows(X), y) for X, y in (_data(c, setting.replaced) for c in (True, False))]
    there, without = (log_density(w, X, y, _noise(setting)) for X, y in rows)
    return there - without


def _worlds(name: str, setting: _Setting) -> Worlds:
    # Partial functions of the module's own, not closures: other processes can unpickle them.
    many = f"{_REST} records of one class"
    return Worlds(
        name=name,
        neighbours=f"{many}, and one of the other at this corner or the opposite; replace_one"
        if setting.replaced
        else f"{many}, or one more of the other; add_remove",
        canary="of the class that the others make unlikely: its loss has nearly its largest slope",
        score="log-likelihood ratio of the weights: of the linear term they show, and of the volume",
        claim=partial(_claim, setting),
        release=partial(_release, setting),
    )


OBJECTIVE_WORLDS: tuple[Worlds, ...] = (
    _worlds("ObjectivePerturbationClassifier, replace_one", _Setting(1e-5, "replace_one")),
    _worlds("ObjectivePerturbationClassifier, add_remove", _Setting(1e-5, "add_remove")),
    _worlds("ObjectivePerturbationClassifier, Algorithm 2", _Setting(0.0, "replace_one")),
)
