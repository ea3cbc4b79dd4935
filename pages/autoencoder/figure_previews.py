"""What the handles of digit and person draw while they move: every value at the present noise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from pages.autoencoder.figure_arrays import of_person
from ui.figure_kit.preview import Previews, ahead, instead_of
from ui.live import Array

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures

__all__ = ["preview_arrays"]


def preview_arrays(
    params: AutoencoderParams, pictures: Mapping[str, tuple[Pictures, ...]]
) -> Previews:
    """Return what a handle draws while it moves, and which arrays that stands in for."""
    controls = params.controls()
    return instead_of({
        name: _over_values(name, params.but(**{name: controls[name].default}), each)
        for name, each in pictures.items()
    })  # fmt: skip


@lru_cache(maxsize=16)
def _over_values(
    name: str, params: AutoencoderParams, each: tuple[Pictures, ...]
) -> dict[str, Array]:
    """What differs between the values of a control, where all other handles stand."""
    nodes = each[0].problem.nodes
    places = {
        "u": float(autoencoder.place_of(params.epsilon, params.delta, nodes)),
        "epsilon": EPSILON_GRID.index(params.epsilon),
        "delta": DELTA_GRID.index(params.delta),
        "kind": KINDS.index(params.kind),
        "draws": autoencoder.DRAWS.index(params.draws),
    }
    return ahead(name, [of_person(params, one) for one in each], places)
