"""DP-SGD of a small convolutional network, with exact per-example gradients.

torch is imported only when it is used.
"""

from dpcore.network.architecture import DIGITS, MNIST, ConvNet, Convolution
from dpcore.network.clipping import clipped_sum, gradients, scores
from dpcore.network.train import Recipe, accuracy, descend, readings, training_guarantee

__all__ = [
    "DIGITS",
    "MNIST",
    "ConvNet",
    "Convolution",
    "Recipe",
    "accuracy",
    "clipped_sum",
    "descend",
    "gradients",
    "readings",
    "scores",
    "training_guarantee",
]
