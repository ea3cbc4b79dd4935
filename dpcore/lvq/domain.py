"""Bounds of the features, and scaling to the cube [-1, 1]^d that is used in training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Floats

__all__ = ["Box"]

_LARGEST = 1e100  # far below overflow, so that prototypes may leave the box
_NARROWEST = 1e-100  # large enough that its inverse is finite


@dataclass(frozen=True)
class Box:
    """Bounds of the features: lower bounds ``low`` (d,) and upper bounds ``high`` (d,)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @classmethod
    def declared(cls, bounds: tuple[ArrayLike, ArrayLike], n_features: int) -> Box:
        """Return the declared bounds of the features, or raise a ValueError.

        ``bounds`` are (low, high), each a number or (d,).
        """
        try:
            low, high = (np.broadcast_to(np.asarray(b, float), n_features) for b in bounds)
        except (TypeError, ValueError):
            raise ValueError(
                f"bounds={bounds!r} are not allowed: give (low, high), each one number or one for "
                f"each of the {n_features} features."
            ) from None
        if not ((np.abs([low, high]) <= _LARGEST).all() and (high - low >= _NARROWEST).all()):
            raise ValueError(
                "bounds are not allowed: give finite numbers, low below high by 1e-100 at least, "
                "none beyond 1e100."
            )
        return cls(low, high)

    @classmethod
    def of(cls, X: NDArray[np.float64]) -> Box:
        """Return the smallest and largest values of records X (n, d) as bounds.

        No ε covers this reading of the data.
        """
        if np.abs(X).max() > _LARGEST:
            raise ValueError(
                "X holds values beyond 1e100: give bounds, which such values are put on."
            )
        return cls(X.min(0), X.max(0))

    @property
    def middle(self) -> NDArray[np.float64]:
        """Middle (d,) of the bounds."""
        return (self.low + self.high) / 2

    @property
    def half(self) -> NDArray[np.float64]:
        """Half the distances (d,) between the bounds, or 1 for a distance of (almost) 0."""
        half = (self.high - self.low) / 2
        return np.where(half >= _NARROWEST / 2, half, 1.0)

    def scale(self, X: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return records X (n, d), clipped to the bounds and scaled to [-1, 1]^d, as float32."""
        inside = np.clip(X, self.low, self.high)
        return np.clip((inside - self.middle) / self.half, -1, 1).astype(np.float32)

    def unscale(self, W: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return points W (..., d) of the cube [-1, 1]^d in the units of the data."""
        return cast(Floats, self.middle + self.half * W.astype(float))
