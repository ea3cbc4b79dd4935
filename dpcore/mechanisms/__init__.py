"""Noise mechanisms: Laplace, Gaussian, staircase, exponential and randomized response, and their calibration.

Functions calibrate noise (`laplace_scale`, `gaussian_sigma`, `gaussian_delta`). Mechanism objects (`Laplace`,
`Gaussian`, `Staircase`, `Exponential`, `RandomizedResponse`) hold sensitivity, neighbouring relation and public
bounds. The objects sample with a given random generator. Their attribute ``privacy`` is the guarantee of one output.
The samplers are for display only: float64 noise leaks information, see `dpcore.mechanisms.secure`.
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
