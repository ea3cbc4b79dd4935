"""What a panel lets readers predict before they see it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bets", "Guess"]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A curve that readers may guess before they see it: the arrays ``y`` over ``x``, asked in words.

    With ``each``, a guess is one tick of the axis y at each place of x. With ``first``, it is asked before anything
    is shown; a button shows it to those who do not want to guess.
    """

    question: str
    x: str
    y: str
    each: bool = False
    first: bool = False

    def arrays(self) -> list[str]:
        """The arrays that it needs."""
        return [self.x, self.y]


@dataclass(frozen=True, kw_only=True)
class Bets:
    """Bets on which of two data sets an answer came from: draws (n, 2) of both, and the best test's share."""

    question: str
    inside: str
    outside: str
    best: str

    def arrays(self) -> list[str]:
        """The arrays that it needs."""
        return [self.inside, self.outside, self.best]
