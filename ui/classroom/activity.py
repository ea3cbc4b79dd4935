"""Interface that every activity of a room implements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ui.classroom.models import Refused
from ui.words.text import load_text

__all__ = ["Activity", "Counted", "Json", "no_answer"]

T = load_text(__file__)

Json = dict[str, Any]


@dataclass(frozen=True)
class Counted:
    """Counts that a phone's answer increases by one, and the reply to the phone.

    ``names``: the names of these counts. ``reply``: the content of the reply.
    """

    names: Sequence[str]
    reply: Mapping[str, Any]


class Activity(Protocol):
    """Attributes and methods that every activity of a room, such as a poll, must have."""

    kind: ClassVar[str]
    least: ClassVar[int]
    """Smallest number of answers for which counts are written to the store."""

    @property
    def spends(self) -> float:
        """The ε that one answer costs the person who sends it."""

    def names(self) -> list[str]:
        """Return the names of all counts that answers can increase."""

    def brief(self) -> Json:
        """Return the data that all phones receive."""

    def mine(self, seed: bytes) -> Json:
        """Return the data that only one phone receives, drawn from its random bytes ``seed``."""

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the counts that an answer increases, and the reply to the phone.

        Raises `Refused` if the answer is not valid.
        """

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the result that is shown publicly, from the counts so far."""


def no_answer(why: str) -> Refused:
    """Return the error for a message that is not a valid answer.

    ``why`` is the reason.
    """
    return Refused(T("refused.answer", why=why), 422)
