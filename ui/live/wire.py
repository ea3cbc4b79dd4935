"""Arrays as bytes on the wire: whole numbers of few bits in planes, differences where they are smaller.

A body begins with a head of twelve bytes: its kind (0, 1, 2: the bits of float32, int32, uint8; 3: a linear
scale, 4: a logarithmic one), bytes per whole number, columns (two bytes), the distance of a value from the one
that it is told as a difference to (four bytes, 0: from none), how many values (four bytes). Then, for each
column of a scale, the value of 0 and the step between neighbours as doubles; the last whole number there is
stands for NaN. Then the planes: the highest byte of every whole number, the next ones, the lowest. Differences
are modulo and "zigzag" (0, -1, 1, -2, ... as 0, 1, 2, 3, ...).

`assets/live/decode.js` is the other half.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXACT", "Tolerance", "encode", "rounded"]

_HEAD = struct.Struct("<BBHII")
_COLUMN = struct.Struct("<dd")
_LEVELS = 65_534  # of 16 bits
_KINDS = {"float32": 0, "int32": 1, "uint8": 2}
_SCALED = {"linear": 3, "log": 4}
Scale = Literal["exact", "linear", "log"]
Whole = NDArray[Any]


@dataclass(frozen=True)
class Tolerance:
    """How far the browser's numbers may lie from Python's.

    ``errors``: for each column of the last dimension, or one for all; of the decimal logarithm where the
    scale is "log". 0 asks for as little as 16 bits over the column's own range can do.
    """

    scale: Scale = "exact"
    errors: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        """What tells bodies of the same array apart."""
        return "" if self.scale == "exact" else f"{self.scale}{self.errors!r}"


EXACT = Tolerance()


def encode(values: NDArray[Any], tolerance: Tolerance = EXACT, named: int = 0) -> bytes:
    """Return the body of an array; its first ``named`` dimensions are those of controls.

    What cannot be kept within the tolerance by 16 bits travels exactly.
    """
    found = _quantised(values, tolerance)
    whole, columns = (_bits(values), []) if found is None else found
    kind = _KINDS[values.dtype.name] if found is None else _SCALED[tolerance.scale]
    flat, width = whole.ravel(), whole.dtype.itemsize
    bodies = []
    for stride in _strides(values.shape, named):
        head = _HEAD.pack(kind, width, len(columns), stride, flat.size)
        planes = _planes(_differences(flat, stride))
        bodies.append(head + b"".join(_COLUMN.pack(*column) for column in columns) + planes)
    return (
        min(bodies, key=lambda body: len(zlib.compress(body, 1))) if len(bodies) > 1 else bodies[0]
    )


def rounded(values: NDArray[Any], tolerance: Tolerance) -> NDArray[Any]:
    """Return what the browser has of an array."""
    found = _quantised(values, tolerance)
    if found is None:
        return values
    whole, columns = found
    low, step = np.array(columns).T
    made: NDArray[Any] = whole.reshape(-1, len(columns)) * step + low
    made = 10.0**made if tolerance.scale == "log" else made
    made[whole.reshape(made.shape) == np.iinfo(whole.dtype).max] = np.nan
    back: NDArray[Any] = made.astype(np.float32).reshape(values.shape)
    return back


def _quantised(
    values: NDArray[Any], tolerance: Tolerance
) -> tuple[Whole, list[tuple[float, float]]] | None:
    """Return whole numbers and (value of 0, step) of each column, or None where 16 bits do not do."""
    if tolerance.scale == "exact" or values.dtype != np.float32 or values.size < 2:
        return None
    errors = tolerance.errors
    width = values.shape[-1] if len(errors) > 1 else 1
    table = values.reshape(-1, width).astype(float)
    if tolerance.scale == "log":
        if (table <= 0).any():
            return None
        table = np.log10(table)
    if np.isinf(table).any():
        return None
    columns, most = [], 0
    for column, error in zip(table.T, (*errors, *[0.0] * width), strict=False):
        known = column[np.isfinite(column)]
        low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
        levels = int(np.ceil((high - low) / (2 * error))) if error and high > low else 0
        levels = _LEVELS if not error and high > low else levels
        if levels > _LEVELS:
            return None
        columns.append((float(low), float((high - low) / levels) if levels else 0.0))
        most = max(most, levels)
    kind = np.uint8 if most < 255 else np.uint16
    low, step = np.array(columns).T
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = np.where(step > 0, np.rint((table - low) / np.where(step > 0, step, 1.0)), 0.0)
    whole = np.where(np.isnan(table), np.iinfo(kind).max, whole)
    return whole.astype(kind).reshape(values.shape), columns


def _bits(values: NDArray[Any]) -> Whole:
    """Return an array's own bits; fewer of them for small whole numbers."""
    if values.dtype == np.float32:
        return values.view(np.uint32)
    if values.size and values.min() >= 0:
        for kind in (np.uint8, np.uint16):
            if values.max() <= np.iinfo(kind).max:
                return values.astype(kind)
    return values.view(np.uint32)


def _strides(shape: Sequence[int], named: int) -> list[int]:
    """Return the distances worth trying: none, along each control, along a curve."""
    sizes = [int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    controls = [size for axis, size in enumerate(sizes[:named]) if shape[axis] > 1]
    curve = sizes[-2:-1] if shape and shape[-1] <= 4 else sizes[-1:]
    return [0, *dict.fromkeys([*controls[:3], *curve])]


def _differences(flat: Whole, stride: int) -> Whole:
    if not stride or stride >= flat.size:
        return flat
    made = flat.copy()
    made[stride:] -= flat[:-stride]
    signed = made.view(np.dtype(f"i{flat.dtype.itemsize}"))
    top = 8 * flat.dtype.itemsize - 1
    made[:] = ((signed << 1) ^ (signed >> top)).view(flat.dtype)
    made[:stride] = flat[:stride]
    return made


def _planes(whole: Whole) -> bytes:
    table = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, whole.dtype.itemsize)
    return table.T[::-1].tobytes()
