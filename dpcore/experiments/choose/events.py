"""The event of every method: which noise one result draws, and how strong, where one record is replaced."""

from __future__ import annotations

import math

from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated
from dpcore.accounting.pld import leaves
from dpcore.experiments.choose import classifiers, regressors
from dpcore.experiments.choose.problem import Problem
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales, laplace_scales

__all__ = ["method_event", "noise_of", "signal"]

_NOISE = {"joint": "Laplace noise on all sums", "hulls": "Laplace noise on every value"}


def method_event(problem: Problem, method: str, epsilon: float, delta: float) -> Event:
    """Return what one result of a method draws at (ε, δ), to be accounted for under replace_one.

    The scales are those that the samplers take. A vector of Laplace noises whose shifts sum to Δ is dominated
    by one Laplace noise at the shift Δ: for two shifts a + b = Δ (in scales, b ≤ a) and 0 ≤ t ≤ Δ the composed
    profile is δ(t) = 1 - (1 + r) e^{(t-Δ)/2} with r = (Δ - t)/4 from t = a - b on and r = b/2 below, both ≥ 0,
    against 1 - e^{(t-Δ)/2}; more shifts follow one by one.

    Parameters
    ----------
    problem : Problem
        The number of features counts, for affine hulls.
    method : str
        A key of `CLASSIFIERS` or `REGRESSORS`.
    epsilon, delta : float
        What one result costs.

    Returns
    -------
    Event
    """
    if method in classifiers.RECIPES:
        steps = classifiers.RECIPES[method].n_steps
        return Repeated(GaussianEvent(classifiers.step_noise(epsilon, delta, steps)), steps)
    if method in ("glvq", "gmlvq"):
        steps = classifiers.LVQ_STEPS
        return Repeated(GaussianEvent(classifiers.step_noise(epsilon, delta, steps)), steps)
    if method == "hulls":
        d = problem.n_features
        return Repeated(LaplaceEvent(2 / classifiers.element_epsilon(epsilon, d, delta)), d)
    if method == "joint":
        return LaplaceEvent(2 * float(laplace_scales(epsilon)[0]))
    if method == "descent":
        steps = regressors.DESCENT["n_steps"]
        return Repeated(GaussianEvent(float(descent_noise(epsilon, delta, steps)[0])), steps)
    # Noisy sums of the generator, noisy statistics, AdaSSP, noise on the result: one Gaussian at their sensitivity.
    return GaussianEvent(2 * float(gaussian_scales(epsilon, delta)[0]))


def signal(event: Event) -> float | None:
    """Return how far a replaced record moves the sum of all Gaussians, over their noise; None for other noise."""
    parts = list(leaves(event))
    if not all(isinstance(one, GaussianEvent) for one, _ in parts):
        return None
    precision = sum(
        n / one.noise_multiplier**2 for one, n in parts if isinstance(one, GaussianEvent)
    )
    return 2 * math.sqrt(precision)


def noise_of(method: str) -> str:
    """Return what a method's noise is called."""
    return _NOISE.get(method, "Gaussian noise")
