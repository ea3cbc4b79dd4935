"""Progress reports of background jobs, and snapshots of their state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ui.words.text import load_text

__all__ = ["Cancelled", "Report", "Snapshot"]

T = load_text(__file__)


class Cancelled(Exception):
    """Exception raised inside a job that was cancelled; the job's partial result is not final."""


@dataclass(frozen=True)
class Report:
    """Progress report of a job: latest partial result, fraction done, text.

    A result of None means that it is unchanged.
    """

    value: Any
    fraction: float
    text: str = ""


@dataclass(frozen=True)
class Snapshot:
    """State of a background job at one time.

    ``seconds_left`` is None until it can be estimated. ``version`` is the number of results so far.
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
        """Whether the result is final.

        The partial result of a cancelled or failed job is not final.
        """
        return self.done and self.version > 0 and not (self.cancelled or self.error)

    def words(self, doing: str) -> str:
        """Return a sentence on progress and remaining time, beginning with ``doing``.

        The sentence is "" when the job is done.
        """
        if self.done:
            return ""
        now = T("job.step", doing=doing, step=self.text) if self.text else doing
        if self.seconds_left is None:
            return now
        return T("job.left", now=now, seconds=max(1, round(self.seconds_left)))
