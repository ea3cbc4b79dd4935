"""Interface of activities in a room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ui.classroom.models import Refused
from ui.words.text import beside

__all__ = ["Activity", "Counted", "Json", "no_answer"]

T = beside(__file__)

Json = dict[str, Any]


@dataclass(frozen=True)
class Counted:
    """Effect of an answer: the counts that it increases, and the reply to its phone."""

    names: Sequence[str]
    told: Mapping[str, Any]


class Activity(Protocol):
    """Activity in a room."""

    kind: ClassVar[str]
    least: ClassVar[int]
    """Of fewer answers the counts are never written to the store."""

    @property
    def spends(self) -> float:
        """The ε that one answer costs its sender."""

    def names(self) -> list[str]:
        """Return the names of all possible counts."""

    def brief(self) -> Json:
        """Return the data sent to all phones."""

    def mine(self, seed: bytes) -> Json:
        """Return the additional data for one phone."""

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the effect of an answer, or raise an error."""

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the public result so far."""


def no_answer(why: str) -> Refused:
    """Return the error to raise for a message that is not a valid answer."""
    return Refused(T("refused.answer", why=why), 422)
