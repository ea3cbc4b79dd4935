"""Predictions by readers before a panel is revealed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bets", "Guess"]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Curve that readers predict: arrays ``y`` over ``x``, with a question.

    With ``each``, a guess is one tick of the axis y at each place of x. With ``first``, it is asked before anything
    is shown; a button shows it to those who do not want to guess.
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
