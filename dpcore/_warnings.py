"""Warnings of this library that a caller can suppress safely in several threads.

`warnings.catch_warnings` puts aside the one set of filters that all threads of a process share: a thread
that leaves it restores what it found, and switches off what another one has set meanwhile. What
happens in `unwarned` is seen by its own thread alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["unwarned", "warn"]

_UNWANTED: ContextVar[tuple[type[Warning], ...]] = ContextVar("unwanted warnings", default=())


def warn(message: str, category: type[Warning], *, stacklevel: int) -> None:
    """Warn as `warnings.warn` does, at the caller's stack level, unless `unwarned` suppresses the category."""
    if not issubclass(category, _UNWANTED.get()):
        warnings.warn(message, category, stacklevel=stacklevel + 1)


@contextmanager
def unwarned(*categories: type[Warning]) -> Iterator[None]:
    """Suppress these categories of this library's warnings, in this thread, inside the ``with`` block.

    For whoever has a reason of their own: an audit that has to be repeated, a page that says the same
    in words. Only what goes through `warn` is left out; threads that are started inside warn.

    Examples
    --------
    >>> with unwarned(UserWarning):
    ...     warn("not heard", UserWarning, stacklevel=1)
    """
    before = _UNWANTED.set((*_UNWANTED.get(), *categories))
    try:
        yield
    finally:
        _UNWANTED.reset(before)
