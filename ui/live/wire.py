"""Encoding of arrays for the browser, as quantised integers in byte planes.

An encoded array has four parts, decoded by `assets/live/data/decode.js`:

- *Header* of twelve bytes: kind, bytes per integer, number of entries of the scale (two bytes),
  number of passes of differences (four bytes), number of values (four bytes).
- *Scale*, two doubles per entry: for each column, the value that the integer 0 stands for, and the
  step between neighbouring integers. The largest integer stands for NaN.
- *Passes of differences*, eight bytes for each: the distance in the flattened array between
  neighbours along a dimension, and the length of this dimension.
- *Byte planes*: the highest byte of every integer, then the next lower bytes, and the lowest ones
  at the end.

The kinds 0, 1 and 2 have no scale: the integers are the bits of float32, int32 and uint8. The kinds
3, 4 and 5 have a linear, a logarithmic and a widening scale. In a widening scale integers stand for
asinh((value - middle) / reach), and for each column a further entry has its middle and reach.

In a pass, each integer but the first along a dimension is replaced by its difference from the one
before it. Passes are made while they save bytes. Differences are modulo the integer's size;
after the last pass they are zigzag-encoded (0, -1, 1, -2, ... become 0, 1, 2, 3, ...).
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXACT", "Tolerance", "encode", "rounded"]

_HEAD = struct.Struct("<BBHII")
_COLUMN = struct.Struct("<dd")
_ALONG = struct.Struct("<II")
_LEVELS = 65_534  # of 16 bits
_KINDS = {"float32": 0, "int32": 1, "uint8": 2}
_LINEAR, _LOG, _WIDENING = 3, 4, 5
_MOST_TIMES, _WORTH = 4, 0.99  # differences of differences; what the next time has to save
Scale = Literal["exact", "linear", "log"]
Whole = NDArray[Any]


@dataclass(frozen=True)
class Tolerance:
    """Largest allowed difference between the numbers of an array in the browser and in Python.

    - ``errors``: absolute error for each column of the last dimension, or one for all columns. If the scale is "log",
      it is an error of the decimal logarithm. 0 stands for the resolution of 16-bit integers over the column's range.
    - ``middle`` and ``reach``: centre and half-width of a panel, for each column. If 16-bit integers are too coarse
      for the error, the error is kept inside the panel only. Outside, where a user looks only after zooming out, the
      error grows with the distance from the panel.
    """

    scale: Scale = "exact"
    errors: tuple[float, ...] = ()
    middle: tuple[float, ...] = ()
    reach: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        """Suffix of an array's identifier that distinguishes encodings with different tolerances."""
        if self.scale == "exact":
            return ""
        return f"{self.scale}{self.errors!r}{self.middle!r}{self.reach!r}"


EXACT = Tolerance()


def encode(values: NDArray[Any], tolerance: Tolerance = EXACT) -> bytes:
    """Return an array encoded as bytes.

    Values that cannot be quantised to 16 bits within the tolerance are sent exactly.
    """
    code = _quantised(values, tolerance)
    if code is None:
        code = _KINDS[values.dtype.name], _bits(values), []
    kind, whole, columns = code
    axes, left = _least(whole)
    along = [(int(np.prod(whole.shape[axis + 1 :])), whole.shape[axis]) for axis in axes]
    head = _HEAD.pack(kind, whole.dtype.itemsize, len(columns), len(along), whole.size)
    columns_told = b"".join(_COLUMN.pack(*column) for column in columns)
    return head + columns_told + b"".join(_ALONG.pack(*one) for one in along) + _planes(left)


def rounded(values: NDArray[Any], tolerance: Tolerance) -> NDArray[Any]:
    """Return the values of an array as the browser will decode them."""
    code = _quantised(values, tolerance)
    if code is None:
        return values
    kind, whole, columns = code
    count = len(columns) // 2 if kind == _WIDENING else len(columns)
    low, step = np.array(columns[:count]).T
    table = whole.reshape(-1, count)
    numbers: NDArray[Any] = table * step + low
    if kind == _WIDENING:
        middle, reach = np.array(columns[count:]).T
        numbers = middle + reach * np.sinh(numbers)
    numbers = 10.0**numbers if kind == _LOG else numbers
    numbers[table == np.iinfo(whole.dtype).max] = np.nan
    back: NDArray[Any] = numbers.astype(np.float32).reshape(values.shape)
    return back


def _quantised(
    values: NDArray[Any], tolerance: Tolerance
) -> tuple[int, Whole, list[tuple[float, float]]] | None:
    """Return the kind, the integers and the scale of a quantised array.

    Return None if 16-bit integers are too coarse for the tolerance.
    """
    if tolerance.scale == "exact" or values.dtype != np.float32 or values.size < 2:
        return None
    errors = np.array(tolerance.errors)
    width = values.shape[-1] if len(errors) > 1 else 1
    errors = np.concatenate([errors, np.zeros(width)])[:width]
    table = values.reshape(-1, width).astype(float)
    if np.isinf(table).any() or (tolerance.scale == "log" and (table <= 0).any()):
        return None
    kind = _LOG if tolerance.scale == "log" else _LINEAR
    integers = _whole(np.log10(table) if kind == _LOG else table, errors)
    more: list[tuple[float, float]] = []
    if integers is None and len(tolerance.middle) == width and errors.all():
        kind, reach, middle = _WIDENING, np.array(tolerance.reach), np.array(tolerance.middle)
        more = list(zip(middle.tolist(), reach.tolist(), strict=True))
        integers = _whole(np.arcsinh((table - middle) / reach), errors / (reach * np.sqrt(2)))
    return (
        None if integers is None else (kind, integers[0].reshape(values.shape), integers[1] + more)
    )


def _whole(
    table: NDArray[Any], errors: NDArray[Any]
) -> tuple[Whole, list[tuple[float, float]]] | None:
    """Return a table's values as integers, with offset and step of each column.

    Return None if 16-bit integers are too coarse for the errors.
    """
    columns, most = [], 0
    for column, error in zip(table.T, errors, strict=True):
        known = column[np.isfinite(column)]
        low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
        levels = int(np.ceil((high - low) / (2 * error))) if error else _LEVELS
        if levels > _LEVELS:
            return None
        levels = levels if high > low else 0
        columns.append((float(low), float((high - low) / levels) if levels else 0.0))
        most = max(most, levels)
    kind = np.uint8 if most < 255 else np.uint16
    low, step = np.array(columns).T
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = np.where(step > 0, np.rint((table - low) / np.where(step > 0, step, 1.0)), 0.0)
    return np.where(np.isnan(table), np.iinfo(kind).max, whole).astype(kind), columns


def _bits(values: NDArray[Any]) -> Whole:
    """Return the bits of an array as unsigned integers.

    Small integers are shortened to fewer bytes.
    """
    if values.dtype == np.float32:
        return values.view(np.uint32)
    if values.size and values.min() >= 0:
        for kind in (np.uint8, np.uint16):
            if values.max() <= np.iinfo(kind).max:
                return values.astype(kind)
    return values.view(np.uint32)


def _least(whole: Whole) -> tuple[list[int], Whole]:
    """Choose axes for successive differences; return these axes and the resulting integers.

    Differences are taken while the estimated size decreases. Values that are smooth along a slider may gain from a
    second pass.
    """
    axes: list[int] = []
    best, size = whole, _bytes(whole)
    while len(axes) < _MOST_TIMES:
        tried = [
            (axis, _differences(best, axis)) for axis in range(whole.ndim) if whole.shape[axis] > 1
        ]
        header_size = (len(axes) + 1) * _ALONG.size
        sizes = [header_size + _bytes(_zigzag(one)) for _, one in tried]
        if not sizes or min(sizes) > _WORTH * size:
            break
        size = min(sizes)
        axis, best = tried[sizes.index(size)]
        axes.append(axis)
    left = _zigzag(best) if axes else whole
    if axes and _packed(left) >= _packed(whole):  # repeats
        return [], whole
    return axes, left


def _bytes(whole: Whole) -> float:
    """Estimate the compressed size of an encoded array from the entropy of its bytes."""
    planes = np.frombuffer(_planes(whole), np.uint8).reshape(whole.dtype.itemsize, -1)
    counts = np.concatenate([np.bincount(plane, minlength=256) for plane in planes])
    there = counts[counts > 0]
    return float(-(there * np.log2(there / whole.size)).sum() / 8)


def _packed(whole: Whole) -> int:
    return len(zlib.compress(_planes(whole), 1))


def _differences(whole: Whole, axis: int) -> Whole:
    differences = whole.copy()
    moved = np.moveaxis(differences, axis, 0)
    moved[1:] -= np.moveaxis(whole, axis, 0)[:-1]
    return differences


def _zigzag(differences: Whole) -> Whole:
    signed = differences.view(np.dtype(f"i{differences.dtype.itemsize}"))
    top = 8 * differences.dtype.itemsize - 1
    codes: Whole = ((signed << 1) ^ (signed >> top)).view(differences.dtype)
    return codes


def _planes(whole: Whole) -> bytes:
    table = np.ascontiguousarray(whole).reshape(-1, 1).view(np.uint8)
    return table.T[::-1].tobytes()
