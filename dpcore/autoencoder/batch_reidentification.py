"""Linkage attack on a batch of 8-bit pictures that share one noise vector, given the public weights.

The attack alternates between two steps. It estimates the noise vector by optimisation, and it links every picture to
the candidate that fits best with this noise.

- The first estimate needs no links. The mean and the variance of every pixel over the batch are compared with the
  mean and the variance over the outputs of the model for many candidates.
- Later estimates compare every picture with the output of the model for the candidate that it is linked to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import AnyArray, Floats
from dpcore.autoencoder.attacks import Index, nearest
from dpcore.autoencoder.bias_noise import sigmas
from dpcore.autoencoder.weights import Fitted, Weights, sigmoid, weights_of

__all__ = ["link_batch"]

_ROUNDING = 1 / (12 * 255**2)  # variance of rounding to 8 bits
Cost = Callable[[NDArray[np.float32]], tuple[float, NDArray[np.float32]]]


def link_batch(
    model: Weights | Fitted,
    released: ArrayLike,
    candidates: ArrayLike,
    *,
    kind: str,
    epsilon: float,
    delta: float = 1e-5,
    rounds: int = 4,
    population: int = 500,
) -> Index:
    """Return the linked candidates for a batch of 8-bit pictures from one perturbed model.

    Parameters
    ----------
    model : Autoencoder or Weights
        The published weights.
    released : array (m, d)
        The batch of m ≥ 2 pictures in [0, 1]. More pictures give a better estimate of the noise.
    candidates : array (N, d)
        Images in [0, 1], including the originals of the batch.
    kind : "hidden", "output" or "both"
        Layers whose biases were perturbed.
    epsilon, delta : float
        The claimed ε and δ, which determine the prior distribution of the noise.
    rounds : int
        Largest number of refinements of noise and links, ≥ 0.
    population : int
        Number of candidates that are used for the first estimate, ≥ 2.

    Returns
    -------
    ndarray (m,), int64
        Row of the linked candidate of each picture.

    Raises
    ------
    ValueError
        When an argument is not allowed.
    """
    x, table = np.asarray(released, np.float32), np.asarray(candidates, np.float32)
    _checks.integer("pictures in the batch", len(x), low=2)
    some = _checks.integer("population", population, low=2)
    fit = _Fit(weights_of(model), sigmas(epsilon, delta, kind=kind)[0])
    rows = np.linspace(0, len(table) - 1, min(some, len(table))).astype(int)
    cost = fit.moments(table[rows], x)
    starts = (np.zeros(fit.size), fit.guess(table[rows], x))
    noise = min((fit.solve(cost, start, steps=60) for start in starts), key=fit.misfit(cost))
    pushed = fit.push(table, noise)
    index = nearest(x, pushed)
    for _ in range(_checks.integer("rounds", rounds, low=0)):
        gap = np.square(pushed[index] - x).mean(1) + _ROUNDING
        noise = fit.solve(fit.pairs(table[index], x, gap), noise, steps=40)
        pushed, before = fit.push(table, noise), index
        index = nearest(x, pushed)
        if (index == before).all():
            break
    return index


@dataclass(frozen=True)
class _Fit:
    """Estimator of the noise that a batch of pictures shares.

    The noise is one vector, which consists of the noise on hidden biases and the noise on output biases. A part
    without noise is left out.
    """

    weights: Weights
    scales: NDArray[np.float64]

    @property
    def size(self) -> int:
        return int(
            self.weights.n_hidden * (self.scales[0] > 0)
            + self.weights.n_pixels * (self.scales[1] > 0)
        )

    def _split(self, noise: AnyArray) -> tuple[Any, Any]:
        at = self.weights.n_hidden * bool(self.scales[0] > 0)
        first, second = noise[:at].astype(np.float32), noise[at:].astype(np.float32)
        return first if len(first) else np.float32(0), second if len(second) else np.float32(0)

    def push(self, images: NDArray[np.float32], noise: AnyArray) -> NDArray[np.float32]:
        first, second = self._split(noise)
        logits = self.weights.decode(np.maximum(self.weights.hidden(images) + first, 0))
        logits += second
        return sigmoid(logits, out=logits)

    def _forward(
        self, before: NDArray[np.float32], noise: AnyArray
    ) -> tuple[NDArray[np.float32], Callable[[NDArray[np.float32]], NDArray[np.float32]]]:
        """Return the pictures made by the model with ``noise`` on its biases, and a function for the gradient.

        ``before`` holds the sums at the hidden units without noise. The returned function maps the gradient of a cost
        with respect to the pictures to the gradient of this cost with respect to the noise.
        """
        first, second = self._split(noise)
        codes = np.maximum(before + first, 0)
        logits = self.weights.decode(codes)
        logits += second
        out = sigmoid(logits, out=logits)

        def back(slope: NDArray[np.float32]) -> NDArray[np.float32]:
            slope = slope * out * (1 - out)
            parts = []
            if self.scales[0] > 0:
                parts.append(((slope @ self.weights.W2.T) * (codes > 0)).sum(0))
            if self.scales[1] > 0:
                parts.append(slope.sum(0))
            return np.concatenate(parts)

        return out, back

    def moments(self, images: NDArray[np.float32], x: NDArray[np.float32]) -> Cost:
        """Return a cost function for noise vectors that compares pixel means and variances of outputs and batch.

        The returned function maps a noise vector to its cost and the gradient of the cost. The means and variances of
        the model's outputs for ``images`` with this noise are compared with those of the batch ``x``. Each squared
        difference is divided by its sampling variance. The cost is half of the sum over all pixels.
        """
        before, n = self.weights.hidden(images), len(x)
        mean, var = x.mean(0), x.var(0)
        at_mean, at_var = var / n + 1e-4, 2 * var**2 / n + 1e-4

        def cost(noise: NDArray[np.float32]) -> tuple[float, NDArray[np.float32]]:
            out, back = self._forward(before, noise)
            centred = out - out.mean(0)
            one, two = out.mean(0) - mean, np.square(centred).mean(0) - var
            value = (one**2 / at_mean).sum() / 2 + (two**2 / at_var).sum() / 2
            slope = (one / at_mean + 2 * (two / at_var) * centred) / np.float32(len(out))
            return float(value), back(slope)

        return cost

    def pairs(self, images: NDArray[np.float32], x: NDArray[np.float32], gap: AnyArray) -> Cost:
        """Return a cost function for noise vectors that compares each picture with the output for its linked image.

        The returned function maps a noise vector to its cost and the gradient of the cost. The picture in row i of
        ``x`` is linked to the candidate in row i of ``images``. The cost is half of the sum of all squared
        differences. The term of a pair is divided by ``gap``, the present mean squared error of the pair, because
        links that fit badly are likely to be wrong.
        """
        before, trust = self.weights.hidden(images), (1 / gap[:, None]).astype(np.float32)

        def cost(noise: NDArray[np.float32]) -> tuple[float, NDArray[np.float32]]:
            out, back = self._forward(before, noise)
            rest = out - x
            return float((rest * rest * trust).sum()) / 2, back(rest * trust)

        return cost

    def guess(self, images: NDArray[np.float32], x: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return a first estimate of the noise, from the mean logits of the batch minus those of the candidates.

        The estimate assumes that the noise switches no hidden unit off.
        """
        W2 = self.weights.W2.astype(float)
        pixels = np.clip(x, 1 / 510, 1 - 1 / 510)
        logits = (np.log(pixels) - np.log1p(-pixels)).mean(0)
        inside, at = np.zeros(len(W2)), 0.0
        if self.scales[0] > 0:
            codes = np.linalg.lstsq(W2.T, logits - self.weights.b2, rcond=None)[0]
            inside = codes - np.maximum(self.weights.hidden(images), 0).mean(0)
            at = inside @ W2
        rest = logits - self.weights.logits(images).mean(0) - at
        parts = [part for part, s in zip((inside, rest), self.scales, strict=True) if s > 0]
        return np.concatenate(parts)

    def misfit(self, cost: Cost) -> Callable[[AnyArray], float]:
        unit = self._unit()
        return lambda noise: (
            cost(noise.astype(np.float32))[0] + float(np.square(noise / unit).sum()) / 2
        )

    def _unit(self) -> NDArray[np.float64]:
        used = self.scales > 0
        return np.repeat(
            self.scales[used], np.array([self.weights.n_hidden, self.weights.n_pixels])[used]
        )

    def solve(self, cost: Cost, start: AnyArray, steps: int) -> NDArray[np.float64]:
        from scipy.optimize import minimize

        unit = self._unit()

        def posterior(z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, slope = cost((unit * z).astype(np.float32))
            return value + float(z @ z) / 2, unit * slope + z

        options = {"maxiter": steps}
        return cast(
            Floats,
            unit
            * minimize(posterior, start / unit, jac=True, method="L-BFGS-B", options=options).x,
        )
