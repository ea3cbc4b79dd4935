"""Specification of one topic (way of asking): controls, arrays, panels, readouts and sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams
from ui.figure_kit.common import array
from ui.live import Array, Panel, Readout, Text

__all__ = ["COORDS", "EPS", "Topic", "beside", "edges", "grown", "scale_table", "strip"]

COORDS = {"s": "scale_of"}
"""The noise grows in proportion to a scale, so that two nodes hold it at every ε."""


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One topic, as functions of the parameters and the result.

    ``shows``: its controls besides the choice of topic. ``draws``: the panel exported as an image.
    ``tables``: the panels exported as tables. ``title``: its name in a report.
    """

    title: str
    shows: tuple[str, ...]
    arrays: Callable[[QueriesParams, Any], dict[str, Array]]
    panels: Callable[[QueriesParams, Any], list[Panel]]
    readouts: Callable[[QueriesParams], Sequence[Readout]]
    meaning: Callable[[QueriesParams, Any], Text]
    odds: Callable[[QueriesParams, Any], list[Text]]
    draws: str
    tables: tuple[str, ...]
    coords: Mapping[str, str] = field(default_factory=dict)
    redraw: bool = True


def scale_table(scales: ArrayLike, *dims: str) -> tuple[Array, float]:
    """Return a coordinate in [0, 1] for the noise scales at each control value, and the largest scale."""
    table = np.asarray(scales, float)
    far = float(table.max())
    return array(table / (far or 1.0), *dims), far


def grown(centre: ArrayLike, noise: ArrayLike, far: float) -> np.ndarray:
    """Return positions at scale 0 and at the largest scale, (2, ...), to be interpolated by the coordinate."""
    still = np.broadcast_to(np.asarray(centre, float), np.shape(noise))
    return np.stack([still, still + far * np.asarray(noise, float)])


def strip(places: np.ndarray, height: float) -> np.ndarray:
    """Return answers (..., n) as points (..., n, 2), jittered around a height."""
    away = np.random.default_rng(7).uniform(-0.05, 0.05, places.shape[-1])
    return np.stack([places, np.broadcast_to(height + away, places.shape)], -1)


def edges(n: int, start: float) -> list[float]:
    """Return the edges of n bars that leave space for a second bar beside each."""
    ends = np.arange(n)[:, None] + start + np.array([0.0, 0.36])
    return [*ends.ravel().tolist(), n - 1 + start + 0.5]


def beside(heights: ArrayLike) -> np.ndarray:
    """Return heights (..., n) with an empty bar after each, (..., 2n)."""
    found = np.asarray(heights, float)
    return np.stack([found, 0 * found], -1).reshape(*found.shape[:-1], -1)


EPS = np.array(EPSILON_GRID)
