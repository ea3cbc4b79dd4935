"""Noise mechanisms: Laplace, Gaussian, staircase, exponential and randomized response, and their calibration.

Functions calibrate (`laplace_scale`, `gaussian_sigma`, `gaussian_delta`); objects (`Laplace`,
`Gaussian`, `Staircase`, `Exponential`, `RandomizedResponse`) carry sensitivity, neighbouring relation
and public bounds, draw from a generator they are given, and say in ``privacy`` what they promise.
Samplers are for display: float64 noise leaks, see `dpcore.mechanisms.secure`.
"""

from dpcore.mechanisms.additive import Additive, Gaussian, Laplace
from dpcore.mechanisms.calibration import (
    add_gaussian,
    add_laplace,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_epsilons,
    gaussian_sigma,
    laplace_scale,
)
from dpcore.mechanisms.choice import (
    Exponential,
    exponential_probabilities,
    printed_exponential_epsilon,
)
from dpcore.mechanisms.response import RandomizedResponse, randomized_response
from dpcore.mechanisms.stairs import Staircase, staircase

__all__ = [
    "Additive",
    "Exponential",
    "Gaussian",
    "Laplace",
    "RandomizedResponse",
    "Staircase",
    "add_gaussian",
    "add_laplace",
    "exponential_probabilities",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_epsilons",
    "gaussian_sigma",
    "laplace_scale",
    "printed_exponential_epsilon",
    "randomized_response",
    "staircase",
]
