"""What a handle draws while it moves, from the arrays that a page would have at each of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ui.live import Array

__all__ = ["ahead", "stacked"]

Part = NDArray[Any]


def ahead(
    name: str, grid: Sequence[float], kinds: Sequence[Mapping[float, Mapping[str, Array]]], at: int
) -> tuple[dict[str, Array], dict[str, str]]:
    """Return what a handle draws while it moves, and which arrays that stands in for.

    Parameters
    ----------
    name : str
        The control.
    grid : sequence of float
        Its values.
    kinds : sequence of mappings
        Arrays of the page by value and name, later ones replacing earlier ones; what is missing is
        not drawn meanwhile.
    at : int
        Place of the present ε.
    """
    nodes = [_merged([kind.get(value, {}) for kind in kinds]) for value in grid]
    made, instead = {}, {}
    for key in dict.fromkeys(key for node in nodes for key in node):
        found = [_at(node[key], at) if key in node else None for node in nodes]
        if _alike(found):
            continue  # what is drawn anyway
        instead[key] = f"{key}_by_{name}"
        made[instead[key]] = Array(stacked(found), (name, *[None] * _most(found)))
    return made, instead


def _alike(found: Sequence[Part | None]) -> bool:
    first = found[0]
    return first is not None and all(p is not None and np.array_equal(p, first) for p in found)


def _merged(parts: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    return {key: value for part in parts for key, value in part.items()}


def _at(found: Array, at: int) -> Part:
    return found.values[at] if found.dims[:1] == ("epsilon",) else found.values


def _most(found: Sequence[Part | None]) -> int:
    return max(part.ndim for part in found if part is not None)


def stacked(found: Sequence[Part | None]) -> Part:
    """Return parts of several sizes as one array; what a part lacks is NaN, or label 0."""
    known = [part for part in found if part is not None]
    shape = np.max([part.shape for part in known], axis=0).astype(int)
    whole = np.issubdtype(known[0].dtype, np.integer)
    made = np.full((len(found), *shape), 0 if whole else np.nan, known[0].dtype)
    for row, part in enumerate(found):
        if part is not None:
            made[row, ...][tuple(slice(size) for size in part.shape)] = part
    return made
