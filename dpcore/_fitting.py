"""A fit is whole or it is not there: no model of one fit beside the guarantee of another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["one_fit"]


@contextmanager
def one_fit(model: Any) -> Iterator[None]:
    """Forget an earlier fit at the start of this one, and all of this one if it raises.

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
