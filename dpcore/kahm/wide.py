"""Compositions of kernel affine hull machines: deep (several layers) and wide (several blocks of the data)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.kahm.hull import KAHM

__all__ = [
    "SPLITS",
    "Deep",
    "HullOptions",
    "blocks",
    "boxed",
    "fit_blocks",
    "side_by_side",
    "unit_box",
    "wide_distance",
]

Array = NDArray[np.float64]
T = TypeVar("T")
SPLITS = ("kmeans", "random", "none")


@dataclass(frozen=True, kw_only=True)
class HullOptions:
    """Settings of kernel affine hull machines.

    - ``n_components`` n ≥ 1 is the largest dimension of the first layer's encoding. For each further layer it is one
      less, but at least 1.
    - ``n_layers`` is the number L ≥ 1 of layers.
    - ``block_size`` is the number N_b ≥ 2 of records per block.
    - ``split`` is the method of forming blocks: "kmeans", "random" or "none". k-means suits clean data only, because
      on noisy data its clusters follow the noise.
    - ``tau_factor`` is the strength of smoothing, ``tol`` the precision of λ (see `KAHM`).

    See Also
    --------
    WideDeepKAHM, fabricate
    """

    n_components: int = 20
    n_layers: int = 1
    block_size: int = 1000
    split: str = "kmeans"
    tau_factor: float = 2.0
    tol: float = 1e-6

    def __post_init__(self) -> None:
        _checks.integer("n_components", self.n_components, low=1)
        _checks.integer("n_layers", self.n_layers, low=1)
        _checks.integer("block_size", self.block_size, low=2)
        _checks.one_of("split", self.split, SPLITS)
        _checks.number("tau_factor", self.tau_factor, low=8 / 27, open_low=True)
        _checks.number("tol", self.tol, low=0, open_low=True)

    def machine(self, layer: int = 0) -> KAHM:
        """Return an unfitted kernel affine hull machine for the given layer, counted from 0."""
        n = max(self.n_components - layer, 1)
        return KAHM(n, tau_factor=self.tau_factor, tol=self.tol)


def blocks(Y: Array, size: int, split: str, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Split data Y (N, p) into about ⌈N/size⌉ blocks; return the row numbers of every block.

    - "random": blocks of equal size.
    - "kmeans": clusters. While a cluster has fewer than two records, clustering is repeated with one cluster fewer,
      as in the code of Kumar for arXiv:2304.01300.
    - "none": one block.
    """
    count = 1 if split == "none" else math.ceil(len(Y) / size)
    if count == 1:
        return [np.arange(len(Y))]
    if split == "random":
        return np.array_split(rng.permutation(len(Y)), count)
    return _clusters(Y, count, rng)


def _clusters(Y: Array, count: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    from sklearn.cluster import KMeans

    # scikit-learn warns where fewer records differ than there are clusters; filters of warnings are
    # shared by all threads, so it is not asked for that many.
    count = min(count, len(np.unique(Y, axis=0)))
    while count > 1:
        means = KMeans(count, n_init=1, random_state=int(rng.integers(2**31)))
        label = means.fit_predict(Y)
        if np.bincount(label, minlength=count).min() >= 2:
            return [np.flatnonzero(label == one) for one in range(count)]
        count -= 1
    return [np.arange(len(Y))]


@dataclass(frozen=True)
class Deep:
    """Conditionally deep machine: layers l with maps A_l, where y_0 = y and y_l = A_l(y_{l-1}).

    The image of y is the y_l nearest to y, and the distance is Γ(y) = min_l ‖y - y_l‖. Layer l is fitted to the
    images of the records under the preceding layers. The construction follows earlier papers of Kumar, Moser and
    Fischer, as we remember these papers. The published code has one layer.
    """

    layers: tuple[KAHM, ...]

    @classmethod
    def fitted(cls, Y: Array, options: HullOptions) -> Deep:
        """Return a deep machine fitted to N records Y (N, p)."""
        layers: list[KAHM] = []
        for number in range(options.n_layers):
            layers.append(options.machine(number).fit(Y))
            if number + 1 < options.n_layers:
                Y = layers[-1].transform(Y)
        return cls(tuple(layers))

    def distance(self, Y: Array) -> Array:
        """Return the distances Γ (M,) between M queries Y (M, p) and their images."""
        return self.layers[0].distance(Y) if len(self.layers) == 1 else self.image(Y)[1]

    def image(self, Y: Array) -> tuple[Array, Array]:
        """Return the images (M, p) of M queries Y (M, p), and the distances Γ (M,) between queries and images."""
        now = best = self.layers[0].transform(Y)
        nearest = np.linalg.norm(Y - now, axis=1)
        for layer in self.layers[1:]:
            now = layer.transform(now)
            reach = np.linalg.norm(Y - now, axis=1)
            closer = reach < nearest
            best = np.where(closer[:, None], now, best)
            nearest = np.where(closer, reach, nearest)
        return best, nearest


def fit_blocks(
    sets: Sequence[Array],
    options: HullOptions,
    rng: np.random.Generator,
    n_jobs: int | None = None,
) -> list[tuple[Deep, ...]]:
    """Return the machines of all blocks for every data set (N_c, p) in ``sets``, fitted in parallel."""
    parts = [
        (number, Y[rows])
        for number, Y in enumerate(sets)
        for rows in blocks(Y, options.block_size, options.split, rng)
    ]
    machines = side_by_side(n_jobs, Deep.fitted, [(Y, options) for _, Y in parts])
    owner = [number for number, _ in parts]
    return [
        tuple(d for d, o in zip(machines, owner, strict=True) if o == k) for k in range(len(sets))
    ]


def side_by_side(
    n_jobs: int | None, function: Callable[..., T], calls: Sequence[tuple[Any, ...]]
) -> list[T]:
    """Call a function on several threads; return the list of ``function(*call)`` for every tuple in ``calls``."""
    if n_jobs in (None, 1) or len(calls) == 1:
        return [function(*call) for call in calls]  # small machines: the threads would cost more
    from joblib import (
        Parallel,
        delayed,
    )  # slow to import: only when there is work for several threads

    # Threads copy no data; scipy's triangular solves hold Python's lock, so two threads give less
    # than twice the speed, but not less than processes do.
    results = Parallel(n_jobs=n_jobs, prefer="threads")(delayed(function)(*call) for call in calls)
    return cast(list[T], results)


def wide_distance(machines: Sequence[Deep], Y: Array) -> Array:
    """Return the smallest distances Γ_W (M,) of M queries Y (M, p) over the machines of all blocks."""
    return cast(Array, np.minimum.reduce([machine.distance(Y) for machine in machines]))


def unit_box(bounds: tuple[ArrayLike, ArrayLike], n_features: int) -> tuple[Array, Array]:
    """Return the lower ends (p,) and widths (p,) of the public bounds of the features.

    ``bounds`` (low, high) are two numbers or arrays (p,).

    Raises
    ------
    ValueError
        When an end is not finite or beyond ±1e50, when low is not below high by at least 1e-50, or when an array does
        not have p entries.
    """
    low, high = _checks.ends("bounds", bounds, n_features)
    if max(np.abs(low).max(), np.abs(high).max()) > 1e50 or not (high - low >= 1e-50).all():
        raise ValueError(
            f"bounds={bounds!r} are not allowed: give finite numbers with low < high, inside ±1e50 "
            "and at least 1e-50 apart."
        )
    return low, high - low


def boxed(X: Array, bounds: tuple[ArrayLike, ArrayLike]) -> Array:
    """Return N records X (N, p), clipped to the public bounds and scaled to [0, 1]^p."""
    low, width = unit_box(bounds, X.shape[1])
    # Clipped first against overflow, and last against rounding beyond the box.
    return np.clip((np.clip(X, low, low + width) - low) / width, 0, 1)
