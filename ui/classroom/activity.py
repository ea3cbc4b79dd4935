"""What everything that runs in a room can do."""

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
    """How an answer is counted, and what its phone alone is told."""

    names: Sequence[str]
    told: Mapping[str, Any]


class Activity(Protocol):
    """Something that runs in a room."""

    kind: ClassVar[str]
    least: ClassVar[int]
    """Of fewer answers the counts are never written to the store."""

    @property
    def spends(self) -> float:
        """The ε that one answer costs the person who gives it."""

    def names(self) -> list[str]:
        """Return the names of all counts there can be."""

    def brief(self) -> Json:
        """Return what all phones are told."""

    def mine(self, seed: bytes) -> Json:
        """Return what one phone is told besides."""

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return what an answer counts as, or refuse it."""

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return what everybody may know now."""


def no_answer(why: str) -> Refused:
    """Return the refusal of what is no answer."""
    return Refused(T("refused.answer", why=why), 422)
