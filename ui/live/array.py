"""Numerical arrays of an interactive figure, with named dimensions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Kind"]

Kind = Literal["f4", "i4", "u1"]
_DTYPES: dict[str, Kind] = {"float32": "f4", "int32": "i4", "uint8": "u1"}


@dataclass(init=False, eq=False, repr=False)
class Array:
    """Array of a figure, with leading dimensions named after controls or coordinates.

    It is a dataclass, so that results made of such arrays can be stored on disk.

    Parameters
    ----------
    values : array
        float32, int32 or uint8; other kinds become float32.
    dims : sequence of str or None
        One entry for each dimension: the name of a control, whose value selects an integer index; the name of
        a coordinate, whose fractional index is interpolated; or None for a dimension of the drawn data. Named
        dimensions come first.
    scale : (low, high), optional
        Values that the bytes 0 and 255 of a uint8 array represent.
    """

    values: NDArray[np.float32 | np.int32 | np.uint8]
    dims: tuple[str | None, ...]
    scale: tuple[float, float] | None

    def __init__(
        self,
        values: ArrayLike,
        dims: Sequence[str | None],
        *,
        scale: tuple[float, float] | None = None,
    ) -> None:
        numbers = np.asarray(values)
        kind = numbers.dtype.name if numbers.dtype.name in _DTYPES else "float32"
        block = np.ascontiguousarray(numbers, kind)
        self.values = block.reshape(numbers.shape)
        self.dims = tuple(dims)
        self.scale = scale
        if len(self.dims) != self.values.ndim:
            raise ValueError(
                f"dims={self.dims} name {len(self.dims)} dimensions of {self.values.ndim}."
            )
        named = [dim for dim in self.dims if dim is not None]
        if tuple(named) != self.dims[: len(named)]:
            raise ValueError(f"dims={self.dims}: the named dimensions have to come first.")

    @cached_property
    def digest(self) -> str:
        """Digest of the array's content.

        Arrays with equal digests are sent only once.
        """
        head = f"{self.values.dtype}{self.values.shape}".encode()
        return hashlib.blake2b(head + self.values.tobytes(), digest_size=9).hexdigest()

    @property
    def kind(self) -> Kind:
        """Short name of the array's dtype: f4, i4 or u1."""
        return _DTYPES[self.values.dtype.name]
