"""Registry of the functions that formulas of exercises may call, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpcore import accounting, mechanisms, sensitivity
from dpcore.audit import ceiling
from dpcore.exercises import quantities
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
}
"""What computes answers: functions of dpcore, with plain numbers in and out."""
ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "abs": abs,
    "min": min,
    "max": max,
    "round": round,
}
"""What may stand beside them: an answer needs one of `FUNCTIONS`, too."""
