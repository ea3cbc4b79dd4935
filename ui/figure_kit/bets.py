"""Bets in which users guess from which of two neighbouring data sets an answer or a picture was computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore.guarantee import Guarantee
from ui import live
from ui.figure_kit.outcomes import Someone, stranger
from ui.words import text

__all__ = ["bound_array", "on_draws", "on_outcomes"]

T = text.load_text(__file__)
_ON_DRAWS, _ON_OUTCOMES = 20, 10  # rounds


def on_draws(question: str, *, inside: str, outside: str, best: str) -> live.Bets:
    """Return bets on the data set from which published numbers were computed.

    - ``inside``, ``outside``: names of arrays (n, 2) of draws from the two neighbouring data sets.
    - ``best``: name of the array with the accuracy of the best test.
    """
    words = {**T.group("outcomes.bets"), **T.group("outcomes.draws")}
    return live.Bets(
        question=question, inside=inside, outside=outside, best=best, rounds=_ON_DRAWS, words=words
    )  # fmt: skip


def bound_array(
    guarantees: Sequence[Guarantee], *dims: str, shape: Sequence[int] = ()
) -> live.Array:
    """Return, for each guarantee, the largest accuracy that a test of one release can have.

    The array has the controls ``dims`` as dimensions, with the sizes ``shape``. The accuracy is NaN
    for a nominal guarantee.
    """
    most = [np.nan if one.status == "nominal" else one.accuracy_bound() for one in guarantees]
    return live.Array(np.array(most, np.float32).reshape(shape or -1), dims)


def on_outcomes(person: Someone, guarantee: Guarantee, *, hides: Sequence[str] = ()) -> live.Bets:
    """Return bets on the data set from which each outcome, a random draw shown by the figure, was released.

    Parameters
    ----------
    person : Someone
        The person whose record is in only one of the two neighbouring data sets.
    guarantee : Guarantee
        Guarantee of one release. The largest accuracy of bets that it allows is in the figure's array ``bet_bound``.
    hides : sequence of str
        Names of arrays that give the answer away, such as marks of the outcomes from one of the data sets.
    """
    proved = guarantee.status != "nominal"
    words = {
        **T.group("outcomes.bets"),
        "start": T("outcomes.tell.start"),
        "hint": T("outcomes.tell.hint", whose=person.whose),
        "round": T("outcomes.tell.round"),
        "next": T("outcomes.tell.next"),
        "score": T("outcomes.tell.score") if proved else T("outcomes.tell.score_unproved"),
        "last": T("outcomes.tell.last", unit=person.unit) if proved else T("outcomes.tell.last_unproved"),
    }  # fmt: skip
    question = (
        T("outcomes.tell.replaced", whose=person.whose, other=stranger(person.unit))
        if guarantee.neighbouring == "replace_one"
        else T("outcomes.tell.question", whose=person.whose)
    )
    return live.Bets(
        question=question, best="bet_bound", rounds=_ON_OUTCOMES, hides=tuple(hides), words=words
    )  # fmt: skip
