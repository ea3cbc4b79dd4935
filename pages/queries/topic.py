"""Class for a topic (way of asking) of the page "Asking again", and functions that several topics use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams
from ui.figure_kit.common import array
from ui.live import Array, Panel, Readout, Text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["COORDS", "EPS", "Topic", "edges", "grown", "scale_table", "strip"]

COORDS = {"s": "scale_of"}
"""Coordinate of the dimension "s": the array with the noise scale at every ε.

Positions are linear in the scale. Two entries along this dimension are therefore enough.
"""


def _found(state: PageState[QueriesParams]) -> Any:
    return state["found"]


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One way of asking, such as one question many times or many numbers at once.

    ``arrays``, ``panels``, ``readouts``, ``meaning`` and ``odds`` are functions that return this part of the figure.
    Their arguments are the parameters and, except for ``readouts``, the computed result.

    - ``title``: the topic's name in a report.
    - ``shows``: names of the controls of this topic.
    - ``draws``: key of the panel exported as an image.
    - ``tables``: keys of the panels exported as tables.
    - ``coords``: names of the arrays with the position on array axes that have no control, by axis.
    - ``redraw``: whether the figure has a button for new noise.
    - ``gather``: function of the page's state that returns the topic's result.
    - ``stages``: names of the computations that must be finished before an export.
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
    gather: Callable[[PageState[QueriesParams]], Any] = _found
    stages: tuple[str, ...] = ()


def scale_table(scales: ArrayLike, *dims: str) -> tuple[Array, float]:
    """Return the noise scales at all values of the controls, divided by the largest scale, and the largest scale."""
    table = np.asarray(scales, float)
    far = float(table.max())
    return array(table / (far or 1.0), *dims), far


def grown(centre: ArrayLike, noise: ArrayLike, far: float) -> np.ndarray:
    """Return positions (2, ...): first without noise, then with noise of the largest scale ``far``.

    For smaller scales the browser interpolates linearly between the two.
    """
    still = np.broadcast_to(np.asarray(centre, float), np.shape(noise))
    return np.stack([still, still + far * np.asarray(noise, float)])


def strip(places: np.ndarray, height: float) -> np.ndarray:
    """Return answers (..., n) as points (..., n, 2) to draw.

    The y coordinate of each point is ``height`` plus a small random shift.
    """
    away = np.random.default_rng(7).uniform(-0.05, 0.05, places.shape[-1])
    return np.stack([places, np.broadcast_to(height + away, places.shape)], -1)


def edges(n: int, start: float) -> list[float]:
    """Return the edges of n bars from ``start`` on, with space between the bars for a second set of n bars."""
    ends = np.arange(n)[:, None] + start + np.array([0.0, 0.36])
    return [*ends.ravel().tolist(), n - 1 + start + 0.5]


EPS = np.array(EPSILON_GRID)
