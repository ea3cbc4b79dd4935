"""A pinned result B of the autoencoder page, kept beside the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from ui.autoencoder import Answer
from ui.figures.autoencoder import as_bytes
from ui.figures.common import array
from ui.live import Array, Readout

__all__ = ["Pinned", "arrays", "pin", "readouts"]


@dataclass(frozen=True)
class Pinned:
    """The settings, their released pictures (m, d), and the number that says what they cost or gave."""

    name: str
    params: AutoencoderParams
    pictures: Any
    number: float


def pin(params: AutoencoderParams, answer: Answer) -> Pinned | None:
    """Return what is shown now; None while there is nothing to keep."""
    e = EPSILON_GRID.index(params.epsilon)
    if params.real:
        found = answer.synthetic
        if found is None:
            return None
        return Pinned(answer.problem.name, params, found.pictures[e, 0], float(found.accuracy[e]))
    nodes, k = answer.sweep.nodes, KINDS.index(params.kind)
    at = float(autoencoder.place_of(params.epsilon, params.delta, nodes))
    first = answer.sweep.draws[:, k, :1]
    low, part = int(at), at - int(at)
    picture = first[low] if part == 0 else (1 - part) * first[low] + part * first[low + 1]
    true = float(answer.pair.epsilon[e, DELTA_GRID.index(params.delta), k])
    return Pinned(answer.problem.name, params, picture, true)


def arrays(kept: Pinned | None, made: dict[str, Array]) -> dict[str, Array]:
    """Return the lab's arrays with B's pictures after those that stand still, and its numbers."""
    if kept is None:
        return made
    beside = "originals" if kept.params.real else "large_still"
    ours = as_bytes(np.asarray(kept.pictures)).values
    joined = {name: _after(array, ours) for name, array in made.items() if name.startswith(beside)}
    numbers = {"pinned_number": kept.number, "pinned_epsilon": kept.params.epsilon}
    return made | joined | {name: array(number) for name, number in numbers.items()}


def _after(first: Array, ours: Any) -> Array:
    more = np.broadcast_to(ours, (*first.values.shape[:-2], *ours.shape))
    return Array(np.concatenate([first.values, more], axis=-2), first.dims, scale=first.scale)


def readouts(kept: Pinned | None) -> list[Readout]:
    """Return B's number, with the settings it belongs to."""
    if kept is None:
        return []
    p = kept.params
    if p.real:
        return [Readout(label="B: taught by invented", value="pinned_number", format=".1%",
                        note=f"ε = {p.epsilon:g}")]  # fmt: skip
    return [
        Readout(label="B: true ε", value="pinned_number",
                note=f"ε = {p.epsilon:g}, {p.kind}, digit {p.digit}")
    ]  # fmt: skip
