"""A `check` that stops work, for tests of what is cut short."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Stopped", "stop_after"]


class Stopped(Exception):
    """Nobody wants the result any more."""


def stop_after(calls: int = 0, told: list[float] | None = None) -> Callable[[], None]:
    """Return a check that raises at its call number ``calls`` + 1, or once so much has been ``told``."""
    seen: list[float] = []

    def check() -> None:
        if len(seen if told is None else told) >= calls:
            raise Stopped
        seen.append(0.0)

    return check
