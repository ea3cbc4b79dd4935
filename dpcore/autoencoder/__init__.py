"""Autoencoders with perturbed biases (Jain et al. 2021), attacks on this method, and private alternatives to it."""

from typing import TYPE_CHECKING

from dpcore.autoencoder import (
    attacks,
    membership,
    noise_cancelling,
    pairwise_epsilon,
    paper,
    similarity,
)
from dpcore.autoencoder.bias_noise import (
    EPSILONS,
    KINDS,
    BiasNoise,
    draw_noise,
    nominal_guarantee,
    perturb_biases,
    sigmas,
)
from dpcore.autoencoder.weights import Weights

if TYPE_CHECKING:
    from dpcore.autoencoder.generator import (
        GENERATOR_PRESETS,
        ClassGaussians,
        GaussianSweep,
        accuracy,
        gaussians_guarantee,
    )
    from dpcore.autoencoder.model import PRESETS, Autoencoder, preset
    from dpcore.autoencoder.private_network import (
        NETWORK_PRESETS,
        NetworkRecipe,
        PrivateNetwork,
        train_private,
    )
    from dpcore.autoencoder.scaling import pixels

__all__ = [
    "EPSILONS",
    "GENERATOR_PRESETS",
    "KINDS",
    "NETWORK_PRESETS",
    "PRESETS",
    "Autoencoder",
    "BiasNoise",
    "ClassGaussians",
    "GaussianSweep",
    "NetworkRecipe",
    "PrivateNetwork",
    "Weights",
    "accuracy",
    "attacks",
    "draw_noise",
    "gaussians_guarantee",
    "membership",
    "noise_cancelling",
    "nominal_guarantee",
    "pairwise_epsilon",
    "paper",
    "perturb_biases",
    "pixels",
    "preset",
    "sigmas",
    "similarity",
    "train_private",
]

_LATER = {
    **dict.fromkeys(("PRESETS", "Autoencoder", "preset"), "dpcore.autoencoder.model"),
    "pixels": "dpcore.autoencoder.scaling",
    **dict.fromkeys(("NETWORK_PRESETS", "NetworkRecipe"), "dpcore.autoencoder.private_network"),
    **dict.fromkeys(("PrivateNetwork", "train_private"), "dpcore.autoencoder.private_network"),
    **dict.fromkeys(
        ("GENERATOR_PRESETS", "ClassGaussians", "GaussianSweep", "accuracy", "gaussians_guarantee"),
        "dpcore.autoencoder.generator",
    ),
}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so that scikit-learn is loaded only if an estimator is used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    """Return the names in this module and all public names."""
    return sorted({*globals(), *__all__})
