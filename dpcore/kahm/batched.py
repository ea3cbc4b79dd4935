"""Batched fitting of kernel affine hull machines: many data sets of the same shape at once.

The results are equal to the results of single fits, but small machines are fitted faster, because one numpy call
serves many data sets. Encodings and kernels are computed in batches. Ridge regressions are computed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.kahm.hull import KAHM, Encoding
from dpcore.kahm.ridge import Ridge, fixed_point
from dpcore.kahm.small_batched import fit_small_batch, kernels
from dpcore.kahm.smoothing import repeated
from dpcore.kahm.wide import Deep, HullOptions

__all__ = [
    "deep_batch", "distances_batch", "fit_batch", "images_batch", "own_images", "round_batch", "smooth_batch",
]  # fmt: skip

Array = NDArray[np.float64]
_CELLS = 2**17  # kernel values made at once: about a megabyte, which stays in the cache


def fit_batch(Y: Array, options: HullOptions, layer: int = 0) -> list[tuple[KAHM, Ridge | None]]:
    """Fit one machine to each of B data sets in Y (B, N, p); return the machines and their ridge regressions.

    A data set has N records with p features. ``layer``, counted from 0, is the layer of deep machines for which the
    machines are fitted. The result equals the result of `KAHM.fit_ridge` on every data set, up to rounding. If N = p,
    or if the records vary in fewer directions than the encoding has axes, data sets are fitted one by one.
    """
    size = max(1, _CELLS // Y.shape[1] ** 2)
    pairs: list[tuple[KAHM, Ridge | None]] = []
    for first in range(0, len(Y), size):
        pairs += _fitted(Y[first : first + size], options, layer)
    return pairs


def _fitted(Y: Array, options: HullOptions, layer: int) -> list[tuple[KAHM, Ridge | None]]:
    machines = [options.machine(layer) for _ in Y]
    few = fit_small_batch(Y, options, layer)
    if few is not None:
        return [few.one(b, machine) for b, machine in enumerate(machines)]
    n = min(machines[0].n_components, *Y.shape[2:], Y.shape[1] - 1)
    if Y.shape[1] <= Y.shape[2] or n < 1:
        return [(one, one.fit_ridge(own)) for one, own in zip(machines, Y, strict=True)]
    means = Y.mean(1)
    axes, scores, whole = _encoded(Y - means[:, None], n)
    grams = kernels(scores)
    pairs: list[tuple[KAHM, Ridge | None]] = []
    share = 0.05
    for b, machine in enumerate(machines):
        if not whole[b]:
            pairs.append((machine, machine.fit_ridge(Y[b])))
            continue
        machine.encoding_, machine.scores_ = Encoding(means[b], axes[b]), scores[b]
        size = float(np.square(Y[b]).mean())
        # The previous data set's training error is a good first guess and saves a factorisation.
        ridge = fixed_point(grams[b], Y[b], tau_factor=options.tau_factor, tol=options.tol,
                            start=share * size)  # fmt: skip
        share = max(ridge.lam / size - options.tau_factor, 0.0)
        machine.lam_, machine.C_, machine.alpha_ = ridge.lam, ridge.C, ridge.alpha
        pairs.append((machine, ridge))
    return pairs


def _encoded(D: Array, n: int) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return whitening axes (B, p, n) and whitened scores (B, N, n) of B centred data sets D (B, N, p).

    A third array (B,) is True for each data set that varies noticeably along all n axes.
    """
    values, vectors = np.linalg.eigh(D.transpose(0, 2, 1) @ D / (D.shape[1] - 1))
    values, vectors = values[:, ::-1][:, :n], vectors[:, :, ::-1][:, :, :n]
    plain = D @ vectors
    whole = (values > 1e-12 * values[:, :1]).all(1) & (np.ptp(plain, axis=1) >= 1e-3).all(1)
    scale = np.sqrt(np.where(whole[:, None], values, 1.0))[:, None]
    return vectors / scale, plain / scale, whole


def round_batch(Y: Array, operator: str, options: HullOptions) -> Callable[[Array], Array]:
    """Return a function for one smoothing round on B data sets, (B, N, p) -> (B, N, p).

    The operators are those of `dpcore.kahm.smooth`. With "rebuild", one machine per data set is fitted in
    every round. With the other operators the machines are fitted once, to Y (B, N, p).
    """
    if operator == "rebuild":
        return lambda now: own_images(now, options)
    few = fit_small_batch(Y, options)
    if few is not None:
        return few.repeated(operator)
    ridges = (ridge for _, ridge in fit_batch(Y, options))
    steps = [repeated(own, operator, ridge) for own, ridge in zip(Y, ridges, strict=True)]
    return lambda now: np.stack([step(own) for step, own in zip(steps, now, strict=True)])


def smooth_batch(Y: Array, rounds: int, operator: str, options: HullOptions) -> tuple[Array, Array]:
    """Return the data sets (B, N, p) after ``rounds`` smoothing rounds, and after one more round.

    Y holds B data sets of N records with p features.
    """
    step = round_batch(Y, operator, options)
    for _ in range(rounds):
        Y = step(Y)
    return Y, step(Y)


def distances_batch(Y: Array, options: HullOptions, places: Array) -> Array:
    """Fit one machine to each data set in Y (B, N, p); return the distances Γ (B, M) of M points to the machines.

    ``places`` (M, p) are the points.
    """
    few = fit_small_batch(Y, options) if options.n_layers == 1 else None
    if few is not None:
        return few.distances(places)
    return np.stack([machine.distance(places) for machine in deep_batch(Y, options)])


def own_images(Y: Array, options: HullOptions, layer: int = 0) -> Array:
    """Fit one machine to each of B data sets in Y (B, N, p); return the images (B, N, p) of their records.

    The image of a record is the output of the machine of its data set.
    """
    fits = fit_batch(Y, options, layer)
    return np.stack([machine.transform(own) for (machine, _), own in zip(fits, Y, strict=True)])


def deep_batch(Y: Array, options: HullOptions) -> list[Deep]:
    """Return the deep machines fitted to the data sets in Y (B, N, p)."""
    layers = []
    for number in range(options.n_layers):
        layers.append([machine for machine, _ in fit_batch(Y, options, number)])
        if number + 1 < options.n_layers:
            Y = np.stack([one.transform(own) for one, own in zip(layers[-1], Y, strict=True)])
    return [Deep(column) for column in zip(*layers, strict=True)]


def images_batch(machines: Sequence[Deep], places: Array) -> Array:
    """Return the images (B, M, p) of points under B machines; machine b maps the M points ``places[b]``.

    ``places`` is (B, M, p).
    """
    first = [machine.layers[0] for machine in machines]
    shape = first[0].scores_.shape
    if not shape[1] or any(
        len(m.layers) > 1 or m.layers[0].scores_.shape != shape for m in machines
    ):
        return np.stack([m.image(own)[0] for m, own in zip(machines, places, strict=True)])
    means = np.stack([one.encoding_.mean for one in first])[:, None]
    Z, n = np.stack([one.scores_ for one in first]), shape[1]
    k = (
        (places - means)
        @ np.stack([one.encoding_.axes for one in first])
        @ Z.transpose(0, 2, 1)
        / n
    )
    k -= np.square(Z).sum(2)[:, None] / (2 * n)
    k -= k.max(2, keepdims=True)  # as in `KAHM`: A is invariant to a factor of a row
    np.exp(k, out=k)
    alpha = np.stack([one.alpha_ for one in first])[:, :, None]
    below, least = k @ alpha, 1e-8 * (k @ np.abs(alpha))
    below = np.where(np.abs(below) < least, np.copysign(least, below), below)
    above = k @ np.stack([one.C_ for one in first])
    return np.asarray(above / below)
