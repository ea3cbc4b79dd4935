"""Attacks on the autoencoder, which infer membership from reconstruction errors or replace noisy biases."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.autoencoder.weights import Fitted, Weights, sigmoid, weights_of

__all__ = ["Roc", "refit_biases", "roc"]


@dataclass(frozen=True, eq=False)
class Roc:
    """ROC curve of a score, and the area under the curve.

    The curve consists of false and true positive rates (k,) at k thresholds.
    """

    false_positive_rate: NDArray[np.float64]
    true_positive_rate: NDArray[np.float64]
    area: float

    def at(self, false_positive_rate: float) -> float:
        """Return the largest true positive rate at a false positive rate of at most ``false_positive_rate``."""
        limit = _checks.number("false_positive_rate", false_positive_rate, low=0, high=1)
        return float(self.true_positive_rate[self.false_positive_rate <= limit].max())


def roc(member_errors: ArrayLike, other_errors: ArrayLike) -> Roc:
    """Return the ROC curve of an attack that classifies images with low reconstruction error as members.

    Parameters
    ----------
    member_errors, other_errors : array (n,), (m,)
        Mean squared errors of n images in the training set and of m images outside it.

    Returns
    -------
    Roc
        The ROC curve. Its area is 1/2 for random guesses. A member and a non-member with equal errors count one half
        in the area.

    Raises
    ------
    ValueError
        When there is no error of a member, or none of another image.

    Examples
    --------
    >>> roc([0.1, 0.2], [0.3, 0.15]).area
    0.75
    """
    a, b = np.ravel(np.asarray(member_errors, float)), np.ravel(np.asarray(other_errors, float))
    if not (len(a) and len(b)):
        raise ValueError("A group is empty: give errors of members and of others.")
    steps = np.unique(np.concatenate([a, b]))
    tpr = np.concatenate([[0], np.searchsorted(np.sort(a), steps, "right") / len(a)])
    fpr = np.concatenate([[0], np.searchsorted(np.sort(b), steps, "right") / len(b)])
    return Roc(fpr, tpr, float(np.trapezoid(tpr, fpr)))


def refit_biases(model: Weights | Fitted, X: ArrayLike, *, steps: int = 60) -> Weights:
    """Return the weights of a model with both bias vectors refitted to images that the attacker has.

    The attacker discards the noisy biases and keeps the published W₁ and W₂. L-BFGS finds the biases b₁ and b₂ with
    the least mean squared error. Noise on the biases therefore protects nothing.

    Parameters
    ----------
    model : Autoencoder or Weights
        Published model, of which only W₁ and W₂ are used.
    X : array (n, d)
        Public images in [0, 1].
    steps : int
        Largest number of iterations, ≥ 1.

    Returns
    -------
    Weights
        The given W₁ and W₂ with the refitted biases.
    """
    from scipy.optimize import minimize

    weights, x = weights_of(model), np.asarray(X, np.float32)
    h, before = weights.n_hidden, np.asarray(X, np.float32) @ weights.W1

    def cost(biases: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        b1, b2 = np.split(biases.astype(np.float32), [h])
        codes = np.maximum(before + b1, 0)
        out = sigmoid(codes @ weights.W2 + b2)
        rest = out - x
        slope = rest * out * (1 - out) * np.float32(2 / rest.size)
        inner = (slope @ weights.W2.T) * (codes > 0)
        return float(np.square(rest).mean()), np.concatenate(
            [inner.sum(0), slope.sum(0)], None
        ).astype(float)

    most = _checks.integer("steps", steps, low=1)
    # The loss is a mean over many pixels: scaled up, so that the optimiser's tolerances mean something.
    scale = float(x.shape[1]) * len(x)
    best = minimize(
        lambda b: tuple(scale * part for part in cost(b)), np.zeros(h + weights.n_pixels),
        jac=True, method="L-BFGS-B", options={"maxiter": most},
    ).x  # fmt: skip
    return replace(weights, b1=best[:h], b2=best[h:])
