"""The sentences on phones and projector about the guarantee of an answer."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from dpcore.estimate import Rate
from dpcore.guarantee import Guarantee
from ui.figure_kit.estimates import rate_in_words
from ui.words import text
from ui.words.numbers import percent_at_most

__all__ = ["Known", "bets", "class_rate", "coin", "known", "price", "together"]


T = text.beside(__file__)


class Known(TypedDict):
    """What somebody knows who sees a sent word: of a hundred people so many ``marked``, and sentences."""

    marked: int
    heard: str
    told: str


def coin(own_answer: float) -> str:
    """Return how a phone answers, from the probability that its first coin leaves the answer to the person."""
    return T("coin.told", own_answer=own_answer)


def price(guarantee: Guarantee, n_people: int, error: float) -> str:
    """Return the ε of one answer and what it costs: the standard ``error`` of a share of 30 % of so many people."""
    return T("coin.price", epsilon=guarantee.epsilon, n_people=n_people, points=100 * error)


@lru_cache(maxsize=64)
def known(guarantee: Guarantee, sent: bool) -> Known:
    """Return what a word that a phone has sent tells of its person, who meant yes or no with equal chances.

    The odds of both are moved by e^ε, the most that the guarantee of randomized response allows.
    """
    sure = guarantee.odds()
    word = "yes" if sent else "no"
    marked = round(100 * (sure if sent else 1 - sure))
    heard = T(f"known.{word}.heard", marked=marked)
    told = T(f"known.{word}.told", sure=percent_at_most(sure), heard=heard)
    return {"marked": marked, "heard": heard, "told": told}


def together(guarantee: Guarantee) -> str:
    """Return what all answers of one person in a room cost."""
    return T("room.together", epsilon=guarantee.epsilon)


@lru_cache(maxsize=64)
def bets(guarantee: Guarantee) -> str:
    """Return how often an attacker can be right against one published count, over many counts."""
    bound = T("bets.bound", most=percent_at_most(guarantee.odds()))
    best = guarantee.best_attack()
    return bound if best is None else T("bets.best", best=best, bound=bound)


def class_rate(found: Rate) -> str:
    """Return how often a class was right, with its interval."""
    return T("bets.class", rate=rate_in_words(found))
