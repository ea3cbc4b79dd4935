"""Type of a topic (way of asking) of the page Asking again: controls, arrays, panels, readouts and sentences."""

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
    """One way of asking, described by functions of the parameters and of the computed result.

    - ``shows``: names of the topic's controls besides the choice of topic.
    - ``draws``: key of the panel exported as an image.
    - ``tables``: keys of the panels exported as tables.
    - ``title``: the topic's name in a report.
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
    """Return the noise scale at each control value, divided by the largest scale, and that largest scale."""
    table = np.asarray(scales, float)
    far = float(table.max())
    return array(table / (far or 1.0), *dims), far


def grown(centre: ArrayLike, noise: ArrayLike, far: float) -> np.ndarray:
    """Return positions without noise and with noise of the largest scale ``far``, stacked as (2, ...).

    The browser interpolates between them by the scale.
    """
    still = np.broadcast_to(np.asarray(centre, float), np.shape(noise))
    return np.stack([still, still + far * np.asarray(noise, float)])


def strip(places: np.ndarray, height: float) -> np.ndarray:
    """Return answers (..., n) as points (..., n, 2), with y jittered around ``height``."""
    away = np.random.default_rng(7).uniform(-0.05, 0.05, places.shape[-1])
    return np.stack([places, np.broadcast_to(height + away, places.shape)], -1)


def edges(n: int, start: float) -> list[float]:
    """Return the edges of n bars, with space after each for the bar of a second set."""
    ends = np.arange(n)[:, None] + start + np.array([0.0, 0.36])
    return [*ends.ravel().tolist(), n - 1 + start + 0.5]


def beside(heights: ArrayLike) -> np.ndarray:
    """Return bar heights (..., n) with an empty bar after each, (..., 2n), so that two sets of bars can alternate."""
    values = np.asarray(heights, float)
    return np.stack([values, 0 * values], -1).reshape(*values.shape[:-1], -1)


EPS = np.array(EPSILON_GRID)
