"""Noise scale checks, which compare measured with declared standard deviations of the noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from dpcore import mechanisms, sgd
from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.check_result import Check

__all__ = ["noise_scales"]

_DRAWS = 20_000
_ERRORS = 6.0  # standard errors: one correct check in 10⁹ fails
_PAIRS = 2**27  # none of so many beyond a radius of 5.768 has probability e⁻⁸


def scale_check(name: str, declared: float, draws: Any, *, kurtosis: float = 3.0) -> Check:
    """Return a check that the standard deviation of draws agrees with the declared standard deviation.

    The tolerance is six standard errors, for draws with the given kurtosis.
    """
    z = np.asarray(draws, float).ravel()
    measured = float(z.std())
    error = math.sqrt((kurtosis - 1) / 4 / len(z)) * _ERRORS
    holds = math.isfinite(measured) and abs(measured / declared - 1) <= error
    return Check(name=name, declared=declared, measured=measured, holds=holds)


def noise_scales() -> Iterator[Callable[[], Check]]:
    """Yield the noise scale checks, as functions without arguments that return a `Check`."""
    for backend in ("numpy", "numba"):
        for levels in (1, 24):
            yield partial(_steps, backend, levels)
        yield partial(_matrix_steps, backend)
    yield from (_reach_of_the_tail, _declared_size, _class_means, _values, _functional, _gaussian)
    yield from (_descent_steps, _small_models, _solutions)


def _free(n_steps: int, levels: int, backend: str) -> dict[str, Any]:
    """Return arguments with which a prototype training loop only adds noise, because all lots (batches) are empty.

    The noise multiplier is 3 for each of ``levels`` models, the clipping norm is 0.5, and the learning rate is half
    of the expected lot size.
    """
    return {
        "lots": sgd.Lots(np.zeros(0, np.int32), np.zeros(n_steps + 1, np.int64)),
        "noise_multiplier": np.full(levels, 3.0), "clip_norm": 0.5, "learning_rate": 2.0,
        "expected_lot": 4.0, "key": 11, "snapshots": np.arange(n_steps + 1), "average": False,
        "bounds": None, "backend": backend,
    }  # fmt: skip


def _steps(backend: str, levels: int) -> Check:
    from dpcore.lvq import train

    start = np.zeros((levels, 2, 20))
    path = train.sweep(
        np.zeros((1, 20)), [0], start, [0, 1], **_free(_DRAWS // 40, levels, backend)
    )
    moves = np.diff(path[-1].astype(float), axis=0)
    return scale_check(f"GLVQ loop, {backend}, {levels} at once: ησC/L", 0.75, moves)


def _matrix_steps(backend: str) -> Check:
    from dpcore.lvq import matrix_train

    path = matrix_train.sweep(
        np.zeros((1, 5)), [0], np.zeros((1, 2, 5)), np.eye(5), [0, 1],
        **_free(_DRAWS // 35, 1, backend),
    )  # fmt: skip
    moves = [np.diff(part[0].astype(float), axis=0).ravel() for part in path]
    return scale_check(f"GMLVQ loop, {backend}: ησC/L", 0.75, np.concatenate(moves))


def _reach_of_the_tail() -> Check:
    """Return a check that the noise of the GLVQ loop exceeds the bound of generators with 24 random bits.

    Bounded noise would make some outputs possible on only one data set. If a generator draws the radius √(z₁² + z₂²)
    of a pair of normals from 24 random bits, the radius is at most √(48 ln 2) = 5.768. True normals exceed this
    radius with probability 2⁻²⁴, on average eight times in 2²⁷ pairs. The check stops at the first such pair.
    """
    from dpcore.lvq import train

    end = math.sqrt(48 * math.log(2)) + 1e-3
    worst, chunk, total = 0.0, 2**18, _PAIRS
    for first in range(0, total, chunk):
        settings = {**_free(chunk, 1, "numba"), "clip_norm": 1.0, "noise_multiplier": 1.0}
        settings |= {"learning_rate": 1.0, "expected_lot": 1.0, "key": 1000 + first}
        path = train.sweep(np.zeros((1, 1)), [0], np.zeros((1, 2, 1)), [0, 1], **settings)
        moves = np.diff(path[0, :, :, 0].astype(float), axis=0)
        worst = max(worst, float(np.square(moves).sum(1).max()))
        if worst > end**2:
            break
    reached = math.sqrt(worst)
    return Check(
        name="GLVQ loop: the noise has a tail", declared=end, measured=reached, holds=reached > end
    )


def _quiet(make: Callable[[], Any]) -> Any:
    with unwarned(SeededNoiseWarning):
        return make()


def _declared_size() -> Check:
    """Return a check that training steps use the declared number of records instead of the true number.

    Trainings on 5 and on 50 records both declare 10 records. Their noise must have the same scale.
    """
    from dpcore.lvq import DPGLVQ

    sizes = []
    for n in (5, 50):
        model = DPGLVQ(
            epsilon=1.0, init="public", sample_rate=1.0, epochs=10, average=False, project=False,
            bounds=(-1.0, 1.0), expected_n=10, classes=(0, 1), random_state=3,
        )  # fmt: skip
        X, y = np.full((n, 400), -1.0), np.arange(n) % 2
        path = _quiet(partial(model.fit, X, y)).path_
        sizes.append(float(np.diff(path, axis=0).std()) / model.noise_multiplier_)
    return Check(
        name="DPGLVQ: length of steps, 50 records against 5", declared=1.0,
        measured=sizes[1] / sizes[0], holds=abs(sizes[1] / sizes[0] - 1) < 0.05,
    )  # fmt: skip


def _class_means() -> Check:
    from dpcore.kahm import CentralClassMean

    X, y = np.full((4, 2500), 0.5), [0, 0, 1, 1]
    means = _quiet(lambda: CentralClassMean(epsilon=1.0, random_state=5).fit(X, y)).means_
    sigma = mechanisms.gaussian_sigma(math.sqrt(2500), 1.0, delta=1e-5)
    return scale_check("CentralClassMean: σ of the sums", sigma, 2 * (means - 0.5))


def _values() -> Check:
    from dpcore.kahm import fabricate

    release = fabricate(
        np.full((_DRAWS // 4, 4), 0.5), np.zeros(_DRAWS // 4, int), epsilon=0.5,
        rng=np.random.default_rng(6), rounds=0,
    )  # fmt: skip
    return scale_check("fabricate: √2 d/ε", math.sqrt(2) / 0.5, release.noisy - 0.5, kurtosis=6.0)


def _functional() -> Check:
    from dpcore.regression import noise, sensitivity

    unit_noise = noise.functional_noise(
        3, _DRAWS, np.random.default_rng(7), share=0.4, sensitivities="tight"
    )
    declared = math.sqrt(2) * sensitivity.quadratic(3) / 0.4
    diagonal = unit_noise.matrix[:, 0, 0]
    return scale_check("functional mechanism: √2 Δ₁/ε₁", declared, diagonal, kurtosis=6.0)


def _gaussian() -> Check:
    from dpcore.regression import noise, sensitivity

    unit_noise = noise.gaussian_noise(3, _DRAWS, np.random.default_rng(8))
    return scale_check(
        "Gaussian sums: Δ₂ on the diagonal", sensitivity.svec(3), unit_noise.matrix[:, 0, 0]
    )


def _descent_steps() -> Check:
    from dpcore.regression import descent

    z = float(descent.descent_noise(1.0, 1e-5, n_steps=1)[0])
    coefficients = descent.gradient_descent(
        np.zeros((5, 1)), np.zeros(5), epsilon=1.0, delta=1e-5, n_draws=_DRAWS,
        rng=np.random.default_rng(9), n_steps=1, learning_rate=1.0, clip_norm=0.5, average=False,
    ).coefficients  # fmt: skip
    return scale_check("regression by descent: zC/n", z * 0.5 / 5, coefficients)


def _small_models() -> Check:
    from dpcore.descent import Logistic, Recipe, descend

    path = descend(
        Logistic(99), np.zeros((2, 100)), y=np.zeros(2),
        recipe=Recipe(clip_norm=0.5, sample_rate=1.0, n_steps=200, learning_rate=2.0),
        noise_multiplier=np.array([3.0]), streams=sgd.Streams.of(10), snapshots=np.arange(201),
    )  # fmt: skip
    return scale_check("descend: ησC/(qN)", 1.5, np.diff(path.weights[0], axis=0))


def _solutions() -> Check:
    from dpcore.regression import perturbed_solution, sensitivity, statistics

    n = 10**7  # so many that the noise stays inside the ball
    sums = statistics.SufficientStatistics(
        quadratic=float(n) * np.eye(2), linear=np.zeros(2), target_square=0.0, n_samples=n
    )
    sigma = mechanisms.gaussian_sigma(sensitivity.output(1, n, 0.3, 1.0), 1.0, delta=1e-5)
    coefficients = perturbed_solution.output_perturbation(
        sums, 1.0, delta=1e-5, n_draws=_DRAWS, rng=np.random.default_rng(11), ridge=0.3, radius=1.0
    ).coefficients
    return scale_check("output perturbation: 2Gσ/(nμ)", sigma, coefficients)
