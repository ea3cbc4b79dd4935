"""Kernel affine hull machines in detail.

A machine maps a query point to an output, an affine combination of the records. The module
computes:

- the weights of the records in the output, and the regularisation λ;
- layered machines, in which each layer is fitted to the outputs of the previous layer;
- wide machines, which have one machine for each of several blocks of records;
- machines fitted to samples in the unit cube.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.params import (
    LAMBDA_STEPS,
    QUERY_GRID,
    SHOWN_ROUNDS,
    TURN_GRID,
    KahmParams,
    fabricated,
    hull_options,
    picture_data,
)
from dpcore.experiments.kahm.picture import NODES, REACH, parted
from dpcore.kahm import KAHM, HullOptions
from dpcore.kahm.batched import own_images
from dpcore.kahm.hull import kernel
from dpcore.kahm.ridge import Iteration
from dpcore.kahm.wide import blocks

__all__ = [
    "ALONG",
    "CURVE",
    "LAYER_NODES",
    "N_BLOCKS",
    "N_BODIES",
    "N_LAYERS",
    "SIDE",
    "FixedPoint",
    "Layers",
    "OneMachine",
    "Space",
    "projected",
    "run_fixed_point",
    "run_layers",
    "run_machine",
    "run_space",
]

Array = NDArray[np.float64]
SIDE = 41  # places along a side of the membership's map
ALONG = np.linspace(*REACH, 61)  # places of the query along a line
CURVE = np.linspace(0.0, 1.0, 41)  # training errors, in mean squares
_MIDDLE = 0.5


@dataclass(frozen=True, kw_only=True)
class OneMachine:
    """The kernel affine hull machine of one class, built on the original data without privacy.

    - ``records`` (m, 2): the m records of the class.
    - ``place``: index of the chosen record.
    - ``membership`` (G, G): membership function of the chosen record on a G × G grid over the displayed
      square, rows from the bottom up.
    - ``own``: value of this function at the chosen record.

    For queries y at X horizontal and Y vertical coordinates from `QUERY_GRID`:

    - ``images`` (X, Y, 2): output of the machine for y.
    - ``weights`` (X, Y, m): weights of the records y_i in the output, the nearest record first.
    - ``distance`` (X, Y): distance Γ of y to its output.
    - ``bound_one`` (X, Y): upper bound ‖w‖₁ max_i ‖y - y_i‖ on Γ.
    - ``bound_two`` (X, Y): upper bound ‖w‖₂ (Σ_i ‖y - y_i‖²)^½ on Γ.

    ``line`` (Y, 3, L): Γ and its two bounds at L points of a horizontal line at each of the Y
    heights. `ALONG` has the points' horizontal coordinates.
    """

    records: Array
    place: int
    membership: Array
    own: float
    images: Array
    weights: Array
    distance: Array
    bound_one: Array
    bound_two: Array
    line: Array


def run_machine(params: KahmParams) -> OneMachine:
    """Return the kernel affine hull machine of the chosen record's class, evaluated on grids.

    The computation takes 0.1 seconds.
    """
    X, y = picture_data(params.shape, params.n_records)
    own = np.flatnonzero(y == y[params.row])
    Y, place = X[own], int(np.flatnonzero(own == params.row)[0])
    machine = KAHM(params.n_components, tau_factor=params.ridge).fit(Y)
    ticks = _MIDDLE + np.array(QUERY_GRID)
    queries = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), -1)
    size = queries.shape[:2]
    w, distance, one, two = measured(machine, Y, queries.reshape(-1, 2))
    gaps = np.linalg.norm(queries.reshape(-1, 1, 2) - Y, axis=2)
    side = np.linspace(*REACH, SIDE)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    h = memberships(machine, places)[:, place]
    lines = np.stack(np.meshgrid(ticks, ALONG, indexing="ij")[::-1], -1).reshape(-1, 2)
    along = np.stack(measured(machine, Y, lines)[1:]).reshape(3, len(ticks), len(ALONG))
    return OneMachine(
        records=Y, place=place, membership=h.reshape(SIDE, SIDE),
        own=float(memberships(machine, Y[place : place + 1])[0, place]),
        images=machine.transform(queries.reshape(-1, 2)).reshape(*size, 2),
        weights=np.take_along_axis(w, gaps.argsort(1), 1).reshape(*size, -1),
        distance=distance.reshape(size), bound_one=one.reshape(size), bound_two=two.reshape(size),
        line=along.transpose(1, 0, 2),
    )  # fmt: skip


def measured(machine: KAHM, Y: Array, queries: Array) -> tuple[Array, Array, Array, Array]:
    """Return weights (M, m), distances Γ (M,) and two bounds (M,) on Γ, for M queries (M, 2).

    The weights are those of the m records in the output of the kernel affine hull machine for a query.
    Γ is the distance of the query to this output. `OneMachine` has the formulas of the bounds.
    """
    w = machine.weights(queries)
    gaps = np.linalg.norm(queries[:, None] - Y, axis=2)
    one = np.abs(w).sum(1) * gaps.max(1)
    return (
        w,
        machine.distance(queries),
        one,
        np.linalg.norm(w, axis=1) * np.linalg.norm(gaps, axis=1),
    )


def memberships(machine: KAHM, places: Array) -> Array:
    """Return the membership functions (M, m) of m records at M points x (M, 2).

    The membership functions are h(x) = (K + λI)⁻¹ k(x). K is the kernel matrix of the records, and
    k(x) has the kernel between x and each record.
    """
    Z, n = machine.scores_, machine.scores_.shape[1]
    apart = np.square(machine.encoding_.scores(places)[:, None] - Z).sum(2)
    K = kernel(Z) + machine.lam_ * np.eye(len(Z))
    return np.linalg.solve(K, np.exp(-apart / (2 * n)).T).T


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """Iteration that finds the regularisation λ, for the first class's noisy data at F values of ε.

    λ is the training error plus a constant τ. The training error depends on λ, so both are found
    together by a fixed-point iteration. Errors are in units of the mean square M₀ of the data.

    - ``nodes`` (F,): values of ε.
    - ``curve`` (F, C): training error after one step of the iteration from each of the C errors in
      `CURVE`.
    - ``steps`` (F, T + 1): training error at the start of the iteration, ½ M₀, and after each of T
      steps.
    - ``end`` (F,): limit of the iteration.
    - ``tau``: constant τ in units of M₀.
    - ``rate``: proven bound on the contraction factor of a step.
    """

    nodes: tuple[float, ...]
    curve: Array
    steps: Array
    end: Array
    tau: float
    rate: float


def run_fixed_point(params: KahmParams) -> FixedPoint:
    """Return the fixed-point iteration for λ at every value of ε in `NODES`."""
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    curves, steps, ends = [], [], []
    for e in NODES:
        noisy = fabricated(X, y, e, params, (params.seed,), options, 0).noisy[y == y.min()]
        machine = options.machine().fit(noisy)
        iteration = Iteration.of(kernel(machine.scores_), noisy, tau_factor=params.ridge)
        size = iteration.mean_square
        long = iteration.steps(size / 2, 60) / size
        curves.append(iteration.error(CURVE * size) / size)
        steps.append(long[: LAMBDA_STEPS[-1] + 1])
        ends.append(long[-1])
    return FixedPoint(
        nodes=NODES, curve=np.array(curves), steps=np.array(steps), end=np.array(ends), tau=params.ridge,
        rate=iteration.rate,
    )  # fmt: skip


N_LAYERS, N_BLOCKS = 3, 4
LAYER_NODES: tuple[float, ...] = NODES[::2] + (() if len(NODES) % 2 else NODES[-1:])


@dataclass(frozen=True, kw_only=True)
class Layers:
    """Outputs of layered and of wide kernel affine hull machines for N records.

    In a layered machine each layer is fitted to the outputs of the previous layer. A wide machine
    has one machine for each of several blocks of records.

    - ``nodes`` (F,): the F values of ε.
    - ``images`` (F, T + 2, L, N, 2): outputs of L layers for the records, class by class. The
      second axis is the stage of the data: original, noisy, after each of T smoothing rounds.
    - ``nearest`` (F, T + 2, L): fraction of records to which this layer's output is nearer than the
      outputs of the other layers.
    - ``wide`` (2, N, 2): outputs of a wide machine with four blocks per class for the ORIGINAL records.
      Each record has four outputs, of which the nearest is used. The first axis is how blocks are
      formed: by k-means, or at random.
    - ``block`` (2, N): block of each record.
    - ``labels`` (N,): classes of the N records.
    """

    nodes: tuple[float, ...]
    images: Array
    nearest: Array
    wide: Array
    block: NDArray[np.int64]
    labels: NDArray[np.int64]


def run_layers(params: KahmParams, check: Callable[[], None] = lambda: None) -> Layers:
    """Return the outputs of layered and of wide kernel affine hull machines for the records.

    At several values of ε, layers are fitted to the original data, to the noisy data, and to the
    data after each smoothing round.
    """
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    original = _images(X[None], y, options)
    images, nearest = [], []
    for e in LAYER_NODES:
        check()
        stages = fabricated(X, y, e, params, (params.seed,), options, SHOWN_ROUNDS).stages
        positions = np.concatenate([original, _images(stages, y, options)])
        images.append(positions)
        nearest.append(_nearest(np.concatenate([X[None], stages]), positions))
    both = [_wide(X, y, options, split, params.seed) for split in ("kmeans", "random")]
    return Layers(
        nodes=LAYER_NODES, images=np.array(images), nearest=np.array(nearest), labels=y,
        wide=np.stack([positions for positions, _ in both]), block=np.stack([one for _, one in both]),
    )  # fmt: skip


def _images(Y: Array, y: NDArray[np.int64], options: HullOptions) -> Array:
    """Return the outputs (B, L, N, 2) of L layers for the N records in each of B data sets.

    The layers are fitted to each class separately.
    """
    images = np.empty((len(Y), N_LAYERS, *Y.shape[1:]))
    for c in np.unique(y):
        now = Y[:, y == c]
        for number in range(N_LAYERS):
            now = own_images(now, options, number)
            images[:, number, y == c] = now
    return images


def _nearest(Y: Array, images: Array) -> Array:
    best = np.linalg.norm(Y[:, None] - images, axis=3).argmin(1)
    return np.stack([(best == number).mean(1) for number in range(N_LAYERS)], axis=1)


def _wide(
    X: Array, y: NDArray[np.int64], options: HullOptions, split: str, seed: int
) -> tuple[Array, NDArray[np.int64]]:
    rng, images, block = np.random.default_rng(seed), np.empty_like(X), np.zeros(len(y), np.int64)
    for c in np.unique(y):
        own = np.flatnonzero(y == c)
        parts = blocks(X[own], math.ceil(len(own) / N_BLOCKS), split, rng)
        machines = [options.machine().fit(X[own][rows]) for rows in parts]
        candidates = np.stack([machine.transform(X[own]) for machine in machines])
        best = np.linalg.norm(X[own] - candidates, axis=2).argmin(0)
        images[own] = candidates[best, np.arange(len(own))]
        for number, rows in enumerate(parts):
            block[own[rows]] = number
    return images, block


N_BODIES = 3  # a saddle, a wave, an arc
_RECORDS, _LINES, _DOTS = 150, 9, 17
_ABOVE = math.radians(22)  # from where one looks down


@dataclass(frozen=True, kw_only=True)
class Space:
    """Three synthetic samples in the unit cube, and grid lines mapped by kernel affine hull machines.

    - ``samples`` (3, N, 3): N points of each sample.
    - ``nets`` (3, L, 3): grid lines mapped by the machine fitted to a sample, as L points with NaN
      between the lines.
    """

    samples: Array
    nets: Array


def samples() -> Array:
    """Return three fixed samples (3, N, 3) of N points in the unit cube, scattered around surfaces and a curve."""
    rng = np.random.default_rng(2)
    u, v = rng.uniform(-1, 1, (2, 3, _RECORDS))
    t = math.pi * u[2]
    bodies = [
        np.stack([u[0], v[0], (np.square(u[0]) - np.square(v[0])) * 0.8], -1),
        np.stack([u[1], v[1], 0.6 * np.sin(math.pi * u[1])], -1),
        np.stack([np.cos(t / 2), np.sin(t / 2), u[2] * 0.8], -1),
    ]
    return 0.5 + 0.42 * (np.stack(bodies) + 0.04 * rng.standard_normal((3, _RECORDS, 3)))


def run_space(params: KahmParams) -> Space:
    """Return three samples in the unit cube, and grid lines mapped by kernel affine hull machines.

    The parameters determine the machines' number of components n and factor τ.
    """
    return _space(params.n_components, params.ridge)


@lru_cache(maxsize=8)  # drawn by the live figure and by Plotly
def _space(n_components: int, ridge: float) -> Space:
    sets = samples()
    return Space(samples=sets, nets=np.stack([_net(Y, n_components, ridge) for Y in sets]))


def _net(Y: Array, n_components: int, ridge: float) -> Array:
    """Return a grid mapped by the kernel affine hull machine that is fitted to the records Y.

    The grid spans the two leading principal directions of Y. With one component it is mapped to a
    curve.
    """
    machine = KAHM(n_components, tau_factor=ridge).fit(Y)
    mean = Y.mean(0)
    values, vectors = np.linalg.eigh(np.cov(Y.T))
    across, along = np.linspace(-1.7, 1.7, _LINES), np.linspace(-1.7, 1.7, _DOTS)
    flat = np.stack(np.meshgrid(along, across), -1)
    both = np.concatenate([flat, flat[..., ::-1]]) * np.sqrt(values[:0:-1])
    image = machine.transform((mean + both @ vectors[:, :0:-1].T).reshape(-1, 3))
    return parted(image, _DOTS)


def projected(places: Array) -> Array:
    """Return the positions (T, M, 2) on the screen of M points (M, 3) of the unit cube.

    The cube is seen at the T angles of `TURN_GRID`.
    """
    angle = np.radians(TURN_GRID)[:, None]
    x, y, z = (places - 0.5).T
    right = np.cos(angle) * x - np.sin(angle) * y
    away = np.sin(angle) * x + np.cos(angle) * y
    up = math.cos(_ABOVE) * z + math.sin(_ABOVE) * away
    return np.stack([right, up], -1)
