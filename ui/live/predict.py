"""Games in which users predict something before a panel shows it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Bets", "FaceOff", "Guess"]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Curve that users predict before it is shown: names of the arrays ``x`` and ``y``, and a question.

    With ``each``, users choose one tick of the y axis for each x. With ``first``, the question is shown before
    anything else, and a button reveals the curve without a prediction.
    """

    question: str
    x: str
    y: str
    each: bool = False
    first: bool = False

    def arrays(self) -> list[str]:
        """Return the names of the arrays that the game needs."""
        return [self.x, self.y]


@dataclass(frozen=True, kw_only=True)
class Bets:
    """Bets on which of two data sets an answer came from.

    ``inside`` and ``outside`` name the draws (n, 2) from both data sets, and ``best`` the accuracy of the best
    test.
    """

    question: str
    inside: str
    outside: str
    best: str

    def arrays(self) -> list[str]:
        """Return the names of the arrays that the game needs."""
        return [self.inside, self.outside, self.best]


@dataclass(frozen=True, kw_only=True)
class FaceOff:
    """Game of R rounds: which of n ``candidates`` (R, n, pixels) was released as ``published`` (R, pixels)?

    ``truth`` (R,) is the index of the right candidate. ``votes`` (R, n + 1) are an attacker's choices; the last
    column stands for "none of them", and NaN says that no attack has run yet.

    The texts may contain ``{you}``, the number of the user's right choices in ``{done}`` rounds, and ``{attacker}``,
    that of the attacker's right choices in ``{tried}`` rounds.
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
        """Return the names of the arrays that the game needs."""
        return [self.published, self.candidates, self.truth, self.votes]
