"""The parameters that several experiments have: one grid, one symbol.

Each function declares a field like `control` does; ``domain`` overrides what differs in an experiment.
"""

from __future__ import annotations

from typing import Any

from dpcore.experiments import grids
from dpcore.experiments.params import control

__all__ = ["delta", "epsilon", "person", "sample_rate", "seed"]


def epsilon(default: float = 1.0, **domain: Any) -> Any:
    """Declare ε on the grid that all pages share."""
    return control(default, **{"grid": grids.EPSILON_GRID, "symbol": "ε"} | domain)


def delta(**domain: Any) -> Any:
    """Declare δ, 1e-5 when nothing is said, on the grid that all pages share."""
    return control(1e-5, **{"grid": grids.DELTA_GRID, "symbol": "δ"} | domain)


def sample_rate(default: float, **domain: Any) -> Any:
    """Declare q, the chance that a record takes part; the grid is the page's."""
    return control(default, **{"symbol": "q"} | domain)


def person(**domain: Any) -> Any:
    """Declare who differs between two worlds, by rank: 0 % the most unusual record."""
    return control(0, **{"grid": (0, 1, 2, 5, 10, 20, 50, 75, 100)} | domain)


def seed(default: int = 0, **domain: Any) -> Any:
    """Declare the noise seed; the same on all pages of a session."""
    return control(default, **{"low": 0, "high": 999_999} | domain)
