"""What other seeds gave at the settings that the page opens with: one file, which ``make openings`` writes."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.network import NetworkParams

__all__ = ["FILE", "measured", "settings_of"]

FILE = Path(__file__).resolve().parents[2] / "assets" / "network" / "seeds.json"


def measured(params: NetworkParams) -> NDArray[np.float64] | None:
    """Return what the private network and its twin read in the end with other seeds, (S, 2).

    None where nothing of these settings was measured.
    """
    settings, found = _read()
    return found if settings_of(params) == settings else None


def settings_of(params: NetworkParams) -> dict[str, Any]:
    """Return all that the seeds had in common."""
    return {name: value for name, value in asdict(params).items() if name != "seed"}


@cache
def _read() -> tuple[dict[str, Any], NDArray[np.float64]]:
    told = json.loads(FILE.read_text("utf-8"))
    return told["params"], np.array(told["seeds"], float)[:, 1:]
