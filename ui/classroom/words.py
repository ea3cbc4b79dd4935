"""Texts on phones and projector about the privacy of an answer, derived from guarantees on the server."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from dpcore.estimate import Rate
from dpcore.guarantee import Guarantee
from ui.figure_kit.estimates import rate_in_words
from ui.words import text
from ui.words.numbers import percent_at_most

__all__ = ["Known", "bets", "class_rate", "coin", "known", "price", "together"]


T = text.load_text(__file__)


class Known(TypedDict):
    """Texts and a number on what a sent answer reveals about a person's true answer.

    - ``marked``: of a hundred people with this sent answer, the number with the true answer "yes".
    - ``told``: the text about this number.
    - ``heard``: the text alternative of the pictogram.
    """

    marked: int
    heard: str
    told: str


def coin(own_answer: float) -> str:
    """Return the sentence on how a phone randomises an answer by tossing coins.

    ``own_answer`` is the probability that the first toss lets the person answer.
    """
    return T("coin.told", own_answer=own_answer)


def price(guarantee: Guarantee, n_people: int, error: float) -> str:
    """Return the sentence on the price of privacy in a poll: the ε of one answer, and the standard error.

    ``error`` is the standard error of an estimated share if the true share is 30 %.
    """
    return T("coin.price", epsilon=guarantee.epsilon, n_people=n_people, points=100 * error)


@lru_cache(maxsize=64)
def known(guarantee: Guarantee, sent: bool) -> Known:
    """Return what an observer can conclude from the sent answer, at even prior odds.

    The odds change by the factor e^ε, the largest that randomized response allows.
    """
    sure = guarantee.odds()
    word = "yes" if sent else "no"
    marked = round(100 * (sure if sent else 1 - sure))
    heard = T(f"known.{word}.heard", marked=marked)
    sentence = T(f"known.{word}.told", sure=percent_at_most(sure), heard=heard)
    return {"marked": marked, "heard": heard, "told": sentence}


def together(guarantee: Guarantee) -> str:
    """Return the sentence on the joint privacy cost of a person's answers in a room."""
    return T("room.together", epsilon=guarantee.epsilon)


@lru_cache(maxsize=64)
def bets(guarantee: Guarantee) -> str:
    """Return the sentence on the best attacker's share of correct guesses, on average over many published counts."""
    bound = T("bets.bound", most=percent_at_most(guarantee.odds()))
    best = guarantee.best_attack()
    return bound if best is None else T("bets.best", best=best, bound=bound)


def class_rate(rate: Rate) -> str:
    """Return the sentence on the class's share of correct bets, with its confidence interval."""
    return T("bets.class", rate=rate_in_words(rate))
