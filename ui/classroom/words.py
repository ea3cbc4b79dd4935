"""What phones and the projector say of what an answer gives away: words of a guarantee, made on the server."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from dpcore.estimate import Rate
from dpcore.guarantee import Guarantee
from ui.figure_kit.estimates import rate_in_words
from ui.words.numbers import percent_at_most, short, show

__all__ = ["Known", "bets", "class_rate", "coin", "known", "price", "together"]


class Known(TypedDict):
    """What somebody knows who sees a sent word: of a hundred people so many ``marked``, and sentences."""

    marked: int
    heard: str
    told: str


def coin(own_answer: float) -> str:
    """Return how a phone answers, from the probability that its first coin leaves the answer to the person."""
    return (
        f"Your phone tosses a coin first. In {show(own_answer, '.0%')} of cases you answer. Otherwise the phone "
        "answers for you, with a second coin. Only that word leaves the phone."
    )


def price(guarantee: Guarantee, n_people: int, error: float) -> str:
    """Return the ε of one answer and what it costs: the standard ``error`` of a share of 30 % of so many people."""
    return (
        f"ε\u00a0=\u00a0{short(guarantee.epsilon)} for one answer. The price: with {n_people} people, of whom 30 "
        f"in 100 mean yes, the share that comes out is off by about {show(100 * error, 'd')} points (one standard "
        "error)."
    )


@lru_cache(maxsize=64)
def known(guarantee: Guarantee, sent: bool) -> Known:
    """Return what a word that a phone has sent tells of its person, who meant yes or no with equal chances.

    The odds of both are moved by e^ε, the most that the guarantee of randomized response allows.
    """
    sure = guarantee.odds()
    word = "yes" if sent else "no"
    marked = round(100 * (sure if sent else 1 - sure))
    heard = f"Of 100 people who sent {word}, about {marked} mean yes, if half of all mean yes"
    told = (
        "Suppose somebody thinks beforehand that the chance is 50 % that you mean yes. After seeing your word they "
        f"can be at most {percent_at_most(sure)} sure that you mean {word}. {heard}; the word alone does not say "
        "whether you are one of them."
    )
    return {"marked": marked, "heard": heard, "told": told}


def together(guarantee: Guarantee) -> str:
    """Return what all answers of one person in a room cost."""
    return (
        "The questions of this room together cost whoever answered all of them ε\u00a0=\u00a0"
        f"{short(guarantee.epsilon)}."
    )


@lru_cache(maxsize=64)
def bets(guarantee: Guarantee) -> str:
    """Return how often an attacker can be right against one published count, over many counts."""
    bound = (
        f"Over many bets no attacker gets past {percent_at_most(guarantee.odds())}: e^ε/(1 + e^ε)."
    )
    best = guarantee.best_attack()
    if best is None:
        return bound
    return f"The best attacker on Laplace noise is right in {show(best, '.1%')} of cases. {bound}"


def class_rate(found: Rate) -> str:
    """Return how often a class was right, with its interval."""
    return f"The class was right in {rate_in_words(found)}; pure guessing gets 50."
