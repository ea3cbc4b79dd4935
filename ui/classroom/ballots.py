"""Ballot boxes in memory until a question ends, so that no database journal links a phone to its answer."""

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
    """Answers to one question, held by one process.

    Phone names are stored with their answers, in memory only. If another process has taken over a
    phone's answer (because this process seemed dead), the answer is excluded from the sum.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(16))
    answers: dict[str, frozenset[str]] = field(default_factory=dict)

    def put(self, phone: str, names: Collection[str]) -> None:
        """Add a phone's answer, which increases each count of ``names`` by one."""
        self.answers[phone] = frozenset(names)

    def sums(self, phones: Container[str] | None = None) -> Counter[str]:
        """Return the sum of each count over these phones, or over all."""
        given = [
            names for phone, names in self.answers.items() if phones is None or phone in phones
        ]
        return Counter(name for names in given for name in names)
