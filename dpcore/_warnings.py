"""Warnings of this library that can be suppressed per thread.

`warnings.catch_warnings` changes the filters shared by all threads of a process: on exit a thread
restores its saved filters and overwrites those set by other threads meanwhile. `unwarned` affects
only its own thread.
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

    For callers with a reason, such as an audit that repeats fits, or a page that shows the warning
    as text. Only warnings issued through `warn` are suppressed, and not in threads started inside
    the block.

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
