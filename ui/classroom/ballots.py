"""Answers kept in memory until a question ends, so that no database journal links a phone to its answer."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Container
from dataclasses import dataclass, field

__all__ = ["FEWEST", "BallotBox"]

FEWEST = 10
"""Of fewer answers a process writes no sum, unless they are all that were given to a question that has ended."""


@dataclass
class BallotBox:
    """Answers to one question that one server process keeps in memory.

    Each answer is stored with its phone's name. If this process seemed to have died, another process may have asked
    a phone for its answer again; such an answer is then counted there, and not here.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(16))
    answers: dict[str, frozenset[str]] = field(default_factory=dict)

    def put(self, phone: str, names: Collection[str]) -> None:
        """Store a phone's answer, which increases each count of ``names`` by one."""
        self.answers[phone] = frozenset(names)

    def sums(self, phones: Container[str] | None = None) -> Counter[str]:
        """Return the sum of each count over the answers of ``phones``; None stands for all phones."""
        ballots = [
            names for phone, names in self.answers.items() if phones is None or phone in phones
        ]
        return Counter(name for names in ballots for name in names)
