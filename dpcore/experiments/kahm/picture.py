"""The picture: two-dimensional data through noise and rounds, and the machines built on every stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import SHOWN_ROUNDS, KahmParams
from dpcore.kahm import HullOptions
from dpcore.kahm.smoothing import modelling_error
from dpcore.kahm.wide import Deep, fit_blocks, wide_distance

__all__ = [
    "GRID", "NODES", "QUICK_GRID", "REACH", "Picture", "net_places", "parted", "run", "run_near",
    "run_one", "whole_net",
]  # fmt: skip

Array = NDArray[np.float64]
REACH = (-0.25, 1.25)  # what the map shows of both axes
GRID = 36  # places along a side of the shading
QUICK_GRID = 22  # the same while a handle moves
NODES: tuple[float, ...] = EPSILON_GRID[::3] + EPSILON_GRID[-1:]
"""ε at which machines are built; the data themselves are made at every ε."""
"""Controls whose every value is drawn ahead of their handle."""
_LINES, _DOTS = 5, 11


@dataclass(frozen=True, kw_only=True)
class Picture:
    """All stages of one draw of the noise, at ``epsilons`` (E,).

    ``X`` (N, 2), ``y`` (N,): the original. ``stages`` (E, T + 2, N, 2): original, noisy, after every
    round. ``errors`` (E, T + 1, k): mean distance of a class to its image from the noisy stage on;
    ``target`` (k,): that of the original, which is not private. Machines at ``nodes`` (F,):
    ``fields`` (F, T + 2, G, G) distance to the nearest image, rows from the bottom; ``nets``
    (F, T + 2, k, L, 2) lines of the machines' images, parted by NaN.
    """

    X: Array
    y: NDArray[np.int64]
    epsilons: tuple[float, ...]
    nodes: tuple[float, ...]
    stages: Array
    errors: Array
    target: Array
    fields: Array
    nets: Array

    @property
    def paper_rounds(self) -> NDArray[np.int64]:
        """The round (E,) at which every class has reached the error of its original; -1: not yet."""
        there = np.all(self.errors <= self.target, axis=-1)
        return np.where(there.any(1), there.argmax(1), -1)


def run(
    params: KahmParams,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Picture:
    """Return the picture at every ε; ``progress`` hears the fraction done, ``check`` may raise."""
    return _picture(params, EPSILON_GRID, NODES, GRID, progress, check)


def run_one(params: KahmParams) -> Picture:
    """Return the picture at the one ε of the parameters: quick enough to follow a handle."""
    one = (params.epsilon,)
    return _picture(params, one, one, QUICK_GRID)


def run_near(params: KahmParams) -> Picture:
    """Return the picture at the ε of the parameters and its nodes alone: for a handle's preview."""
    after = int(np.searchsorted(NODES, params.epsilon))
    first = after if NODES[after] == params.epsilon else after - 1
    nodes = NODES[first : after + 1]
    return _picture(params, sorted({*nodes, params.epsilon}), nodes)


def _picture(
    params: KahmParams,
    epsilons: Sequence[float],
    nodes: Sequence[float],
    side: int = GRID,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Picture:
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    found = [made(X, y, e, params, (params.seed,), options, SHOWN_ROUNDS) for e in epsilons]
    stages = np.stack([np.concatenate([X[None], one.stages]) for one in found])
    original = _machines(X, y, options, params.seed, side)
    fields, nets = [], []
    for number, e in enumerate(nodes):
        check()
        at = stages[list(epsilons).index(e)]
        pairs = [original, *(_machines(Y, y, options, params.seed, side) for Y in at[1:])]
        fields.append([pair[0] for pair in pairs])
        nets.append([pair[1] for pair in pairs])
        progress((number + 1) / len(nodes))
    target = modelling_error(X, y, rng=np.random.default_rng(params.seed), options=options)
    return Picture(
        X=X, y=y, epsilons=tuple(epsilons), nodes=tuple(nodes), stages=stages,
        errors=np.stack([one.errors for one in found]), target=target,
        fields=np.array(fields), nets=np.array(nets),
    )  # fmt: skip


def _machines(
    Y: Array, y: NDArray[np.int64], options: HullOptions, seed: int, n_side: int
) -> tuple[Array, Array]:
    """The distance (G, G) to the nearest image, and the net (k, L, 2) of every class."""
    sets = [Y[y == c] for c in np.unique(y)]
    every = fit_blocks(sets, options, np.random.default_rng(seed))
    side = np.linspace(*REACH, n_side)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    field = np.min([wide_distance(machines, places) for machines in every], axis=0)
    nets = [whole_net(machines, own) for machines, own in zip(every, sets, strict=True)]
    most = max(len(net) for net in nets)  # classes of unequal size may have unequal blocks
    filled = [
        np.concatenate([net, np.full((most - len(net), 2), np.nan)]) if len(net) < most else net
        for net in nets
    ]
    return field.reshape(n_side, n_side), np.stack(filled)


def whole_net(machines: Sequence[Deep], Y: Array, lines: int = _LINES, dots: int = _DOTS) -> Array:
    """Return where the machines of one class map a grid laid over its records Y (N, 2): (L, 2).

    The grid reaches 1.8 standard deviations from the mean; with n = 1 all its lines fall on one curve.
    """
    places = net_places(Y, lines, dots)
    return np.concatenate([parted(machine.image(places)[0], dots) for machine in machines])


def net_places(Y: Array, lines: int, dots: int) -> Array:
    """Return the places (..., P, 2) of the grid that is laid over records (..., N, 2), line after line."""
    across, along = np.linspace(-1.8, 1.8, lines), np.linspace(-1.8, 1.8, dots)
    flat = np.stack(np.meshgrid(along, across), -1)  # (lines, dots, 2)
    both = np.concatenate([flat, flat[..., ::-1]]).reshape(-1, 2)
    return cast(Array, Y.mean(-2)[..., None, :] + Y.std(-2)[..., None, :] * both)


def parted(image: Array, dots: int) -> Array:
    """Return lines of so many dots (..., P, d) with NaN between them, (..., L, d)."""
    *sets, _, d = image.shape
    lines = image.reshape(*sets, -1, dots, d)
    gaps = np.full((*lines.shape[:-2], 1, d), np.nan)
    return np.concatenate([lines, gaps], axis=-2).reshape(*sets, -1, d)
