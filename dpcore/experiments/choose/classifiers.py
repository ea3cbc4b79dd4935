"""The classifiers that are compared, all with one guarantee: (ε, δ) where one record is replaced.

Every training uses all people in every step, so that its account is exact and instant, at any δ. The
settings below were chosen on the embedded data sets; on other data they are fixed beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore._warnings import unwarned
from dpcore.autoencoder import statistics
from dpcore.autoencoder.gaussians import GaussianSweep
from dpcore.descent import Model, Recipe, Softmax, SoftmaxNetwork, descend
from dpcore.experiments.choose.problem import Problem
from dpcore.kahm import KAHMClassifier, record_epsilon
from dpcore.lvq import DPGLVQ, DPGMLVQ

__all__ = ["LVQ_STEPS", "RECIPES", "RUNS", "element_epsilon", "step_noise", "sums_noise", "trained"]

Labels = NDArray[np.int64]
Run = Callable[[Problem, NDArray[np.float64], float, int], Labels]
RECIPES = {
    "softmax": Recipe(clip_norm=0.5, sample_rate=1.0, n_steps=40, learning_rate=4.0),
    "network": Recipe(clip_norm=0.5, sample_rate=1.0, n_steps=40, learning_rate=4.0),
}
LVQ_STEPS = 20
_LVQ: dict[str, Any] = {
    "epochs": LVQ_STEPS,
    "sample_rate": 1.0,
    "learning_rate": 1.0,
    "bounds": (-1, 1),
}
_INVENTED = 200  # people of each class that the generator invents


def _descent(name: str) -> Run:
    def run(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
        model, weights = trained(name, problem, epsilons, delta, seed)
        ones = np.ones((len(problem.X_test), 1))
        scores = model.scores(weights, np.hstack([problem.X_test, ones]))
        return np.asarray(scores.argmax(-1))

    return run


def trained(
    name: str, problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int
) -> tuple[Model, NDArray[np.float64]]:
    """Return the model and its weights (E, n_weights) after descent with noise for each ε."""
    recipe, d = RECIPES[name], problem.X.shape[1]
    model: Any = (Softmax if name == "softmax" else SoftmaxNetwork)(d, problem.n_classes)
    path = descend(
        model, np.hstack([problem.X, np.ones((problem.n_samples, 1))]), problem.y, recipe,
        np.array([step_noise(float(e), delta, recipe.n_steps) for e in epsilons]),
        sgd.Streams.of(seed, 1), snapshots=np.array([recipe.n_steps]), expected_n=problem.n_samples,
    )  # fmt: skip
    return model, path.weights[:, 0]


@lru_cache(maxsize=4096)
def step_noise(epsilon: float, delta: float, n_steps: int) -> float:
    """Return σ of T steps on everybody; a replaced record moves each sum by 2C, which the account knows."""
    return accounting.noise_multiplier(
        epsilon, delta, sample_rate=1.0, n_steps=n_steps, neighbouring="replace_one"
    )


def _prototypes(estimator: type[DPGLVQ]) -> Run:
    def run(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
        made = []
        for epsilon in epsilons:
            model = estimator(
                epsilon=float(epsilon), delta=delta, neighbouring="replace_one", random_state=seed,
                classes=list(range(problem.n_classes)), expected_n=problem.n_samples, **_LVQ,
            )  # fmt: skip
            made.append(_fitted(model, problem.X.astype(np.float32), problem))
        return np.array(made)

    return run


def _fitted(model: Any, X: NDArray[Any], problem: Problem, unit: bool = False) -> Labels:
    with unwarned(UserWarning):  # a page draws again and again with seeds of its own
        model.fit(X, problem.y)
    test = (problem.X_test + 1) / 2 if unit else problem.X_test.astype(np.float32)
    return cast(Labels, model.predict(test))


def _generator(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
    """Invent people of every class from noisy sums, and learn from them: post-processing."""
    from sklearn.linear_model import RidgeClassifier

    sweep = _sums(problem).again(delta=delta, random_state=seed)
    y, found = np.repeat(np.arange(problem.n_classes), _INVENTED), []
    for epsilon in epsilons:
        scales = sums_noise(float(epsilon), delta, sweep.clip_norm)
        means, factors = statistics.repair(statistics.add_noise(sweep.exact, sweep.unit, scales))
        X = _invented(sweep, means, factors, np.random.default_rng((seed, 5)))
        found.append(RidgeClassifier().fit(X, y).predict((problem.X_test + 1) / 2))
    return np.array(found)


def sums_noise(epsilon: float, delta: float, clip_norm: float) -> tuple[float, float, float]:
    """Return the noise on sizes, sums and moments where one record leaves and another comes.

    Each of the two moves them by one unit at most, together by two.
    """
    sizes, sums, moments = statistics.noise_scales(epsilon, delta, clip_norm)
    return 2 * sizes, 2 * sums, 2 * moments


def _invented(
    sweep: GaussianSweep, means: Any, factors: Any, rng: np.random.Generator
) -> NDArray[np.float64]:
    codes = means[:, None] + rng.standard_normal(
        (len(means), _INVENTED, means.shape[-1])
    ) @ factors.swapaxes(-1, -2)
    flat = codes.reshape(-1, codes.shape[-1]) @ sweep.basis + sweep.grey
    return np.asarray(np.clip(flat, 0, 1), float)


# As long as a problem lives, and no longer: a person's own data have to be gone with their session.
_SUMS: WeakKeyDictionary[Problem, GaussianSweep] = WeakKeyDictionary()


def _sums(problem: Problem) -> GaussianSweep:
    if problem not in _SUMS:
        _SUMS[problem] = _summed(problem)
    return _SUMS[problem]


def _summed(problem: Problem) -> GaussianSweep:
    """The exact sums of the classes, in the unit box; pictures keep their low frequencies alone."""
    shape, d = problem.dataset.image_shape, problem.X.shape[1]  # type: ignore[union-attr]
    picture = shape is not None and shape[0] * shape[1] == d
    return GaussianSweep.of(
        (problem.X + 1) / 2, problem.y, delta=1e-5, clip_norm=0.25 * math.sqrt(d),
        n_frequencies=6 if picture else d, grey=0.3 if picture else 0.5,
        image_shape=shape if picture else (1, d), classes=range(problem.n_classes), random_state=0,
    )  # fmt: skip


def _hulls(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
    d, made = problem.X.shape[1], []
    for epsilon in epsilons:
        model = KAHMClassifier(
            n_components=min(5, d), epsilon=element_epsilon(float(epsilon), d, delta),
            random_state=seed,
        )  # fmt: skip
        made.append(_fitted(model, (problem.X + 1) / 2, problem, unit=True))
    return np.array(made)


@lru_cache(maxsize=4096)
def element_epsilon(epsilon: float, n_features: int, delta: float) -> float:
    """Return the largest ε of one element at which a whole record has (ε, δ), from below.

    The account of `record_epsilon` is inverted by bisection. It covers the features of a record; the
    label stays unprotected.

    Examples
    --------
    >>> element_epsilon(2.0, 1, 1e-5) >= 2.0
    True
    """
    low, high = epsilon / n_features, epsilon + 1e-3
    while (high - low) > 1e-3 * low:
        middle = (low + high) / 2
        good = record_epsilon(middle, n_features, delta=delta).tight <= epsilon
        low, high = (middle, high) if good else (low, middle)
    return low


RUNS: dict[str, Run] = {
    "softmax": _descent("softmax"),
    "generator": _generator,
    "glvq": _prototypes(DPGLVQ),
    "gmlvq": _prototypes(DPGMLVQ),
    "network": _descent("network"),
    "hulls": _hulls,
}
"""Predictions (E, m) of the test people's classes at every ε, by one draw of the noise."""
