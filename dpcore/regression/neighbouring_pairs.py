"""Audits of all private regressors, each on the pair of neighbouring data sets that is worst for the method.

The two data sets differ in one record. In most audits only the target of this record differs. It is at the upper
bound in one data set and at the lower bound in the other. The attacker sees the fitted coefficients.

- If a method adds noise to the sums Σxxᵀ and Σyx, the other records make Σxxᵀ a multiple of the identity. The
  attacker can then compute the noisy Σyx from the coefficients, up to a small error, and so tests the noise itself.
  In the audits "A itself" and "all sums" the attacker sees the noisy sums directly, and the features of the record
  differ too.
- If a method adds noise to coefficients or gradients, there are no other records. The replacement then changes the
  coefficients or gradients by nearly as much as the sensitivity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._random_state import SeededNoiseWarning
from dpcore._types import RandomState
from dpcore._warnings import unwarned
from dpcore.audit.likelihood_ratios import best_cut, laplace_cut, laplace_evidence
from dpcore.audit.worlds import Worlds
from dpcore.regression import noise, sensitivity, statistics
from dpcore.regression.base import PrivateRegressor
from dpcore.regression.estimators import (
    AdaSSP,
    DPGradientDescentRegression,
    FunctionalMechanismRegression,
    OutputPerturbationRegression,
    SufficientStatisticsRegression,
)

__all__ = ["WORLDS"]

Floats = NDArray[np.float64]
_BOX: dict[str, Any] = {"bounds": (-1.0, 1.0), "target_bounds": (-1.0, 1.0)}
_MANY = 4000


class _Regression:
    """Audit of a regressor on two data sets that differ in the target of one record."""

    def __init__(self, model: PrivateRegressor, rest: tuple[Floats, Floats]) -> None:
        self.model, self.rest = model, rest

    def fitted(self, canary: bool, random_state: RandomState) -> PrivateRegressor:
        """Return the regressor fitted to the data set with the canary or to the data set without it.

        The last record is (1, ..., 1). Its target is 1 with the canary and -1 without it.
        """
        X, y = self.rest
        X = np.vstack([X, np.ones((1, X.shape[1]))])
        model = type(self.model)(**self.model.get_params()).set_params(random_state=random_state)
        with unwarned(SeededNoiseWarning):
            return model.fit(X, np.append(y, 1.0 if canary else -1.0))

    @cached_property
    def claiming(self) -> PrivateRegressor:
        """Regressor fitted without a seed, from which the claimed guarantee is read."""
        return self.fitted(False, None)

    def claim(self) -> Any:
        """Return the claimed guarantee of the audited regressor."""
        return self.claiming.privacy_


def _balanced() -> tuple[Floats, Floats]:
    """Return N records of one feature, half of them 1 and half of them -1, all with the target 0.

    For these records A = Σxxᵀ is N times the identity, because the intercept is part of x. N times the fitted
    coefficients are therefore nearly the noisy sums c = Σyx.
    """
    return np.tile([[1.0], [-1.0]], (_MANY // 2, 1)), np.zeros(_MANY)


_NOBODY = np.empty((0, 1)), np.empty(0)


def _world(
    name: str, model: PrivateRegressor, rest: tuple[Floats, Floats], score: str,
    read: Callable[[Floats], float], threshold: float, gaussian: bool = True,
) -> Worlds:  # fmt: skip
    attack = _Regression(model, rest)
    return Worlds(
        name=f"{type(model).__name__}, {name}",
        neighbours=f"{len(rest[1])} records, and one with target 1 or -1; replace_one",
        canary="all features and the target at their bounds, against the target at the other one",
        score=score,
        claim=attack.claim,
        release=lambda canary, rng: read(attack.fitted(canary, rng).coefficients_),
        threshold=threshold,
        gaussian=gaussian,
    )


def _sums(name: str, model: PrivateRegressor, scale: float | None) -> Worlds:
    """Return the audit of a regressor by the noisy sums c = Σyx, computed from the fitted coefficients.

    The exact sums are (1, 1) with the canary and (-1, -1) without the canary. ``scale`` is the scale of the Laplace
    noise on the sums, or None for Gaussian noise.
    """

    def _read(theta: Floats) -> float:
        seen = (_MANY + 1) * theta
        return float(seen.sum()) if scale is None else laplace_evidence(seen, -1.0, 1.0, scale)

    return _world(
        name, model, _balanced(), "the noisy sums Σyx, read off the coefficients", _read,
        0.0 if scale is None else laplace_cut([2 / scale] * 2), gaussian=scale is None,
    )  # fmt: skip


def _functional(kind: str) -> Worlds:
    share = 0.05  # nearly the whole budget on c, which the fit reveals
    model = FunctionalMechanismRegression(
        epsilon=1.0, split=share, sensitivity=kind, repair="none", clip_predictions=False, **_BOX
    )
    scale = sensitivity.joint(1) if kind == "joint" else sensitivity.linear(1) / (1 - share) / 2
    return _sums(kind, model, scale)


def _quadratic(kind: str) -> Worlds:
    """Return the audit of the noisy matrix A = Σxxᵀ of the functional mechanism, seen directly by the attacker."""
    share = 0.98
    model = FunctionalMechanismRegression(epsilon=1.0, split=share, sensitivity=kind, **_BOX)
    attack = _Regression(model, _balanced())
    first = sensitivity.printed_quadratic(1) if kind == "printed" else sensitivity.quadratic(1)
    scale = first / share

    def _release(canary: bool, rng: np.random.Generator) -> float:
        X = np.array([[1.0 if canary else -1.0]])
        exact = statistics.sufficient_statistics(X, np.zeros(1), bounds=attack.claiming.bounds_)
        unit_noise = noise.functional_noise(1, 1, rng, share=share, sensitivities=kind)
        return float((exact.quadratic + unit_noise.matrix[0])[0, 1])

    def _tail(t: Floats) -> Floats:
        a = np.abs(2 * t / scale)  # the mean of two Laplace draws
        half = (2 + a) * np.exp(-a) / 4
        return np.where(t > 0, half, 1 - half)

    cuts = np.linspace(-4 * scale, 4 * scale, 401)
    return Worlds(
        name=f"{type(model).__name__}, {kind}, A itself",
        neighbours="one record (1, 1), or (1, -1); replace_one",
        canary="turns both entries of A off the diagonal from -1 to 1: the whole sensitivity in L1",
        score="the noisy entry of A",
        claim=attack.claim,
        release=_release,
        threshold=best_cut(lambda t: _tail(t + 1), lambda t: 1 - _tail(t - 1), cuts),
    )


def _gaussian_sums() -> Worlds:
    """Return the audit of all noisy sums of a Gaussian release, seen directly by the attacker.

    The sums are those of the products of the entries of (1, x, y), for two features. The record and its replacement
    are orthogonal vectors (1, x, y) with entries ±1. So the exact sums differ by the whole L2 sensitivity √2(d+2).
    """
    model = SufficientStatisticsRegression(epsilon=2.0, **_BOX)
    attack = _Regression(model, (np.zeros((1, 2)), np.zeros(1)))
    corners = {True: ([[1.0, 1.0]], [1.0]), False: ([[1.0, -1.0]], [-1.0])}
    upper = np.triu_indices(3)
    weights = np.where(upper[0] == upper[1], 1.0, 2.0)

    def _all(sums: Any) -> Floats:
        return np.concatenate([sums.quadratic[upper], sums.linear])

    def _release(canary: bool, rng: np.random.Generator) -> float:
        box = attack.claiming.bounds_
        there, without = (
            statistics.sufficient_statistics(*corners[world], bounds=box) for world in (True, False)
        )
        unit_noise = noise.gaussian_noise(2, 1, rng)
        s = noise.gaussian_scales(model.epsilon, model.delta)[0]
        noise_vector = s * np.concatenate([unit_noise.matrix[0][upper], unit_noise.vector[0]])
        seen = _all(there if canary else without) + noise_vector
        way = np.concatenate([weights, np.full(3, 2.0)]) * (_all(there) - _all(without))
        return float(way @ (seen - (_all(there) + _all(without)) / 2))

    return Worlds(
        name=f"{type(model).__name__}, all sums",
        neighbours="one record with (1, x, y) = (1, 1, 1, 1), or (1, 1, -1, -1); replace_one",
        canary="a corner of the box orthogonal to the replaced one: the whole sensitivity in L2",
        score="log-likelihood ratio of the noisy sums",
        claim=attack.claim,
        release=_release,
        threshold=0.0,
        gaussian=True,
    )


def _along(theta: Floats) -> float:
    return float(theta.sum())


def _solution() -> Worlds:
    # One record, a strong ridge and a small ball: the minimiser moves by 97 % of 2G/μ.
    model = OutputPerturbationRegression(epsilon=6.0, ridge=75.0, radius=0.02, **_BOX)
    return _world("one record", model, _NOBODY, "the coefficients, along the canary", _along, 0.0)


def _descent(n_steps: int, sample_rate: float = 1.0) -> Worlds:
    # Steps so short that the gradient stays at its clipping norm, and the noise of all steps adds up.
    model = DPGradientDescentRegression(
        epsilon=2.0, n_steps=n_steps, learning_rate=1e-3, clip_norm=0.5, average=False,
        sample_rate=sample_rate, **_BOX,
    )  # fmt: skip
    return _world(
        f"n_steps = {n_steps}" + (f", q = {sample_rate:g}" if sample_rate < 1 else ""),
        model,
        _NOBODY,
        "the last coefficients, along the canary",
        _along,
        0.0,
        gaussian=sample_rate == 1,  # of a random sample the trade-off is a mixture's
    )


def _ada(calibration: str) -> Worlds:
    return _sums(calibration, AdaSSP(epsilon=4.0, calibration=calibration, **_BOX), None)


WORLDS: tuple[Worlds, ...] = (
    *(_functional(kind) for kind in ("printed", "tight", "joint")),
    *(_quadratic(kind) for kind in ("printed", "tight")),
    _sums("sums", SufficientStatisticsRegression(epsilon=2.0, repair="none", **_BOX), None),
    _gaussian_sums(),
    *(_ada(calibration) for calibration in ("exact", "published")),
    _solution(),
    *(_descent(n_steps) for n_steps in (1, 20)),
    _descent(20, sample_rate=0.2),
)
