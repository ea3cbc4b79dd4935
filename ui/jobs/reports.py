"""Progress reports of background jobs, and snapshots of their state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ui.words.text import beside

__all__ = ["Cancelled", "Report", "Snapshot"]

T = beside(__file__)


class Cancelled(Exception):
    """Raised in work that was told to stop; its partial result is not a whole one."""


@dataclass(frozen=True)
class Report:
    """A progress report: the value so far (None: no better one than before), the fraction done, words."""

    value: Any
    fraction: float
    text: str = ""


@dataclass(frozen=True)
class Snapshot:
    """The state of a job; ``seconds_left`` is None until it can be estimated.

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
        """Whether the value is the job's last one, not the one it had when it was cancelled."""
        return self.done and self.version > 0 and not (self.cancelled or self.error)

    def words(self, doing: str) -> str:
        """Return a sentence on progress and the time left, as far as known; "" when done."""
        if self.done:
            return ""
        now = T("job.step", doing=doing, step=self.text) if self.text else doing
        if self.seconds_left is None:
            return now
        return T("job.left", now=now, seconds=max(1, round(self.seconds_left)))
