"""Registry of the functions that formulas of exercises may call."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpcore import accounting, descent, mechanisms, sensitivity
from dpcore.audit import ceiling
from dpcore.exercises import machines, prototypes, quantities
from dpcore.guarantee import odds_bound
from dpcore.regression import sensitivity as of_regression
from dpcore.regression import splits

__all__ = ["ARITHMETIC", "FUNCTIONS"]


def _whole(function: Callable[..., Any]) -> Callable[[float], float]:
    return lambda number: float(function(int(number)))


def _sigma(sensitivity: float, epsilon: float, delta: float) -> float:
    return mechanisms.gaussian_sigma(sensitivity, epsilon, delta=delta)


def _epsilon(sigma: float, sensitivity: float, delta: float) -> float:
    return mechanisms.gaussian_epsilon(sigma, sensitivity, delta=delta)


def _delta(sigma: float, sensitivity: float, epsilon: float) -> float:
    return mechanisms.gaussian_delta(sigma, sensitivity, epsilon=epsilon)


def _advanced(epsilon: float, n_steps: float, slack: float) -> Any:
    return accounting.advanced(epsilon, n_steps, slack=slack)


def _classical(sensitivity: float, epsilon: float, delta: float) -> float:
    return mechanisms.gaussian_sigma(sensitivity, epsilon, delta=delta, calibration="classical")


def _optimal(epsilon: float, n_steps: float, delta: float) -> float:
    return accounting.optimal(epsilon=epsilon, n_steps=int(n_steps), delta=delta)


def _clipped_sum(clip_norm: float, fixed_size: bool) -> float:
    return sensitivity.clipped_sum(clip_norm, neighbouring="add_remove", fixed_size=fixed_size)


def _membership(kernel: float, ridge: float, own: bool) -> float:
    return machines.membership(kernel, ridge, own=own)


def _output_sensitivity(lipschitz: float, regularisation: float, n_samples: float) -> float:
    return descent.output_sensitivity(lipschitz, regularisation, n_samples=int(n_samples))


def _class_sums(n_features: float) -> float:
    return sensitivity.class_sums(int(n_features), norm=1, neighbouring="add_remove")


def _printed_noise(epsilon: float, delta: float, sample_rate: float, epochs: float) -> float:
    n_steps = round(epochs / sample_rate)
    return accounting.paper_noise_multiplier(
        epsilon, delta, sample_rate=sample_rate, n_steps=n_steps
    )


def _replaced_mean(low: float, high: float, n_samples: float) -> float:
    return sensitivity.mean(low, high, n_samples=int(n_samples), neighbouring="replace_one")


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "laplace_scale": mechanisms.laplace_scale,
    "laplace_sd": quantities.laplace_sd,
    "gaussian_sigma": _sigma,
    "gaussian_sigma_classical": _classical,
    "gaussian_epsilon": _epsilon,
    "gaussian_delta": _delta,
    "basic": accounting.basic,
    "advanced": _advanced,
    "optimal": _optimal,
    "amplified": accounting.amplified,
    "group_epsilon": quantities.group_epsilon,
    "group_delta": quantities.group_delta,
    "odds_bound": odds_bound,
    "choice_probability": quantities.choice_probability,
    "clipped_sum": _clipped_sum,
    "mean_sensitivity": _replaced_mean,
    "printed_quadratic": _whole(of_regression.printed_quadratic),
    "quadratic": _whole(of_regression.quadratic),
    "linear": _whole(of_regression.linear),
    "joint": _whole(of_regression.joint),
    "functional_sensitivity": quantities.functional_sensitivity,
    "proportional": _whole(splits.proportional),
    "variance_optimal": _whole(splits.variance_optimal),
    "error_optimal": _whole(splits.error_optimal),
    "audit_ceiling": _whole(ceiling),
    "record_sum": quantities.record_sum,
    "clipped_bias": quantities.clipped_bias,
    "clipped_error": quantities.clipped_error,
    "best_clip": quantities.best_clip,
    "clip_end": quantities.clip_end,
    "negative_probability": quantities.negative_probability,
    "clamped_mean": quantities.clamped_mean,
    "class_sums": _class_sums,
    "printed_noise": _printed_noise,
    "squared_distance": prototypes.squared_distance,
    "glvq_cost": prototypes.glvq_cost,
    "glvq_norm": prototypes.glvq_norm,
    "glvq_moved": prototypes.glvq_moved,
    "gmlvq_distance": prototypes.gmlvq_distance,
    "relevance": prototypes.relevance,
    "membership": _membership,
    "hull_weight": machines.hull_weight,
    "hull_image": machines.hull_image,
    "at_least_once": quantities.at_least_once,
    "gaussian_tail": accounting.gaussian_tail,
    "clipped_coordinate": quantities.clipped_coordinate,
    "response_share": quantities.response_share,
    "output_sensitivity": _output_sensitivity,
    "bhattacharyya": quantities.bhattacharyya,
    "hellinger": quantities.hellinger,
}
"""Functions of dpcore that compute the answers of exercises, by name.

They take and return plain numbers.
"""
ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "abs": abs,
    "min": min,
    "max": max,
    "round": round,
}
"""Arithmetic functions that formulas may call too, by name."""
