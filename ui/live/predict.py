"""Predictions by readers before a panel is revealed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bets", "FaceOff", "Guess"]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Curve that readers predict before it is shown: arrays ``y`` over ``x``, with a question.

    With ``each``, a guess is one tick of the axis y at each x. With ``first``, the question comes
    before anything is shown; a button reveals the curve without a guess.
    """

    question: str
    x: str
    y: str
    each: bool = False
    first: bool = False

    def arrays(self) -> list[str]:
        """Return the needed arrays."""
        return [self.x, self.y]


@dataclass(frozen=True, kw_only=True)
class Bets:
    """Bets on which data set an answer came from: draws (n, 2) of both, and the best test's accuracy."""

    question: str
    inside: str
    outside: str
    best: str

    def arrays(self) -> list[str]:
        """Return the needed arrays."""
        return [self.inside, self.outside, self.best]


@dataclass(frozen=True, kw_only=True)
class FaceOff:
    """Rounds R of a game: which of n ``candidates`` (R, n, pixels) was ``published`` (R, pixels)?

    ``truth`` (R,) is its place among them. ``votes`` (R, n + 1) are those of an attacker: the last is for none of
    them, NaN says that nothing is known yet. The words may hold ``{you}``, ``{attacker}`` (how many each has
    right), ``{done}`` and ``{tried}`` (of how many).
    """

    question: str
    published: str
    candidates: str
    truth: str
    votes: str
    right: str
    wrong: str
    found: str
    missed: str
    waits: str
    score: str
    you: str
    attacker: str
    candidate: str
    on: str
    again: str

    def arrays(self) -> list[str]:
        """Return the needed arrays."""
        return [self.published, self.candidates, self.truth, self.votes]
