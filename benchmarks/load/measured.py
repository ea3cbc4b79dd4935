"""What is written down about one reader."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Figures"]


@dataclass
class Figures:
    """What a reader went through, in seconds from its start; None: it never came."""

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
        """Count what a figure of this reader has asked."""
        self.ticks, self.glances = self.ticks + ticks, self.glances + glances
        self.resent += resent
