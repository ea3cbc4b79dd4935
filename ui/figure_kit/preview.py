"""Previews: arrays precomputed at each value of a slider, which a figure shows while the slider moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ui.live import Array

__all__ = ["Previews", "at_values", "instead_of", "stack_previews", "take_at"]

Arrays = Mapping[str, Array]
Part = NDArray[Any]
Previews = tuple[dict[str, Array], dict[str, dict[str, str]]]
"""Preview arrays by name, and replacements by control.

The replacements of a control map the name of a page's array to the name of its preview array."""


def instead_of(lines: Mapping[str, Arrays], unknown: Sequence[str] = ()) -> Previews:
    """Return preview arrays under new names, and a mapping of replacements for each control.

    A replacement maps the name of a page's array to the new name of its preview array. ``lines``
    has the preview arrays, first by control, then by the page's name. The arrays named in ``unknown``
    have no preview, and are hidden while a slider moves.
    """
    stand_ins: dict[str, Array] = {}
    previews: dict[str, dict[str, str]] = {}
    for name, arrays in lines.items():
        stand_ins |= {f"{key}_by_{name}": value for key, value in arrays.items()}
        previews[name] = dict.fromkeys(unknown, "") | {key: f"{key}_by_{name}" for key in arrays}
    return stand_ins, previews


def stack_previews(
    name: str, nodes: Sequence[Arrays], places: Mapping[str, float]
) -> dict[str, Array]:
    """Stack a page's arrays over the values of a control.

    Arrays that are equal at all values of the control are left out.

    Parameters
    ----------
    name : str
        Name of the control.
    nodes : sequence of mappings
        Arrays by name, one mapping for each value of the control. An array that some mappings lack is hidden
        while the slider moves.
    places : mapping
        Current (fractional) index of other controls, by the name of their dimension. Arrays are evaluated at
        this index. Dimensions that are not in the mapping are preserved.
    """
    stacks = {}
    for key in dict.fromkeys(key for node in nodes for key in node):
        parts = [take_at(node[key], places) if key in node else None for node in nodes]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or not _alike(known):
            dims = max((part.dims for part in known), key=len)
            stacks[key] = Array(_stacked(parts), (name, *dims), scale=known[0].scale)
    return stacks


def at_values(grid: Sequence[float], kinds: Sequence[Mapping[float, Arrays]]) -> list[Arrays]:
    """Return the arrays by name for each value of a grid.

    Each mapping in ``kinds`` holds arrays by grid value. If two of them contain the same name, the later one is used.
    """
    return [
        {key: part for kind in kinds for key, part in kind.get(value, {}).items()} for value in grid
    ]


def take_at(array: Array, places: Mapping[str, float]) -> Array:
    """Return an array at (fractional) indices of some dimensions, given by ``places``.

    Values are interpolated as in the browser.
    """
    values: Any = array.values
    dims: list[str | None] = []
    for dim in array.dims:
        if dim not in places or dim is None:
            dims.append(dim)
            continue
        axis = len(dims)
        at = min(max(places[dim], 0.0), values.shape[axis] - 1.0)
        low, part = int(at), at - int(at)
        here = values.take(low, axis)
        values = here if part == 0 else (1 - part) * here + part * values.take(low + 1, axis)
    if array.scale:
        values = np.rint(values).astype(np.uint8)
    return Array(values, dims, scale=array.scale)


def _alike(parts: Sequence[Array]) -> bool:
    return all(np.array_equal(part.values, parts[0].values) for part in parts)


def _stacked(parts: Sequence[Array | None]) -> Part:
    """Stack arrays of different sizes into one, padded with NaN (integers: with 0).

    A part that is None becomes padding.
    """
    known = [part.values for part in parts if part is not None]
    shape = np.max([part.shape for part in known], axis=0).astype(int)
    whole = np.issubdtype(known[0].dtype, np.integer)
    stack = np.full((len(parts), *shape), 0 if whole else np.nan, known[0].dtype)
    for row, part in enumerate(parts):
        if part is not None:
            stack[row, ...][tuple(slice(size) for size in part.values.shape)] = part.values
    return stack
