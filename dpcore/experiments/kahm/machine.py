"""One machine looked into: membership, weights, the bound on its distance, and how it finds λ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import LAMBDA_STEPS, QUERY_GRID, KahmParams
from dpcore.experiments.kahm.picture import NODES, REACH
from dpcore.kahm import KAHM
from dpcore.kahm.hull import kernel
from dpcore.kahm.ridge import Iteration

__all__ = ["ALONG", "CURVE", "SIDE", "FixedPoint", "OneMachine", "run_fixed_point", "run_machine"]

Array = NDArray[np.float64]
SIDE = 41  # places along a side of the membership's map
ALONG = np.linspace(*REACH, 61)  # places of the query along a line
CURVE = np.linspace(0.0, 1.0, 41)  # training errors, in mean squares
_MIDDLE = 0.5


@dataclass(frozen=True, kw_only=True)
class OneMachine:
    """The machine of the class of one record, built on the original data: NOT private.

    ``records`` (m, 2) of that class, ``place`` of the record among them, ``membership`` (G, G) its h_i
    over the map, rows from the bottom, ``own`` its h_i at itself. A query stands at every pair (X, Y)
    of `QUERY_GRID`: ``images`` (X, Y, 2), ``weights`` (X, Y, m) of the records, the nearest first,
    ``distance``, ``bound_one``, ``bound_two`` (X, Y): Γ, ‖w‖₁ max_i ‖y - y_i‖ and
    ‖w‖₂ (Σ_i ‖y - y_i‖²)^½. ``line`` (Y, 3, L): the same three along `ALONG` at every height.
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
    """Return what one machine answers; takes a tenth of a second."""
    X, y = picture_data(params.shape, params.n_records)
    own = np.flatnonzero(y == y[params.person])
    Y, place = X[own], int(np.flatnonzero(own == params.person)[0])
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
    """Return the weights (M, m) at queries (M, 2), and Γ and its two bounds there, (M,) each."""
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
    """Return h(x) = (K + λI)⁻¹ k_X(x) of every record at places (M, 2), (M, m)."""
    Z, n = machine.scores_, machine.scores_.shape[1]
    apart = np.square(machine.encoding_.scores(places)[:, None] - Z).sum(2)
    K = kernel(Z) + machine.lam_ * np.eye(len(Z))
    return np.linalg.solve(K, np.exp(-apart / (2 * n)).T).T


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """How the machine of the first class's noisy data finds λ, at ``nodes`` (F,) of ε, in mean squares M₀.

    ``curve`` (F, C): R at `CURVE`; ``steps`` (F, T + 1): the training errors, from ½ M₀ on; ``end`` (F,)
    where they go; ``tau``: τ/M₀; ``rate``: the share of the distance that a step is proven to leave at most.
    """

    nodes: tuple[float, ...]
    curve: Array
    steps: Array
    end: Array
    tau: float
    rate: float


def run_fixed_point(params: KahmParams) -> FixedPoint:
    """Return the iteration at every node of ε."""
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    curves, steps, ends = [], [], []
    for e in NODES:
        noisy = made(X, y, e, params, (params.seed,), options, 0).noisy[y == y.min()]
        machine = options.machine().fit(noisy)
        found = Iteration.of(kernel(machine.scores_), noisy, tau_factor=params.ridge)
        size = found.mean_square
        long = found.steps(size / 2, 60) / size
        curves.append(found.error(CURVE * size) / size)
        steps.append(long[: LAMBDA_STEPS[-1] + 1])
        ends.append(long[-1])
    return FixedPoint(
        nodes=NODES, curve=np.array(curves), steps=np.array(steps), end=np.array(ends), tau=params.ridge,
        rate=found.rate,
    )  # fmt: skip
