"""Answers kept in memory until a question ends.

Single answers are not written to the database, so that its journal cannot link a phone to an
answer.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Container
from dataclasses import dataclass, field

__all__ = ["FEWEST", "BallotBox"]

FEWEST = 10
"""Smallest number of answers whose sum a process stores.

The sum of fewer answers is stored only after the question has ended, and only if there are no other
answers to it.
"""


@dataclass
class BallotBox:
    """Answers to one question, kept in memory by one server process.

    ``answers`` maps the name of a phone to the names of the counts that its answer increases. If this
    process seemed to have ended, a phone may have sent its answer again, to another process. The answer
    then counts in the other process only.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(16))
    answers: dict[str, frozenset[str]] = field(default_factory=dict)

    def put(self, phone: str, names: Collection[str]) -> None:
        """Store a phone's answer, which adds one to every count in ``names``."""
        self.answers[phone] = frozenset(names)

    def sums(self, phones: Container[str] | None = None) -> Counter[str]:
        """Return the sum of each count over the answers of ``phones``, or over all answers for None."""
        ballots = [
            names for phone, names in self.answers.items() if phones is None or phone in phones
        ]
        return Counter(name for names in ballots for name in names)
