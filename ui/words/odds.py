"""Sentence that states a guarantee as an attacker's belief (odds) that a record is in the data."""

from __future__ import annotations

import math
import re

from dpcore.guarantee import Guarantee, odds_bound
from ui.words import numbers as words
from ui.words.text import load_text
from ui.words.units import one_record

__all__ = [
    "after_odds",
    "belief_claimed",
    "belief_reached",
    "belief_shown",
    "beyond",
    "bound_shown",
    "odds_brief",
    "odds_limits",
    "odds_sentence",
    "odds_template",
    "with_odds",
]

T = load_text(__file__)
_SURE = re.compile(r"\{sure:(-?[\d.]+)\}")
_RARE = 1e-6
"""Probabilities below this value are worded as "fewer than 1 of 1,000,000 results"."""
_SEEN, _SHOWN = T("odds.seen"), T("odds.shown")
_SLACK = 100
"""If ε is below this multiple of δ, sentences state what δ and ε allow together.

ε alone would then bound few results."""


def odds_sentence(guarantee: Guarantee, prior: float = 0.5) -> str:
    """Return the sentence on an attacker's belief after a result.

    ``prior`` is the belief before the result.

    Percentages are rounded up, so that the sentence does not promise more than the proof. On δ: for any two
    neighbours the result can be simulated from a mechanism that, with probability δ, names the data set, and
    otherwise changes the odds by a factor of at most e^ε (Kairouz, Oh and Viswanath 2015); no attack can do
    better.
    """
    return with_odds(odds_template(guarantee), guarantee, prior)


def after_odds(log_odds: float) -> str:
    """Return the template field that `with_odds` fills with the belief after a result with these log odds.

    >>> after_odds(-0.0174)
    '{sure:-0.0174}'
    """
    number = words.show(log_odds, ".4f").replace("−", "-")  # read by a program, not by a person
    return f"{{sure:{number}}}"


def bound_shown(guarantee: Guarantee) -> float:
    """Return the ε that sentences on odds use: ε rounded as in the display, but never to less than ε.

    If an attack has refuted ε, return the lower bound on ε that the attack has proved.
    """
    if guarantee.refuted and guarantee.evidence:
        return guarantee.evidence.epsilon_lower
    return _rounded_up(guarantee)


def _rounded_up(guarantee: Guarantee) -> float:
    return max(guarantee.epsilon, float(format(guarantee.epsilon, ".3g")))


def belief_claimed(guarantee: Guarantee) -> str:
    """Return, as text, the largest belief after a result that ε allows, for a belief of 50 % before.

    It is computed from ε even if an attack has refuted ε.
    """
    return words.percent_at_most(odds_bound(_rounded_up(guarantee)))


def belief_shown(guarantee: Guarantee) -> float:
    """Return the largest belief after a result for a belief of 50 % before, in per cent, rounded up to a tenth."""
    return words.tenths_at_most(odds_bound(bound_shown(guarantee), 0.5))


def odds_template(guarantee: Guarantee, whose: str = "") -> str:
    """Return the template of `odds_sentence`.

    The fields ``{before}`` and ``{after}`` stand for the attacker's belief before and after a
    result. ``whose``: words for the record that the attacker asks about; "" for Ada, or for "one
    certain" record. If an attack has refuted ε, the sentence says what the attack has shown. It then assumes a belief
    of 50 % before the result, since the result may be evidence for either of the two data sets.
    """
    guess = _guess(guarantee, whose)
    if guarantee.refuted and guarantee.evidence:
        after = belief_reached(guarantee.evidence.epsilon_lower)
        sure = words.percent(guarantee.evidence.confidence)
        return T("odds.refuted", guess=guess, after=after, confidence=sure)
    nominal = guarantee.status == "nominal"
    if guarantee.epsilon < _SLACK * guarantee.delta:
        sentence = _together(guarantee, guess)
        return T("odds.nominal_together", sentence=sentence) if nominal else sentence
    if nominal and math.isfinite(guarantee.epsilon):
        return f"{T('odds.nominal', guess=guess)}{beyond(guarantee)}"
    return f"{T('odds.suppose', guess=guess, seen=_SEEN)}{beyond(guarantee)}"


def odds_brief(guarantee: Guarantee, whose: str = "", condition: str = "") -> str:
    """Return the short form of `odds_template`: the question that it answers, then one line for each limitation.

    The two beliefs are written beside the short form, as numbers of a pictogram. ``condition`` is a limitation that
    the page adds before the others; it is left out if an attack has refuted ε.

    >>> from dpcore.accounting import LaplaceEvent
    >>> from dpcore.guarantee import from_event
    >>> odds_brief(from_event(LaplaceEvent(1.0), 0.0, neighbouring="add_remove", argument="Laplace noise."))
    'Is Ada in the data?'
    """
    question = _guess(guarantee, whose, "odds.brief")
    given = () if guarantee.refuted else (condition,)
    return "\n".join(filter(None, (question, *given, *odds_limits(guarantee))))


def odds_limits(guarantee: Guarantee) -> list[str]:
    """Return the limitations of a sentence on odds: that nothing is proved, or that the bound can fail.

    If an attack has refuted ε, they are that ε is refuted, and the confidence of the attack's lower bound.
    """
    if guarantee.refuted and guarantee.evidence:
        sure = words.percent(guarantee.evidence.confidence)
        return [T("odds.brief.refuted"), T("odds.brief.shown", confidence=sure)]
    limits = []
    if guarantee.status == "nominal" and math.isfinite(guarantee.epsilon):
        limits.append(T("odds.brief.nominal"))
    if guarantee.delta > 0:
        limits.append(T("odds.brief.beyond", often=_often(guarantee.delta)))
    return limits


def with_odds(template: str, guarantee: Guarantee, prior: float) -> str:
    """Return the sentence for a guarantee and a prior belief, from a template with fields for beliefs.

    ``{before}`` is the prior belief, ``{after}`` the bound on the belief after a result.
    ``{sure:x}`` is the belief after a result with odds eˣ, rounded down. If the bound is
    practically certain, the text between ``{after}`` and ``{also}`` is left out.
    ``assets/live/frame/odds.js`` returns the same.
    """
    template = _SURE.sub(lambda match: belief_reached(float(match[1]), prior), template)
    even = math.isclose(prior, 0.5)
    before = T("belief.even") if even else T("belief.prior", prior=words.percent(prior))
    top = odds_bound(bound_shown(guarantee), prior)
    sentence, _, also = template.partition("{also}")
    start, after, more = sentence.replace("{before}", before).partition("{after}")
    if not after:
        return start + also
    if words.is_certain(top):
        return f"{start.replace(_SEEN, _SHOWN)}{T('belief.certain')}{also}"
    return f"{start}{T('belief.at_most', share=words.percent_at_most(top))}{more}{also}"


def _guess(guarantee: Guarantee, whose: str, table: str = "odds") -> str:
    """Return the text on what an attacker wants to know about a record, from the section ``table`` of the texts."""
    kind = "person" if one_record(guarantee.unit) == "person" else "unit"
    return T(f"{table}.{kind}_{guarantee.neighbouring}", whose=_whose(guarantee, whose))


def _whose(guarantee: Guarantee, whose: str) -> str:
    """Return words for the record that the attacker asks about, by default Ada or "one certain" record."""
    unit = one_record(guarantee.unit)
    return whose or (T("odds.ada") if unit == "person" else T("odds.certain", unit=unit))


def _together(guarantee: Guarantee, guess: str) -> str:
    """Return the attacker's advantage in words: the total variation distance that ε and δ allow."""
    advantage = 2 * guarantee.accuracy_bound() - 1
    most = words.tenths_at_most(advantage) if advantage >= 0.001 else 100 * advantage
    shown = words.short(most)
    return T("odds.together_1" if shown == "1" else "odds.together", guess=guess, points=shown)


def belief_reached(odds: float, prior: float = 0.5) -> str:
    """Return, as text, the belief after a result with the log odds ``odds``.

    The belief is not described as certain.
    """
    share = 1 / (1 + (1 - prior) / prior * math.exp(-odds))
    return words.percent(min(math.floor(share * 1000 + 1e-9), 999) / 1000)


def beyond(guarantee: Guarantee) -> str:
    """Return a sentence on δ, the probability of exceeding the limit of ε.

    δ is rounded up. The sentence is "" if δ is 0.
    """
    if guarantee.delta == 0:
        return ""
    return f" {T('beyond.risk', often=_often(guarantee.delta))}"


def _often(delta: float) -> str:
    """Return δ, rounded up, as a share of the results in words."""
    if delta < _RARE:
        return T("beyond.rare", n=1 / _RARE)
    return T("beyond.often", share=words.one_in(min(delta, 1.0)))
