"""Games in which users predict something before a panel shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Bets", "FaceOff", "Guess"]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Curve that users predict before it is shown.

    ``x`` and ``y`` are the names of its arrays.

    If ``each``, users choose one tick of the y axis for each x. If ``first``, the question is shown before
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
    """Game of bets on which of two neighbouring data sets an answer came from.

    - ``rounds``: number of bets.
    - ``inside``, ``outside``: names of arrays (n, 2) of draws with the record, and without it. If they are "", the
      bets are on the outcomes that the figure steps through, and the arrays named in ``hides`` are hidden.
    - ``best``: name of the scalar array with the largest accuracy that any test can have.

    ``words`` has the texts start, hint, round, with, without, right, wrong, score, last, next, again and done. They
    may contain the fields ``{next}``, ``{rounds}``, ``{truth}``, ``{right}``, ``{done}``, ``{most}``, ``{expected}``
    and ``{luck}``. ``{luck}`` is the number of games, out of 100, in which tossed coins are right at least as often.
    """

    question: str
    best: str
    rounds: int
    words: Mapping[str, str]
    inside: str = ""
    outside: str = ""
    hides: Sequence[str] = ()

    def arrays(self) -> list[str]:
        """Return the names of the arrays that the game needs."""
        return [name for name in (self.inside, self.outside, self.best) if name]


@dataclass(frozen=True, kw_only=True)
class FaceOff:
    """Game of R rounds, in which users pick the candidate that was released as ``published`` (R, pixels).

    ``candidates`` (R, n, pixels) has n candidates for each round.

    ``truth`` (R,) is the index of the right candidate. ``votes`` (R, n + 1) are an attacker's choices; the last
    column stands for "none of them". NaN means that no attack has run yet.

    Fields of the texts:

    - ``{you}``: number of the user's right choices in ``{done}`` rounds.
    - ``{attacker}``: number of the attacker's right choices in ``{tried}`` rounds.
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
