"""Sentence that states a guarantee as an attacker's belief (odds) that a record is in the data."""

from __future__ import annotations

import math
import re

from dpcore.guarantee import Guarantee, odds_bound
from ui.words import numbers as words
from ui.words.text import beside
from ui.words.units import one_record

__all__ = [
    "after_odds",
    "belief_shown",
    "beyond",
    "bound_shown",
    "is_certain",
    "odds_sentence",
    "odds_template",
    "with_odds",
]

T = beside(__file__)
_SURE = re.compile(r"\{sure:(-?[\d.]+)\}")
_RARE = 1e-6
"""Below it nobody reads how rare."""
_SEEN, _SHOWN = T("odds.seen"), T("odds.shown")
_SLACK = 100
"""Below so many times δ, an ε bounds few of the results: then what δ and ε allow together is said."""


def odds_sentence(guarantee: Guarantee, prior: float = 0.5) -> str:
    """Return the sentence on what an attacker with the prior belief ``prior`` can believe after a result.

    Percentages are rounded up, so that the sentence does not promise more than the proof. On δ: for any two
    neighbours the result can be simulated from a mechanism that, with probability δ, names the data set, and
    otherwise changes the odds by a factor of at most e^ε (Kairouz, Oh and Viswanath 2015); no attack can do
    better.
    """
    return with_odds(odds_template(guarantee), guarantee, prior)


def after_odds(log_odds: float) -> str:
    """Return the template field that `with_odds` fills with the belief after a result with the given log odds.

    >>> after_odds(-0.0174)
    '{sure:-0.0174}'
    """
    number = words.show(log_odds, ".4f").replace("−", "-")  # read by a program, not by a person
    return f"{{sure:{number}}}"


def bound_shown(guarantee: Guarantee) -> float:
    """Return the ε that sentences on odds use: as displayed, but never smaller than the true one."""
    return max(guarantee.epsilon, float(format(guarantee.epsilon, ".3g")))


def belief_shown(guarantee: Guarantee) -> float:
    """Return the largest belief after a result in per cent, rounded up to a tenth, if it was 50 % before."""
    return math.ceil(1000 * odds_bound(bound_shown(guarantee), 0.5)) / 10


def odds_template(guarantee: Guarantee, whose: str = "") -> str:
    """Return the template of `odds_sentence`, with fields ``{before}`` and ``{after}`` for the two beliefs.

    ``whose``: the record that the attacker wonders about, in words; "" for Ada, or for "one certain" record.
    """
    guess = _guess(guarantee, whose)
    nominal = guarantee.status == "nominal"
    if guarantee.epsilon < _SLACK * guarantee.delta:
        sentence = _together(guarantee, guess)
        return T("odds.nominal_together", sentence=sentence) if nominal else sentence
    if nominal and math.isfinite(guarantee.epsilon):
        return f"{T('odds.nominal', guess=guess)}{beyond(guarantee)}"
    return f"{T('odds.suppose', guess=guess, seen=_SEEN)}{beyond(guarantee)}"


def with_odds(template: str, guarantee: Guarantee, prior: float) -> str:
    """Return the sentence for a guarantee and a prior belief; ``assets/live/frame/odds.js`` does the same.

    ``{sure:x}`` in the template is the belief after a result with odds eˣ, rounded down; the text
    after ``{also}`` is independent of the bound.
    """
    template = _SURE.sub(lambda match: _reaches(float(match[1]), prior), template)
    even = math.isclose(prior, 0.5)
    before = T("belief.even") if even else T("belief.prior", prior=words.percent(prior))
    top = odds_bound(bound_shown(guarantee), prior)
    sentence, _, also = template.partition("{also}")
    start, after, more = sentence.replace("{before}", before).partition("{after}")
    if not after:
        return start + also
    if is_certain(top):
        return f"{start.replace(_SEEN, _SHOWN)}{T('belief.certain')}{also}"
    return f"{start}{T('belief.at_most', share=words.percent_at_most(top))}{more}{also}"


def is_certain(share: float) -> bool:
    """Return whether a belief is called practically certain: its percentage would be rounded up to 100."""
    return share > 0.999


def _guess(guarantee: Guarantee, whose: str) -> str:
    """Return a clause that states what an attacker wants to know about a record."""
    unit = one_record(guarantee.unit)
    if unit == "person":
        return T(f"odds.person_{guarantee.neighbouring}", whose=whose or T("odds.ada"))
    return T(f"odds.unit_{guarantee.neighbouring}", whose=whose or T("odds.certain", unit=unit))


def _together(guarantee: Guarantee, guess: str) -> str:
    """Return the attacker's advantage in words: the total variation distance that ε and δ allow."""
    points = 100 * (2 * guarantee.accuracy_bound() - 1)
    most = words.percent_at_most(points / 100).removesuffix(" %").removesuffix("\u202f%")
    shown = most if points >= 0.1 else words.short(points)
    return T("odds.together_1" if shown == "1" else "odds.together", guess=guess, points=shown)


def _reaches(odds: float, prior: float) -> str:
    """Return, as text, the belief after a result with the log odds ``odds``; it is never described as certain."""
    share = 1 / (1 + (1 - prior) / prior * math.exp(-odds))
    return words.percent(min(math.floor(share * 1000 + 1e-9), 999) / 1000)


def beyond(guarantee: Guarantee) -> str:
    """Return a sentence on δ, the probability of exceeding the limit of ε, rounded up; "" if δ is 0."""
    delta = guarantee.delta
    if delta == 0:
        return ""
    often = (
        T("beyond.rare", n=1 / _RARE)
        if delta < _RARE
        else T("beyond.often", share=words.one_in(min(delta, 1.0)))
    )
    return f" {T('beyond.risk', often=often)}"
