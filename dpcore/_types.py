"""Names for the types of arrays, short enough for a `cast`: numpy's own types call much Any."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["AnyArray", "Bools", "Floats", "Floats32", "Integers"]

AnyArray = NDArray[Any]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
