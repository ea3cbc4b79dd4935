"""Parameters that several experiments have in common, each with one grid and one symbol.

Each function declares a field as `control` does. Its keyword arguments ``domain`` replace the grid,
the symbol or the bounds.
"""

from __future__ import annotations

from typing import Any

from dpcore.experiments import grids
from dpcore.experiments.params import control

__all__ = ["delta", "epsilon", "person", "record", "sample_rate", "seed"]


def epsilon(default: float = 1.0, **domain: Any) -> Any:
    """Declare the field ε on the grid that all pages share."""
    return control(default, **{"grid": grids.EPSILON_GRID, "symbol": "ε"} | domain)


def delta(**domain: Any) -> Any:
    """Declare the field δ on the grid that all pages share, with the default 1e-5."""
    return control(1e-5, **{"grid": grids.DELTA_GRID, "symbol": "δ"} | domain)


def sample_rate(default: float, **domain: Any) -> Any:
    """Declare the field q, the probability that a record is in a step.

    Each page has its own grid.
    """
    return control(default, **{"symbol": "q"} | domain)


def person(**domain: Any) -> Any:
    """Declare the field that chooses the record in which neighbouring data sets differ.

    The record is chosen by its rank in percent; rank 0 is the most unusual record.
    """
    return control(0, **{"grid": (0, 1, 2, 5, 10, 20, 50, 75, 100)} | domain)


def record(**domain: Any) -> Any:
    """Declare the field with the number of the record in which neighbouring data sets differ.

    Numbers begin with 1. With 0 the record is chosen by its rank.
    """
    return control(0, **{"low": 0, "high": 999_999} | domain)


def seed(default: int = 0, **domain: Any) -> Any:
    """Declare the field with the seed of the noise, which all pages of a session share."""
    return control(default, **{"low": 0, "high": 999_999} | domain)
