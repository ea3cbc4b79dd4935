"""What the handles of digit and person draw while they move: every value at the present noise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from pages.autoencoder.figure_arrays import of_person
from ui.live import Array

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures

__all__ = ["preview_arrays"]

Arrays = dict[str, Array]


def preview_arrays(
    params: AutoencoderParams, pictures: Mapping[str, tuple[Pictures, ...]]
) -> tuple[Arrays, dict[str, dict[str, str]]]:
    """Return what a handle draws while it moves, and which arrays that stands in for."""
    arrays: Arrays = {}
    previews: dict[str, dict[str, str]] = {}
    for name, each in pictures.items():
        found = _stacked(name, params.but(**{name: params.controls()[name].default}), each)
        arrays |= {f"{key}_by_{name}": array for key, array in found.items()}
        previews[name] = {key: f"{key}_by_{name}" for key in found}
    return arrays, previews


@lru_cache(maxsize=16)
def _stacked(name: str, params: AutoencoderParams, each: tuple[Pictures, ...]) -> Arrays:
    """What differs between the values of a control, one after the other."""
    here = [_here(params, one) for one in each]
    made = {key: [one[key] for one in here] for key in here[0]}
    return {
        key: Array(
            np.stack([part.values for part in parts]), (name, *parts[0].dims), scale=parts[0].scale
        )
        for key, parts in made.items()
        if len({part.digest for part in parts}) > 1
    }


def _here(params: AutoencoderParams, answer: Pictures) -> Arrays:
    """The arrays that change with who is shown, where all other handles stand."""
    nodes = answer.problem.nodes
    places = {
        "u": float(autoencoder.place_of(params.epsilon, params.delta, nodes)),
        "epsilon": EPSILON_GRID.index(params.epsilon),
        "delta": DELTA_GRID.index(params.delta),
        "kind": KINDS.index(params.kind),
        "draws": autoencoder.DRAWS.index(params.draws),
    }
    return {key: _at(a, places) for key, a in of_person(params, answer).items()}


def _at(array: Array, places: Mapping[str, float]) -> Array:
    found: Any = array.values
    for dim in (dim for dim in array.dims if dim is not None):
        at = min(places[dim], len(found) - 1)
        low = int(at)
        part = at - low
        found = found[low] if part == 0 else (1 - part) * found[low] + part * found[low + 1]
    if array.scale:
        found = np.rint(found).astype(np.uint8)
    return Array(found, (None,) * np.ndim(found), scale=array.scale)
