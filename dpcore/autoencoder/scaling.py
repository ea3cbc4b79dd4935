"""Scaling of pixels to [0, 1]."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Floats32

if TYPE_CHECKING:
    pass

__all__ = ["pixels"]


def pixels(X: ArrayLike, low: ArrayLike, *, high: ArrayLike) -> NDArray[np.float32]:
    """Return records as pixels in [0, 1], scaled by public bounds.

    A pixel is (x - low)/(high - low), clipped to [0, 1].

    Parameters
    ----------
    X : array (..., d)
        Records, in the same units as the bounds.
    low, high : array (d,) or float
        Public bounds, with low < high.

    Returns
    -------
    ndarray (..., d), float32
        Pixels in [0, 1].

    Raises
    ------
    ValueError
        When an entry of ``low`` is not below the same entry of ``high``.

    See Also
    --------
    Autoencoder

    Examples
    --------
    >>> pixels([[0, 4, 16]], 0, high=16).tolist()
    [[0.0, 0.25, 1.0]]
    """
    bottom, top = np.asarray(low, float), np.asarray(high, float)
    if not (bottom < top).all():
        raise ValueError(
            f"low={low!r}, high={high!r} are not allowed: give bounds with low < high."
        )
    return cast(
        Floats32, np.clip((np.asarray(X) - bottom) / (top - bottom), 0, 1).astype(np.float32)
    )
