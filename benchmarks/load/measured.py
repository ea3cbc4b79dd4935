"""Measurements of one reader, and summaries over many readers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

__all__ = ["Figures", "quantiles"]


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Return number, median, 95th percentile and maximum of times in seconds."""
    if not seconds:
        return {"n": 0}
    middle, high = np.percentile(seconds, [50, 95])
    return {
        "n": len(seconds),
        "p50": round(float(middle), 3),
        "p95": round(float(high), 3),
        "max": round(max(seconds), 3),
    }


@dataclass
class Figures:
    """Measurements of one reader.

    Times are in seconds from the reader's start, or None for an event that did not happen.
    """

    first: float | None = None
    complete: float | None = None
    commits: list[float] = field(default_factory=list)
    drags: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    settled: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    unanswered: int = 0
    ticks: int = 0
    glances: int = 0
    resent: int = 0
    bytes: int = 0

    def add(self, ticks: int, glances: int, resent: int) -> None:
        """Add the numbers of polls and repeated events that one figure of the reader has sent."""
        self.ticks, self.glances = self.ticks + ticks, self.glances + glances
        self.resent += resent
