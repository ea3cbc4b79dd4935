"""Warnings of this library that can be suppressed for a single thread.

`warnings.catch_warnings` changes filters that all threads of a process share. When one thread leaves the block, it
overwrites the filters that other threads have set meanwhile. `unwarned` affects only the thread that calls it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["unwarned", "warn"]

_UNWANTED: ContextVar[tuple[type[Warning], ...]] = ContextVar("unwanted warnings", default=())


def warn(message: str, category: type[Warning], *, stacklevel: int) -> None:
    """Issue a warning as `warnings.warn` does, unless `unwarned` suppresses its category in this thread."""
    if not issubclass(category, _UNWANTED.get()):
        warnings.warn(message, category, stacklevel=stacklevel + 1)


@contextmanager
def unwarned(*categories: type[Warning]) -> Iterator[None]:
    """Suppress this library's warnings of the given categories, in this thread, inside the ``with`` block.

    The context manager is for callers that expect a warning, such as an audit that repeats fits. Only warnings issued
    by the function `warn` are suppressed. Threads started inside the block are not affected.

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
