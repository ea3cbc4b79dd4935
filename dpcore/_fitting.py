"""Atomic fits: an estimator holds the whole result of one fit or none of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["one_fit"]


@contextmanager
def one_fit(model: Any) -> Iterator[None]:
    """Reset the estimator when a fit starts and again if it raises, so no state of two fits is mixed.

    A warning that the caller turned into an error counts as well: an estimator whose `fit` has raised is
    as it was made. What a fit leaves ends in ``_``; a class names others in ``_fitted_too``.
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
