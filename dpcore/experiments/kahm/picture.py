"""The 2-D example: noise, smoothing rounds, kernel affine hull machines, and classifiers trained on the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import load
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm.params import (
    SHOWN_ROUNDS,
    KahmParams,
    fabricated,
    hull_options,
    picture_data,
)
from dpcore.kahm import HullOptions
from dpcore.kahm.batched import deep_batch, images_batch, round_batch, smooth_batch
from dpcore.kahm.noise import element_noise, uniforms
from dpcore.kahm.smoothing import modelling_error
from dpcore.kahm.wide import Deep, blocks, fit_blocks, wide_distance

__all__ = [
    "GRID",
    "NODES",
    "N_DRAWS",
    "QUICK_GRID",
    "REACH",
    "SIDE",
    "DecisionRegions",
    "Draws",
    "NeighbouringRuns",
    "Outcomes",
    "Picture",
    "neighbouring_runs",
    "net_places",
    "other_original",
    "parted",
    "replaced",
    "run",
    "run_draws",
    "run_near",
    "run_one",
    "run_outcomes",
    "run_regions",
    "whole_net",
]

Array = NDArray[np.float64]
REACH = (-0.25, 1.25)  # what the map shows of both axes
GRID = 36  # places along a side of the shading
QUICK_GRID = 22  # the same while a handle moves
NODES: tuple[float, ...] = EPSILON_GRID[::3] + EPSILON_GRID[-1:]
"""Values of ε at which kernel affine hull machines are fitted.

Noisy data are generated at every ε of the slider.
"""
_LINES, _DOTS = 5, 11


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The 2-D example for one noise draw at E values of ε, from original to fabricated records.

    The records have T + 2 stages: original, noisy, after each of T smoothing rounds. A kernel
    affine hull machine is fitted to each class, and maps a point to its output. Grids have G × G
    points.

    - ``epsilons``: the E values of ε.
    - ``X`` (N, 2), ``y`` (N,): original records and their k classes.
    - ``stages`` (E, T + 2, N, 2): records at every stage.
    - ``errors`` (E, T + 1, k): mean distance of the records of each class to their outputs, at all
      stages after the original.
    - ``target`` (k,): mean distance of the original records of each class to their outputs, not
      private.
    - ``nodes`` (F,): values of ε at which machines are fitted to every stage.
    - ``fields`` (F, T + 2, G, G): distance of each grid point over `REACH` to its nearest output, rows
      from the bottom up.
    - ``nets`` (F, T + 2, k, L, 2): grid lines mapped by each class's machine, as L points with NaN
      between the lines.
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
        """Number of smoothing rounds (E,) until every class has reached the error of its original data.

        The number is -1 if this does not happen within the T rounds.
        """
        there = np.all(self.errors <= self.target, axis=-1)
        return np.where(there.any(1), there.argmax(1), -1)


def run(
    params: KahmParams,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Picture:
    """Return the 2-D example at every ε, with kernel affine hull machines for every stage.

    ``progress`` receives the fraction done. ``check`` may raise to cancel.
    """
    return _picture(params, EPSILON_GRID, NODES, GRID, progress, check)


def run_one(params: KahmParams) -> Picture:
    """Return the 2-D example at the ε of the parameters only, for a quick preview."""
    one = (params.epsilon,)
    return _picture(params, one, one, QUICK_GRID)


def run_near(params: KahmParams) -> Picture:
    """Return the 2-D example at the ε of the parameters and at the nearest values in `NODES`, for a preview."""
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
    runs = [fabricated(X, y, e, params, (params.seed,), options, SHOWN_ROUNDS) for e in epsilons]
    stages = np.stack([np.concatenate([X[None], one.stages]) for one in runs])
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
        errors=np.stack([one.errors for one in runs]), target=target,
        fields=np.array(fields), nets=np.array(nets),
    )  # fmt: skip


def _machines(
    Y: Array, y: NDArray[np.int64], options: HullOptions, seed: int, n_side: int
) -> tuple[Array, Array]:
    """Fit a kernel affine hull machine to each of k classes; return distances (G, G) and mapped lines (k, L, 2).

    The classes are those of the records Y (N, 2). The distances are from the points of a grid to
    the nearest of the outputs that the k machines have for them. The grid has G = ``n_side`` points
    a side and covers `REACH` in both directions. The lines are straight grid lines over a class,
    mapped by the machine of this class.
    """
    sets = [Y[y == c] for c in np.unique(y)]
    every = fit_blocks(sets, options, np.random.default_rng(seed))
    side = np.linspace(*REACH, n_side)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    field = np.min([wide_distance(machines, places) for machines in every], axis=0)
    nets = [whole_net(machines, own) for machines, own in zip(every, sets, strict=True)]
    return field.reshape(n_side, n_side), _padded(nets)


def whole_net(machines: Sequence[Deep], Y: Array, lines: int = _LINES, dots: int = _DOTS) -> Array:
    """Return the grid lines (L, 2) over the records Y (N, 2) of one class, mapped by the machines of this class.

    ``machines``: the kernel affine hull machines of the class, one for each block of records. The grid
    reaches 1.8 standard deviations from the mean. With n = 1 component all lines are mapped to one
    curve.
    """
    places = net_places(Y, lines, dots)
    return np.concatenate([parted(machine.image(places)[0], dots) for machine in machines])


def net_places(Y: Array, lines: int, dots: int) -> Array:
    """Return the points (..., P, 2) of grid lines over records (..., N, 2), line after line.

    The grid has ``lines`` lines in each of two directions, with ``dots`` points each. If ``lines`` is
    1, the line of each direction goes through the mean of the records.
    """
    across = np.linspace(-1.8, 1.8, lines) if lines > 1 else np.zeros(1)
    along = np.linspace(-1.8, 1.8, dots)
    flat = np.stack(np.meshgrid(along, across), -1)  # (lines, dots, 2)
    both = np.concatenate([flat, flat[..., ::-1]]).reshape(-1, 2)
    return cast(Array, Y.mean(-2)[..., None, :] + Y.std(-2)[..., None, :] * both)


def parted(image: Array, dots: int) -> Array:
    """Return lines (..., L, d) of ``dots`` points each, with a row of NaN after each line.

    ``image`` (..., P, d): the points of all lines, without the rows of NaN.
    """
    *sets, _, d = image.shape
    lines = image.reshape(*sets, -1, dots, d)
    gaps = np.full((*lines.shape[:-2], 1, d), np.nan)
    return np.concatenate([lines, gaps], axis=-2).reshape(*sets, -1, d)


N_DRAWS = 30


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Fabricated data of D noise draws at the F values ``nodes`` of ε.

    A kernel affine hull machine is fitted to each of k classes.

    - ``nets`` (F, D, k, L, 2): one grid line in each of two directions, mapped by each class's
      machine. The lines are L points with NaN between them.
    - ``original`` (k, L, 2): the same lines, mapped by the machines of the original data.
    - ``errors`` (F, D): mean distance of the fabricated records to the machines' outputs for them.
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
    """Return the fabricated data of 30 further noise draws at the values of ε in `NODES`.

    ``progress`` receives the fraction done. ``check`` may raise to cancel.
    """
    X, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    nets, errors = [], []
    for number, (data, gaps) in enumerate(published(X, y, params, NODES)):
        check()
        nets.append(_crosses(data, y, options, params.seed))
        errors.append(gaps)
        progress((number + 1) / len(NODES))
    return Draws(
        nodes=NODES, nets=np.array(nets), errors=np.array(errors),
        original=_crosses(X[None], y, options, params.seed)[0],
    )  # fmt: skip


def published(
    X: Array, y: NDArray[np.int64], params: KahmParams, epsilons: Sequence[float]
) -> Iterator[tuple[Array, Array]]:
    """Yield the fabricated data (D, N, 2) of all noise draws and their errors (D,), for every ε.

    The error is the mean distance of the fabricated records to the outputs of kernel affine hull
    machines for them. Up to rounding, `fabricated` has the same results for each draw. All draws
    are computed together, which is faster.
    """
    options = hull_options(params, params.n_components)
    seeds = [(params.seed, 1 + draw) for draw in range(N_DRAWS)]
    if params.stop == "paper":  # every class of every draw then has rounds of its own
        for e in epsilons:
            runs = [fabricated(X, y, e, params, seed, options) for seed in seeds]
            yield np.stack([f.X for f in runs]), np.array([f.errors[-1].mean() for f in runs])
        return
    u, cuts = _chances(X, y, options, seeds)
    for e in epsilons:
        yield _published(
            X + element_noise(u, e, delta=params.atom, kind=params.noise), cuts, params
        )


def _chances(
    X: Array, y: NDArray[np.int64], options: HullOptions, seeds: Sequence[tuple[int, ...]]
) -> tuple[Array, list[list[NDArray[np.intp]]]]:
    """Return the random numbers of D noise draws, the same as `fabricated` uses.

    The result is uniform numbers (D, N, 2), and for every class the rows (D, size) of the records
    in each of its blocks.
    """
    uniform, block_rows = [], []
    members = [np.flatnonzero(y == c) for c in np.unique(y)]
    for seed in seeds:
        rng = np.random.default_rng(seed)
        uniform.append(uniforms(X.shape, rng))
        block_rows.append([[m[rows] for rows in blocks(X[m], options.block_size, options.split, rng)]
                      for m in members])  # fmt: skip
    cuts = [[np.stack(same) for same in zip(*of_class, strict=True)]
            for of_class in zip(*block_rows, strict=True)]  # fmt: skip
    return np.stack(uniform), cuts


def _published(
    noisy: Array, cuts: list[list[NDArray[np.intp]]], params: KahmParams
) -> tuple[Array, Array]:
    options = hull_options(params, params.n_components)
    data, gaps = np.empty_like(noisy), []
    draw = np.arange(len(noisy))[:, None]
    for of_class in cuts:
        lengths = []
        for rows in of_class:
            last, after = smooth_batch(noisy[draw, rows], params.rounds, params.operator, options)
            data[draw, rows] = last
            lengths.append(np.linalg.norm(last - after, axis=2))
        gaps.append(np.concatenate(lengths, axis=1).mean(1))
    return data, np.mean(gaps, axis=0)


def _crosses(Y: Array, y: NDArray[np.int64], options: HullOptions, seed: int) -> Array:
    """Return two mapped grid lines (D, k, L, 2) for the machine of each of k classes, for D data sets.

    The kernel affine hull machines are fitted to the data sets Y (D, N, 2). There is one grid line
    in each of two directions. The mapped lines have L points in total, with NaN between them.
    """
    rng, lines = np.random.default_rng(seed), []
    for c in np.unique(y):
        sets = Y[:, y == c]
        # One block speaks for all: thirty draws of many would be a thicket.
        rows = blocks(sets[0], options.block_size, options.split, rng)[0]
        machines = deep_batch(sets[:, rows], options)
        lines.append(parted(images_batch(machines, net_places(sets, 1, 13)), 13))
    return np.stack(lines, axis=1)


@dataclass(frozen=True, kw_only=True)
class NeighbouringRuns:
    """Fabricated positions of one record in two neighbouring data sets, for D = 30 noise draws.

    In the second data set the record is replaced. Both data sets have the same noise.

    - ``home``, ``away`` (2,): values of the record, and of its replacement.
    - ``noise`` (E, D, 2): noise on the record at each of the E values of the ε grid.
    - ``nodes`` (F,): values of ε.
    - ``fabricated``, ``fabricated_away`` (F, D, 2): fabricated positions at these ε, of the record
      and of its replacement.
    """

    home: Array
    away: Array
    nodes: tuple[float, ...]
    noise: Array
    fabricated: Array
    fabricated_away: Array


def neighbouring_runs(params: KahmParams, nodes: Sequence[float] = NODES) -> NeighbouringRuns:
    """Return the fabricated positions of one record in two neighbouring data sets, with the same noise.

    The second data set is the result of `replaced`. Only records of the record's own class are
    fabricated: smoothing works class by class, so other classes do not move the record.

    Parameters
    ----------
    params : KahmParams
        Parameters of the 2-D example; they also choose the record and its replacement.
    nodes : sequence of float
        F values of ε at which the positions are computed.

    Returns
    -------
    NeighbouringRuns
    """
    X, y = picture_data(params.shape, params.n_records)
    own = np.flatnonzero(y == y[params.row])
    row = int(np.flatnonzero(own == params.row)[0])
    Y, other = X[own], replaced(params)[0][own]
    u = np.stack([uniforms(Y.shape, np.random.default_rng((params.seed, 1 + d)))[row]
                  for d in range(N_DRAWS)])  # fmt: skip
    noise = [element_noise(u, e, delta=params.atom, kind=params.noise) for e in EPSILON_GRID]
    labels = np.zeros(len(Y), np.int64)
    ends = [
        np.stack([data[:, row] for data, _ in published(world, labels, params, nodes)])
        for world in (Y, other)
    ]
    return NeighbouringRuns(
        home=Y[row], away=other[row], nodes=tuple(nodes), noise=np.stack(noise),
        fabricated=ends[0], fabricated_away=ends[1],
    )  # fmt: skip


N_OUTCOMES = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """Complete results of D noise draws at one ε, for two neighbouring data sets.

    In each draw both data sets have the same noise, as in `Draws`. On the first axis of an array,
    index 0 is the data set with the record, and index 1 is the data set with its replacement.

    - ``points`` (2, D, N, 2): the N published records.
    - ``fields`` (2, D, G, G): distance of each point of a G × G grid over `REACH` to the nearest of its
      outputs, of which the kernel affine hull machine of each class gives one.
    - ``nets`` (2, D, k, L, 2): grid lines mapped by the machine of each of k classes, as L points
      with NaN between the lines.
    """

    points: Array
    fields: Array
    nets: Array


def replaced(params: KahmParams) -> tuple[Array, int]:
    """Return the records (N, 2) of the 2-D example after one record is replaced, and the row of the new record.

    The parameters choose the record and its shift. The new record has the same class.
    """
    X, _ = picture_data(params.shape, params.n_records)
    other = X.copy()
    shift = params.person_dx, params.person_dy
    other[params.row] = np.clip(X[params.row] + shift, 0, 1)
    return other, params.row


def run_outcomes(
    params: KahmParams,
    rounds: int,
    check: Callable[[], None] = lambda: None,
) -> Outcomes:
    """Return the complete results of the first noise draws for two neighbouring data sets.

    The data sets differ in one record, which is replaced. The noise on both is that of the first draws
    of `run_draws`.

    Parameters
    ----------
    params : KahmParams
        ε and all other settings, including the record that is replaced and its shift.
    rounds : int
        Number of smoothing rounds, ≥ 0; with 0 the published records are the noisy ones.
    check : callable
        May raise to cancel.
    """
    X, y = picture_data(params.shape, params.n_records)
    other, row = replaced(params)
    options = hull_options(params, params.n_components)
    seeds = [(params.seed, 1 + draw) for draw in range(N_OUTCOMES)]
    u, cuts = _chances(X, y, options, seeds)
    noise = element_noise(u, params.epsilon, delta=params.atom, kind=params.noise)
    worlds: list[list[_OfClass]] = []
    for world in (X, other):
        # A generator for each class: a class has the same blocks in both data sets, whatever the other draws.
        rngs = np.random.default_rng(params.seed).spawn(len(cuts))
        results: list[_OfClass] = []
        for c, rows, rng in zip(np.unique(y), cuts, rngs, strict=True):
            check()
            if worlds and c != y[row]:  # smoothing works class by class: nobody else moves
                results.append(worlds[0][len(results)])
                continue
            noisy = _smoothed(world + noise, rows, rounds, params)[:, y == c]
            results.append(_of_class(noisy, options, rng))
        worlds.append(results)
    points = np.empty((2, *noise.shape))
    for place, results in enumerate(worlds):
        for c, one in zip(np.unique(y), results, strict=True):
            points[place][:, y == c] = one.points
    return Outcomes(
        points=points,
        fields=np.array([np.min([one.fields for one in results], axis=0) for results in worlds]),
        nets=np.array([_padded([one.nets for one in results]) for results in worlds]),
    )  # fmt: skip


@dataclass(frozen=True)
class _OfClass:
    """Results of D noise draws for one class: n records (D, n, 2), distances (D, G, G), grid lines (D, L, 2).

    The distances are between the points of a G × G grid and the outputs of the class's kernel
    affine hull machine for them. The grid lines are straight lines mapped by this machine.
    """

    points: Array
    fields: Array
    nets: Array


def _smoothed(
    noisy: Array, rows_of: Sequence[NDArray[np.intp]], rounds: int, params: KahmParams
) -> Array:
    """Return noisy data sets (D, N, 2) with the records of one class smoothed block by block.

    ``rows_of``: for each block of the class, the rows (D, size) of its records. All other records
    are unchanged.
    """
    options, smoothed = hull_options(params, params.n_components), noisy.copy()
    draw = np.arange(len(noisy))[:, None]
    for rows in rows_of if rounds else ():
        now = noisy[draw, rows]
        step = round_batch(now, params.operator, options)
        for _ in range(rounds):
            now = step(now)
        smoothed[draw, rows] = now
    return smoothed


def _of_class(Y: Array, options: HullOptions, rng: np.random.Generator) -> _OfClass:
    """Return the results `_OfClass` for the records Y (D, n, 2) of one class in D noise draws."""
    side = np.linspace(*REACH, QUICK_GRID)
    grid = np.stack(np.meshgrid(side, side), -1).reshape(1, -1, 2)
    lines = net_places(Y, _LINES, _DOTS)
    places = np.concatenate([np.repeat(grid, len(Y), axis=0), lines], axis=1)
    fields, nets = [], []
    for rows in blocks(Y[0], options.block_size, options.split, rng):
        images = images_batch(deep_batch(Y[:, rows], options), places)
        n = grid.shape[1]
        fields.append(np.linalg.norm(places[:, :n] - images[:, :n], axis=2))
        nets.append(parted(images[:, n:], _DOTS))
    return _OfClass(
        Y,
        np.min(fields, axis=0).reshape(-1, QUICK_GRID, QUICK_GRID),
        np.concatenate(nets, axis=1),
    )


def _padded(nets: Sequence[Array]) -> Array:
    """Return the grid lines (..., L, 2) of k classes as one array (..., k, L, 2), padded with NaN.

    The classes may have different numbers of lines, since they may have different numbers of
    blocks.
    """
    most = max(net.shape[-2] for net in nets)
    widths = [[(0, 0)] * (net.ndim - 2) + [(0, most - net.shape[-2]), (0, 0)] for net in nets]
    padded = [
        np.pad(net, width, constant_values=np.nan) for net, width in zip(nets, widths, strict=True)
    ]
    return np.stack(padded, axis=-3)


def other_original(params: KahmParams) -> Array:
    """Return mapped grid lines (k, L, 2) of k classes for the original records after one record is replaced."""
    _, y = picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    return _machines(replaced(params)[0], y, options, params.seed, GRID)[1]


SIDE = 48  # places along a side of the map


@dataclass(frozen=True, kw_only=True)
class DecisionRegions:
    """Decision regions of classifiers trained on original, noisy and fabricated data, at F values ``nodes`` of ε.

    A classifier computes a distance from each point to each class, and predicts the nearest class. The
    lead of a class at a point is its distance minus the smallest distance of another class. So the
    class is predicted where its lead is negative.

    - ``leads_original`` (k, G, G): leads of k classes on a G × G grid for the classifier of
      original data, rows from the bottom up.
    - ``leads`` (F, 2, k, G, G): leads for the classifiers of noisy and of fabricated data.
    - ``points`` (F, 2, N, 2), ``labels`` (N,): noisy and fabricated training data.
    - ``accuracy_original``, ``accuracy`` (F, 2): accuracy on ``n_test`` further records without
      noise.
    """

    nodes: tuple[float, ...]
    leads_original: Array
    leads: Array
    points: Array
    labels: NDArray[np.int64]
    accuracy_original: float
    accuracy: Array
    n_test: int


def run_regions(params: KahmParams, nodes: tuple[float, ...] = NODES) -> DecisionRegions:
    """Return the decision regions at the given values of ε.

    The computation takes a second.
    """
    X, y = picture_data(params.shape, params.n_records)
    others = load(params.shape, n_samples=round(1.5 * params.n_records) + 6)
    test, truth = (others.X_test + 1) / 2, others.y_test
    options = hull_options(params, params.n_components)
    first, right = _seen(X, y, test, truth, options, params.seed)
    leads, points, shares = [], [], []
    for e in nodes:
        data = fabricated(X, y, e, params, (params.seed,), options)
        both = [_seen(Y, y, test, truth, options, params.seed) for Y in (data.noisy, data.X)]
        leads.append([lead for lead, _ in both])
        shares.append([share for _, share in both])
        points.append([data.noisy, data.X])
    return DecisionRegions(
        nodes=nodes, leads_original=first, leads=np.array(leads), points=np.array(points), labels=y,
        accuracy_original=right, accuracy=np.array(shares), n_test=len(truth),
    )  # fmt: skip


def _seen(
    Y: Array, y: NDArray[np.int64], test: Array, truth: NDArray[np.int64], options: HullOptions, seed: int
) -> tuple[Array, float]:  # fmt: skip
    classes = np.unique(y)
    every = fit_blocks([Y[y == c] for c in classes], options, np.random.default_rng(seed))
    side = np.linspace(*REACH, SIDE)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    reach = np.stack([wide_distance(m, np.concatenate([places, test])) for m in every])
    distances, point_distances = reach[:, : len(places)], reach[:, len(places) :]
    right = float((classes[point_distances.argmin(0)] == truth).mean())
    return _leads(distances).reshape(len(classes), SIDE, SIDE), right


def _leads(distances: Array) -> Array:
    """Return, for M points, the distance (k, M) of each of k classes minus the smallest distance of another class.

    At most one class has a negative value at a point.
    """
    order = np.sort(distances, axis=0)
    return np.asarray(distances - np.where(distances == order[0], order[1], order[0]))
