"""Parameters that several experiments share: one grid and one symbol each.

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
    """Declare δ on the grid that all pages share, with the default 1e-5."""
    return control(1e-5, **{"grid": grids.DELTA_GRID, "symbol": "δ"} | domain)


def sample_rate(default: float, **domain: Any) -> Any:
    """Declare the sampling rate q, the probability that a record takes part; each page has its own grid."""
    return control(default, **{"symbol": "q"} | domain)


def person(**domain: Any) -> Any:
    """Declare which record differs between the two worlds, by rank: 0 % is the most unusual record."""
    return control(0, **{"grid": (0, 1, 2, 5, 10, 20, 50, 75, 100)} | domain)


def seed(default: int = 0, **domain: Any) -> Any:
    """Declare the seed of the noise, the same on all pages of a session."""
    return control(default, **{"low": 0, "high": 999_999} | domain)
