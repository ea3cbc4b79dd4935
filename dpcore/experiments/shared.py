"""The parameters that several experiments have: one grid, one symbol, one name.

Each function declares a field like `control` does; ``words`` override what differs on a page.
"""

from __future__ import annotations

from typing import Any

from dpcore.experiments import grids
from dpcore.experiments.params import control

__all__ = ["delta", "epsilon", "person", "sample_rate", "seed"]


def epsilon(default: float = 1.0, **words: Any) -> Any:
    """Declare ε on the grid that all pages share."""
    usual = {
        "grid": grids.EPSILON_GRID,
        "symbol": "ε",
        "label": "privacy parameter",
    }
    return control(default, **usual | words)


def delta(**words: Any) -> Any:
    """Declare δ, 1e-5 when nothing is said, on the grid that all pages share."""
    usual = {
        "grid": grids.DELTA_GRID,
        "symbol": "δ",
        "label": "slack",
    }
    return control(1e-5, **usual | words)


def sample_rate(default: float, **words: Any) -> Any:
    """Declare q, the chance that a record takes part; the grid is the page's."""
    usual = {"symbol": "q", "label": "sampling rate"}
    return control(default, **usual | words)


def person(**words: Any) -> Any:
    """Declare who differs between two worlds, by rank: 0 % the most unusual record."""
    usual = {
        "grid": (0, 1, 2, 5, 10, 20, 50, 75, 100),
        "label": "which person",
    }
    return control(0, **usual | words)


def seed(default: int = 0, **words: Any) -> Any:
    """Declare the noise seed; the same on all pages of a session."""
    usual = {
        "low": 0,
        "high": 999_999,
        "label": "noise seed",
    }
    return control(default, **usual | words)
