"""Atomic fits: an estimator has either the complete result of one fit or no result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["one_fit"]


@contextmanager
def one_fit(model: Any) -> Iterator[None]:
    """Reset an estimator when a fit starts, and again if the fit raises, so that it never mixes results of two fits.

    A warning that is turned into an error counts as well: after a failed `fit` the estimator is unfitted. A reset
    deletes the attributes that end in ``_`` and those that the class lists in ``_fitted_too``.
    """
    _forget(model)
    try:
        yield
    except BaseException:
        _forget(model)
        raise


def _forget(model: Any) -> None:
    others = (*getattr(model, "_fitted_too", ()), "_left_out")
    for name in list(vars(model)):
        if name in others or (name.endswith("_") and not name.startswith("_")):
            delattr(model, name)
