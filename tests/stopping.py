"""Cancellation of a computation: a ``check`` that raises after some calls, for tests of interrupted work."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Stopped", "stop_after"]


class Stopped(Exception):
    """Raised by a ``check`` to cancel the computation that calls it."""


def stop_after(calls: int = 0, told: list[float] | None = None) -> Callable[[], None]:
    """Return a ``check`` that raises `Stopped` at its call number ``calls`` + 1.

    With ``told``, a list that the computation appends to, the check raises once ``told`` has ``calls`` entries.
    """
    seen: list[float] = []

    def check() -> None:
        if len(seen if told is None else told) >= calls:
            raise Stopped
        seen.append(0.0)

    return check
