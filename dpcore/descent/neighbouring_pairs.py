"""Worst-case neighbouring data sets for the audit of private descent, output and objective perturbation."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import accounting, mechanisms, sgd
from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.likelihood_ratios import clipped, step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.descent.erm import RegularisedLogistic, minimise, output_sensitivity
from dpcore.descent.models import Logistic
from dpcore.descent.objective import ObjectiveNoise, objective_noise, unit_rows
from dpcore.descent.train import Recipe, descend
from dpcore.guarantee import Guarantee, Neighbouring, Part

if TYPE_CHECKING:
    from dpcore.descent.private import ObjectivePerturbationClassifier

__all__ = ["OBJECTIVE_WORLDS", "WORLDS", "log_density"]


Floats = NDArray[np.float64]

_FEATURES, _N_OTHERS, _CURVATURE = 4, 300, 1.0


def _data(canary: bool, replaced: bool) -> tuple[Floats, Floats]:
    """Return the records and labels of the data set with or without the canary.

    Both data sets contain 300 records of class 1: half have all features 1, half have all features -1. The canary is
    a record of class 0 with all features 1. If ``replaced``, the data set without the canary has a record of class 0
    with all features -1 instead.
    """
    corner = np.ones((1, _FEATURES))
    rest = np.vstack([corner, -corner] * (_N_OTHERS // 2))
    last = corner if canary else -corner
    if not (canary or replaced):
        last = np.empty((0, _FEATURES))
    return np.vstack([rest, last]), np.append(np.ones(_N_OTHERS), np.zeros(len(last)))


def log_density(weights: Floats, X: Floats, y: Floats, noise: ObjectiveNoise) -> float:
    """Return the log density, at given weights (d + 1,), of the distribution of the perturbed objective's minimiser.

    The objective contains a random linear term b·w. For given data, exactly one vector b makes the weights the
    minimiser. The result is the log density of this b, plus ln det(H + mI), with the Hessian H of the losses and the
    added curvature m. A constant that is the same for all data is left out.
    """
    p = expit(X @ weights)
    b = -(X.T @ (p - y) + noise.curvature * weights)
    H = (X * (p * (1 - p))[:, None]).T @ X + noise.curvature * np.eye(len(weights))
    square = float(b @ b)
    tilt = -np.sqrt(square) / noise.scale if noise.pure else -square / (2 * noise.scale**2)
    return float(tilt + np.linalg.slogdet(H)[1])


class _Setting(NamedTuple):
    """Settings of an audit of objective perturbation.

    They are hashable, so that cached functions accept them.
    """

    delta: float
    neighbouring: Neighbouring
    epsilon: float = 4.0

    @property
    def replaced(self) -> bool:
        """Whether neighbours differ by a replaced record (True), or by an added or removed one."""
        return self.neighbouring == "replace_one"


_OBJECTIVE_N = _N_OTHERS + 1

_REGULARISATION = _CURVATURE / (2 * _OBJECTIVE_N)


def _fitted(
    setting: _Setting, canary: bool, rng: np.random.Generator | None
) -> ObjectivePerturbationClassifier:
    from dpcore.descent.private import ObjectivePerturbationClassifier

    model = ObjectivePerturbationClassifier(
        epsilon=setting.epsilon, delta=setting.delta, neighbouring=setting.neighbouring,
        regularisation=_REGULARISATION, bounds=(-1.0, 1.0), classes=[0, 1], expected_n=_OBJECTIVE_N,
        random_state=rng,
    )  # fmt: skip
    with unwarned(SeededNoiseWarning):
        return model.fit(*_data(canary, setting.replaced))


@cache
def _objective_claim(setting: _Setting) -> Guarantee:
    return _fitted(setting, True, None).privacy_


@cache
def _noise(setting: _Setting) -> ObjectiveNoise:
    return objective_noise(
        setting.epsilon,
        setting.delta,
        regularisation=_REGULARISATION,
        n_samples=_OBJECTIVE_N,
        neighbouring=setting.neighbouring,
    )


def _release(setting: _Setting, canary: bool, rng: np.random.Generator) -> float:
    w = _fitted(setting, canary, rng).coefficients_
    rows = [(unit_rows(X), y) for X, y in (_data(c, setting.replaced) for c in (True, False))]
    there, without = (log_density(w, X, y, _noise(setting)) for X, y in rows)
    return there - without


def _worlds(name: str, setting: _Setting) -> Worlds:
    # Partials of module functions, not closures, so that other processes can unpickle them.
    many = f"{_N_OTHERS} records of one class"
    return Worlds(
        name=name,
        neighbours=f"{many}, and one of the other at this corner or the opposite; replace_one"
        if setting.replaced
        else f"{many}, or one more of the other; add_remove",
        canary="of the class that the others make unlikely: its loss has nearly its largest slope",
        score="log-likelihood ratio of the weights: of the linear term they show, and of the volume",
        claim=partial(_objective_claim, setting),
        release=partial(_release, setting),
    )


OBJECTIVE_WORLDS: tuple[Worlds, ...] = (
    _worlds("ObjectivePerturbationClassifier, replace_one", _Setting(1e-5, "replace_one")),
    _worlds("ObjectivePerturbationClassifier, add_remove", _Setting(1e-5, "add_remove")),
    _worlds("ObjectivePerturbationClassifier, Algorithm 2", _Setting(0.0, "replace_one")),
)


_SIGMA, _DELTA = 2.0, 1e-5

_MODEL = Logistic(1)
# Far out, with a constant: gradients of norm C and more whatever the weights near 0 are.
_REST = np.array([[-8.0, 1.0], [-8.0, 1.0]]), np.array([0.0, 1.0])

_CANARY = np.array([8.0, 1.0]), 1.0

_N = 3  # declared: the number that steps are divided by


def _recipe(q: float, clipping: str) -> Recipe:
    return Recipe(
        clip_norm=0.5, sample_rate=q, n_steps=10 if q == 1 else 25, learning_rate=0.01,
        clipping=clipping,
    )  # fmt: skip


@cache
def _claim(q: float, clipping: str) -> Guarantee:
    """Return the guarantee that `descend` claims for the audited training at sample rate ``q``.

    If ``clipping`` is "batch", a record changes a step by 2C instead of C. The accountant then uses half of the noise
    multiplier.
    """
    recipe = _recipe(q, clipping)
    sigma = _SIGMA / 2 if clipping == "batch" else _SIGMA
    epsilon = accounting.epsilon(
        noise_multiplier=sigma, sample_rate=q, n_steps=recipe.n_steps, delta=_DELTA
    )
    part = Part(
        name=f"{recipe.n_steps} steps", epsilon=epsilon, delta=_DELTA,
        mechanism=f"Poisson-subsampled Gaussian, σ = {sigma:g}",
    )  # fmt: skip
    return Guarantee(
        epsilon=epsilon, delta=_DELTA, neighbouring="add_remove", status="proved",
        argument="Privacy loss distribution of sampled Gaussian steps (Abadi et al. 2016).",
        parts=(part,),
    )  # fmt: skip


def _trained(canary: bool, rng: np.random.Generator, recipe: Recipe) -> Floats:
    """Train with or without the canary; return the weights (T + 1, 2) before each of T steps and after the last one.

    Both trainings use the same random lots (Poisson-sampled batches), with the canary removed from them if it is not
    in the data.
    """
    X, y = np.vstack([_REST[0], _CANARY[0]]), np.append(_REST[1], _CANARY[1])
    streams = sgd.Streams.spawned(np.random.SeedSequence(rng.integers(2**32, size=8).tolist()))
    path = descend(
        _MODEL, X, y=y, recipe=recipe, noise_multiplier=np.array([_SIGMA]), streams=streams,
        snapshots=np.arange(recipe.n_steps + 1), without=None if canary else _N - 1,
    )  # fmt: skip
    return cast(Floats, path.weights[0])


def _gradient(record: tuple[Floats, float], W: Floats, clip_norm: float) -> Floats:
    """Return the clipped gradients (T, 2) of one record (x, y) at T weight vectors W (T, 2).

    The logistic loss has the gradient (p - y) x, with predicted probability p. It is clipped to ``clip_norm``.
    """
    x, y = record
    g = (expit(W @ x) - y)[:, None] * x
    return clipped(g, clip_norm)


def _steps(q: float) -> Worlds:
    recipe = _recipe(q, "example")

    def _release(canary: bool, rng: np.random.Generator) -> float:
        W = _trained(canary, rng, recipe)
        seen = -np.diff(W, axis=0) * (q * _N / recipe.learning_rate)
        C = recipe.clip_norm
        others = [_gradient((x, label), W[:-1], C) for x, label in zip(*_REST, strict=True)]
        mine = _gradient(_CANARY, W[:-1], C)
        return step_evidence(seen, mine, others, scale=_SIGMA * C, sample_rate=q)

    return Worlds(
        name=f"descend, q = {q:g}",
        neighbours="two opposed records, or one more; add_remove, N = 3 declared",
        canary="so far out that its gradient has the clipping norm",
        score="log-likelihood ratio of all steps, over all lots that the secret coins allow",
        claim=lambda: _claim(q, "example"),
        release=_release,
        threshold=0.0 if q == 1 else None,
        gaussian=q == 1,
    )


def _batch() -> Worlds:
    """Return the audit of training with clipping "batch": the mean gradient of a lot is clipped to norm C.

    A lot is a Poisson-sampled batch. The gradient of the canary is huge and points opposite to the gradient of the
    other record. It reverses the mean gradient, and so changes the clipped mean by 2C.
    """
    recipe = _recipe(1.0, "batch")
    rest = (np.array([[-0.9, 1.0]]), np.array([1.0]))
    canary = np.array([1e4, -1e4]), 1.0

    def _release(there: bool, rng: np.random.Generator) -> float:
        X, y = np.vstack([rest[0], canary[0]]), np.append(rest[1], canary[1])
        streams = sgd.Streams.spawned(np.random.SeedSequence(rng.integers(2**32, size=8).tolist()))
        W = descend(
            _MODEL, X, y=y, recipe=recipe, noise_multiplier=np.array([_SIGMA]), streams=streams,
            snapshots=np.arange(recipe.n_steps + 1), without=None if there else 1,
        ).weights[0]  # fmt: skip
        C = recipe.clip_norm
        seen = -np.diff(W, axis=0) / recipe.learning_rate
        alone = _gradient((rest[0][0], rest[1][0]), W[:-1], C)
        return step_evidence(seen, _gradient(canary, W[:-1], C), scale=_SIGMA * C, replaced=alone)

    return Worlds(
        name="descend, clipped batch",
        neighbours="one record, or a second one with a huge opposite gradient; add_remove",
        canary="rules the mean gradient of the lot and turns it around: 2C apart",
        score="log-likelihood ratio of all steps",
        claim=lambda: _claim(1.0, "batch"),
        release=_release,
        threshold=0.0,
        gaussian=True,
    )


def _output() -> Worlds:
    """Return the audit of output perturbation with strong regularisation, for a data set of one record."""
    strength, epsilon = 20.0, 2.0
    reach = output_sensitivity(math.sqrt(2), strength, n_samples=1)
    noise = mechanisms.Gaussian(epsilon=epsilon, sensitivity=reach, neighbouring="replace_one")
    corners = np.array([[1.0, 1.0]])
    ends = [minimise(RegularisedLogistic(corners, np.array([y]), strength)) for y in (0.0, 1.0)]
    way = ends[1] - ends[0]

    def _release(canary: bool, rng: np.random.Generator) -> float:
        w = minimise(RegularisedLogistic(corners, np.array([float(canary)]), strength))
        return float(way @ (noise.sample(w, rng) - (ends[0] + ends[1]) / 2))

    return Worlds(
        name="output perturbation of logistic regression",
        neighbours="one record with label 0 or 1; replace_one",
        canary="the corner of the box with the other label, against a strong ridge",
        score="the noisy weights, along the move of the minimiser",
        claim=lambda: noise.privacy,
        release=_release,
        threshold=0.0,
        gaussian=True,
    )


WORLDS: tuple[Worlds, ...] = (
    _steps(1.0), _steps(0.2), _batch(), _output(), *OBJECTIVE_WORLDS,
)  # fmt: skip
