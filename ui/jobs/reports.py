"""What background work reports, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Cancelled", "Report", "Snapshot"]


class Cancelled(Exception):
    """Work was told to stop: what it has begun counts for nothing whole."""


@dataclass(frozen=True)
class Report:
    """A progress report: the value so far (None: no better one than before), the fraction done, words."""

    value: Any
    fraction: float
    text: str = ""


@dataclass(frozen=True)
class Snapshot:
    """What is known of a job now; ``seconds_left`` is None until it can be estimated.

    ``version`` counts the values so far, each better than the one before: 0 while there is none.
    """

    value: Any = None
    fraction: float = 0.0
    text: str = ""
    done: bool = False
    cancelled: bool = False
    error: str = ""
    seconds_left: float | None = None
    version: int = 0

    @property
    def whole(self) -> bool:
        """Whether the value is the job's last one, and not what was there when it was cut short."""
        return self.done and self.version > 0 and not (self.cancelled or self.error)

    def words(self, doing: str) -> str:
        """Return what is being done, how far it is and the time left, as far as known; "" when done."""
        if self.done:
            return ""
        left = self.seconds_left
        time_left = "" if left is None else f", about {max(1, round(left))} s left"
        return f"{doing}{': ' + self.text if self.text else ''}{time_left}"
