"""Many draws of the noise: the image each gives, and where one record ends in two worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.picture import NODES, net_places, parted
from dpcore.kahm import HullOptions
from dpcore.kahm.batched import deep_batch, images_batch, smooth_batch
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.wide import blocks

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
    for number, (found, gaps) in enumerate(published(X, y, params, NODES)):
        check()
        nets.append(_crosses(found, y, options, params.seed))
        errors.append(gaps)
        progress((number + 1) / len(NODES))
    return Draws(
        nodes=NODES, nets=np.array(nets), errors=np.array(errors),
        original=_crosses(X[None], y, options, params.seed)[0],
    )  # fmt: skip


def published(
    X: Array, y: NDArray[np.int64], params: KahmParams, epsilons: Sequence[float]
) -> Iterator[tuple[Array, Array]]:
    """Yield, for every ε, the fabricated data of all draws (D, N, 2) and their errors (D,).

    Up to rounding what `made` gives draw by draw; all draws of a class are fitted together.
    """
    options = hull_options(params, params.n_components)
    seeds = [(params.seed, 1 + draw) for draw in range(N_DRAWS)]
    if params.stop == "paper":  # every class of every draw then has rounds of its own
        for e in epsilons:
            found = [made(X, y, e, params, seed, options) for seed in seeds]
            yield np.stack([f.X for f in found]), np.array([f.errors[-1].mean() for f in found])
        return
    u, cuts = _chances(X, y, options, seeds)
    for e in epsilons:
        yield _published(
            X + element_noise(u, e, delta=params.atom, kind=params.noise), cuts, params
        )


def _chances(
    X: Array, y: NDArray[np.int64], options: HullOptions, seeds: Sequence[tuple[int, ...]]
) -> tuple[Array, list[list[NDArray[np.intp]]]]:
    """The uniforms (D, N, 2), and of every class the rows (D, size) of each block, drawn as `made` does."""
    uniform, drawn = [], []
    members = [np.flatnonzero(y == c) for c in np.unique(y)]
    for seed in seeds:
        rng = np.random.default_rng(seed)
        uniform.append(uniforms(X.shape, rng))
        drawn.append([[m[rows] for rows in blocks(X[m], options.block_size, options.split, rng)]
                      for m in members])  # fmt: skip
    cuts = [[np.stack(same) for same in zip(*of_class, strict=True)]
            for of_class in zip(*drawn, strict=True)]  # fmt: skip
    return np.stack(uniform), cuts


def _published(
    noisy: Array, cuts: list[list[NDArray[np.intp]]], params: KahmParams
) -> tuple[Array, Array]:
    options = hull_options(params, params.n_components)
    found, gaps = np.empty_like(noisy), []
    draw = np.arange(len(noisy))[:, None]
    for of_class in cuts:
        lengths = []
        for rows in of_class:
            last, after = smooth_batch(noisy[draw, rows], params.rounds, params.operator, options)
            found[draw, rows] = last
            lengths.append(np.linalg.norm(last - after, axis=2))
        gaps.append(np.concatenate(lengths, axis=1).mean(1))
    return found, np.mean(gaps, axis=0)


def _crosses(Y: Array, y: NDArray[np.int64], options: HullOptions, seed: int) -> Array:
    """The middle lines (D, k, L, 2) of the image of every class, of data sets (D, N, 2)."""
    rng, found = np.random.default_rng(seed), []
    for c in np.unique(y):
        sets = Y[:, y == c]
        # One block speaks for all: thirty draws of many would be a thicket.
        rows = blocks(sets[0], options.block_size, options.split, rng)[0]
        machines = deep_batch(sets[:, rows], options)
        found.append(parted(images_batch(machines, net_places(sets, 1, 13)), 13))
    return np.stack(found, axis=1)


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
    noise = [element_noise(u, e, delta=params.atom, kind=params.noise) for e in EPSILON_GRID]
    labels = np.zeros(len(Y), np.int64)
    ends = [
        np.stack([found[:, row] for found, _ in published(world, labels, params, nodes)])
        for world in (Y, other)
    ]
    return NeighbouringRuns(
        home=Y[row], away=other[row], nodes=tuple(nodes), noise=np.stack(noise),
        fabricated=ends[0], fabricated_away=ends[1],
    )  # fmt: skip
