"""Short aliases of array types, used in annotations and in `cast`."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["AnyArray", "Bools", "BoundsLike", "Floats", "Floats32", "Integers", "RandomState"]

AnyArray = NDArray[Any]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]

RandomState = int | np.integer[Any] | np.random.Generator | np.random.RandomState | None
"""Seed or random generator, as in scikit-learn's ``random_state``; None takes fresh entropy from the system."""

BoundsLike = tuple[ArrayLike, ArrayLike] | Literal["estimate"] | None
"""Public bounds (low, high), or "estimate" or None to read the bounds from the data."""
