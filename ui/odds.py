"""The odds sentence: what (ε, δ) means for somebody who wants to know whether a person is in the data."""

from __future__ import annotations

import math
import re

from dpcore.guarantee import odds_bound
from ui import numbers_in_words as words

__all__ = ["is_certain", "odds_sentence", "odds_template", "with_odds"]

_GUESS = {
    "add_remove": "{name} is in the data",
    "replace_one": "one record is {name}'s, and not that of a certain other person",
}
_SURE = re.compile(r"\{sure:(-?[\d.]+)\}")
_RARE = 1e-6
"""Below it nobody reads how rare."""
_CERTAIN = "practically certain."


def odds_sentence(
    epsilon: float,
    delta: float,
    *,
    tail: float | None = None,
    prior: float = 0.5,
    neighbouring: str = "add_remove",
    name: str = "Ada",
) -> str:
    """Return what (ε, δ) means for somebody who believes to the share ``prior`` that ``name`` is in.

    Percentages and ``tail``, the probability of a result that gives away more (`loss_tail`), are
    rounded up, so that the sentence never promises more than the proof. δ is not that probability.
    Without a tail the sentence says what δ does bound: for each two neighbours the result can be made,
    by chance alone, from one that names the data with probability δ and else moves the odds by e^ε at
    most (Kairouz, Oh and Viswanath 2015), so nobody can do more with it.
    """
    template = odds_template(delta, tail=tail, neighbouring=neighbouring, name=name)
    return with_odds(template, epsilon, prior)


def odds_template(
    delta: float,
    *,
    tail: float | None = None,
    neighbouring: str = "add_remove",
    name: str = "Ada",
) -> str:
    """Return the odds sentence with ``{before}`` and ``{after}`` in place of the two beliefs."""
    guess = _GUESS[neighbouring].format(name=name)
    return (
        f"Suppose somebody {{before}} that {guess}. After seeing this result they can be {{after}}"
        + _more(delta, tail)
    )


def with_odds(template: str, epsilon: float, prior: float) -> str:
    """Return the sentence for a bound and a prior; ``assets/live/odds.js`` says the same.

    ``{sure:x}`` in the template is the belief where the result is worth the odds eˣ, rounded down;
    what stands behind ``{also}`` is said whatever the bound.
    """
    template = _SURE.sub(lambda found: _reaches(float(found[1]), prior), template)
    before = (
        "thinks it is 50 to 50" if math.isclose(prior, 0.5) else f"is {words.percent(prior)} sure"
    )
    top = odds_bound(epsilon, prior)
    sentence, _, also = template.partition("{also}")
    start, after, more = sentence.replace("{before}", before).partition("{after}")
    if not after:
        return start + also
    if is_certain(top):
        return f"{start}{_CERTAIN}{also}"
    return f"{start}at most {words.percent_at_most(top)} sure.{more}{also}"


def is_certain(share: float) -> bool:
    """Whether a belief is said to be practically certain: rounded up, it would be “at most 100 %”."""
    return share > 0.999


def _reaches(odds: float, prior: float) -> str:
    """The belief after a result that is worth the odds e^odds: an attack is never said to be certain."""
    share = 1 / (1 + (1 - prior) / prior * math.exp(-odds))
    return words.percent(min(math.floor(share * 1000 + 1e-9), 999) / 1000)


def _all_told(delta: float) -> str:
    """So many results that δ stands for, rounded up."""
    if delta >= _RARE:
        return f"{words.one_in(min(delta, 1.0))} such results"
    return f"fewer than 1 of {words.show(1 / _RARE, 'd')} such results"


def _more(delta: float, tail: float | None) -> str:
    """How often the result gives away more than the odds say."""
    if delta == 0 or tail == 0:
        return ""
    if tail is None:
        return f" (At worst it is as if {_all_told(delta)} told everything, and all others kept to this limit.)"
    if tail >= 0.5:
        return " (But most results may give away more.)"
    if tail < _RARE:
        least = words.show(1 / _RARE, "d")
        return f" (In fewer than 1 of {least} releases the result may give away more.)"
    return f" (In about {words.one_in(tail)} releases the result may give away more.)"
