"""Many draws of the noise: the image each gives, and where one record ends in two worlds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.picture import NODES, whole_net
from dpcore.grids import EPSILON_GRID
from dpcore.kahm import HullOptions
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.wide import fit_blocks

__all__ = ["N_DRAWS", "Draws", "NeighbouringRuns", "neighbouring_runs", "run_draws"]

Array = NDArray[np.float64]
N_DRAWS = 30


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Fabricated data of many draws at ``nodes`` (F,).

    ``nets`` (F, D, k, L, 2): the middle lines of every class's image; ``original`` (k, L, 2): those
    of the machine of the original data; ``errors`` (F, D): mean error of the fabricated data.
    """

    nodes: tuple[float, ...]
    nets: Array
    original: Array
    errors: Array


def run_draws(
    params: KahmParams,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Draws:
    """Return the images that 30 other draws give, at the nodes of ε; ``check`` may end it by raising."""
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    nets, errors = [], []
    for number, epsilon in enumerate(NODES):
        check()
        row, gaps = [], []
        for draw in range(N_DRAWS):
            found = made(X, y, epsilon, params, (params.seed, 1 + draw), options)
            row.append(_crosses(found.X, y, options, params.seed))
            gaps.append(found.errors[-1].mean())
        nets.append(row)
        errors.append(gaps)
        progress((number + 1) / len(NODES))
    return Draws(
        nodes=NODES, nets=np.array(nets), errors=np.array(errors),
        original=_crosses(X, y, options, params.seed),
    )  # fmt: skip


def _crosses(Y: Array, y: NDArray[np.int64], options: HullOptions, seed: int) -> Array:
    sets = [Y[y == c] for c in np.unique(y)]
    every = fit_blocks(sets, options, np.random.default_rng(seed))
    # One block speaks for all: thirty draws of many would be a thicket.
    return np.stack([whole_net(m[:1], own, 1, 13) for m, own in zip(every, sets, strict=True)])


@dataclass(frozen=True, kw_only=True)
class NeighbouringRuns:
    """One record in 30 draws, in two worlds, with the same noise.

    ``home``, ``away`` (2,): where it lies; ``noise`` (E, D, 2) at every ε of the grid;
    ``fabricated`` (F, D, 2) and ``fabricated_away`` (F, D, 2) at ``nodes`` (F,).
    """

    home: Array
    away: Array
    nodes: tuple[float, ...]
    noise: Array
    fabricated: Array
    fabricated_away: Array


def neighbouring_runs(params: KahmParams, nodes: Sequence[float] = NODES) -> NeighbouringRuns:
    """Return where one record ends, with its own values and with others, after noise and smoothing.

    Smoothing works class by class, so the rest of the class is all that matters.
    """
    X, y = picture_data(params.shape, params.n_records)
    own = np.flatnonzero(y == y[params.person])
    row = int(np.flatnonzero(own == params.person)[0])
    Y = X[own]
    other = Y.copy()
    other[row] = np.clip(Y[row] + [params.person_dx, params.person_dy], 0, 1)
    u = np.stack([uniforms(Y.shape, np.random.default_rng((params.seed, 1 + d)))[row]
                  for d in range(N_DRAWS)])  # fmt: skip
    noise = [element_noise(u, e, params.atom, kind=params.noise) for e in EPSILON_GRID]
    ends = [_ends(params, world, row, nodes) for world in (Y, other)]
    return NeighbouringRuns(
        home=Y[row], away=other[row], nodes=tuple(nodes), noise=np.stack(noise),
        fabricated=ends[0], fabricated_away=ends[1],
    )  # fmt: skip


def _ends(params: KahmParams, Y: Array, row: int, nodes: Sequence[float]) -> Array:
    options = hull_options(params, params.n_components)
    labels = np.zeros(len(Y), np.int64)
    return np.array(
        [
            [
                made(Y, labels, e, params, (params.seed, 1 + d), options).X[row]
                for d in range(N_DRAWS)
            ]
            for e in nodes
        ]
    )
