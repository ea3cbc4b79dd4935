"""Which class the classifier names where: built on original, noisy and fabricated data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import load
from dpcore.experiments.kahm.data import hull_options, made, picture_data
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.picture import NODES, REACH
from dpcore.kahm import HullOptions
from dpcore.kahm.wide import fit_blocks, wide_distance

__all__ = ["SIDE", "DecisionRegions", "run_regions"]

Array = NDArray[np.float64]
SIDE = 48  # places along a side of the map


@dataclass(frozen=True, kw_only=True)
class DecisionRegions:
    """Three classifiers: on the original, on noisy data and on fabricated data, at ``nodes`` (F,) of ε.

    ``leads_original`` (k, G, G), ``leads`` (F, 2, k, G, G): the distance to a class less that to the
    nearest other one, rows from the bottom; a class is named where it is below 0. ``points``
    (F, 2, N, 2), ``labels`` (N,): what the classifiers of noisy and of fabricated data saw.
    ``accuracy_original``, ``accuracy`` (F, 2): on ``n_test`` other records, as they are.
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
    """Return the decision regions at the nodes of ε; takes a second."""
    X, y = picture_data(params.shape, params.n_records)
    others = load(params.shape, n_samples=round(1.5 * params.n_records) + 6)
    test, truth = (others.X_test + 1) / 2, others.y_test
    options = hull_options(params, params.n_components)
    first, right = _seen(X, y, test, truth, options, params.seed)
    leads, points, shares = [], [], []
    for e in nodes:
        found = made(X, y, e, params, (params.seed,), options)
        both = [_seen(Y, y, test, truth, options, params.seed) for Y in (found.noisy, found.X)]
        leads.append([lead for lead, _ in both])
        shares.append([share for _, share in both])
        points.append([found.noisy, found.X])
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
    found, asked = reach[:, : len(places)], reach[:, len(places) :]
    right = float((classes[asked.argmin(0)] == truth).mean())
    return _leads(found).reshape(len(classes), SIDE, SIDE), right


def _leads(distances: Array) -> Array:
    """Distances (k, M) less the nearest other class's (k, M): at most one is below 0 at a place."""
    order = np.sort(distances, axis=0)
    return np.asarray(distances - np.where(distances == order[0], order[1], order[0]))
