"""The guarantee card of a page: what is guaranteed, for whom, and what is not guaranteed."""

from __future__ import annotations

import json
import math
from html import escape

import streamlit as st

from dpcore.accounting.closed_form import is_exact
from dpcore.experiments.params import Params
from dpcore.guarantee import Evidence, Guarantee, Protection
from ui.words import numbers as words
from ui.words import text
from ui.words.guarantees import LOOKING, PROOF, on_page
from ui.words.odds import belief_claimed, belief_reached, beyond, odds_sentence
from ui.words.units import one_record, records, whose_records

__all__ = ["badges", "card", "looking", "summary", "written_for"]

T = text.load_text(__file__)
_COLOURS: dict[Protection, str] = {
    "strong": "green", "moderate": "blue", "weak": "orange", "none": "red",
}  # fmt: skip
_WARNED_DELTA = 1e-3
_RARE = 1e-6
_FAR_BELOW = 0.01
"""Largest product n·δ at which δ counts as far below 1/n, for n records."""


def badges(guarantee: Guarantee) -> str:
    """Return Markdown for two coloured badges: kind of proof, strength of protection."""
    level = guarantee.protection
    protection = T("guarantee.protection", protection=level)
    return f":gray-badge[{PROOF[guarantee.status]}] :{_COLOURS[level]}-badge[{protection}]"


def summary(guarantee: Guarantee, *, draws: bool = True) -> None:
    """Draw the short guarantee of the first level of detail: badges, what is protected, and what is not."""
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        _large_delta(guarantee)
        left, right = st.columns(2)
        left.markdown("  \n".join([_protected(guarantee), *_of_a_person(guarantee)]))
        right.markdown(f"{T('guarantee.not_protected')}\n{_bullets(guarantee.not_protected)}")
        if draws:
            looking()


def looking() -> None:
    """Display, on a page with noise but without a guarantee card, a note that the noise is for demonstration only."""
    st.caption(LOOKING)


def card(guarantee: Guarantee, *, shown: str = "", draws: bool = True) -> None:
    """Draw the guarantee card of a page.

    ``shown``: sentence on the joint cost of everything that the page shows. ``draws``: whether the page draws noise.
    """
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        st.markdown(f"{odds_sentence(guarantee)}{_how_often(guarantee)}")
        _large_delta(guarantee)
        why = T("guarantee.why", argument=words.tidied(guarantee.argument))
        st.markdown("  \n".join([_protected(guarantee), *_of_a_person(guarantee), why]))
        if guarantee.assumptions:
            st.markdown(f"{T('guarantee.assumptions')}\n{_bullets(guarantee.assumptions)}")
        if shown:
            st.markdown(T("guarantee.several", cost=shown))
        left, right = st.columns(2)
        left.markdown(f"{T('guarantee.public')}\n{_bullets(guarantee.public)}")
        right.markdown(f"{T('guarantee.not_protected')}\n{_bullets(guarantee.not_protected)}")
        if guarantee.parts:
            st.markdown(_parts(guarantee))


def written_for(key: str, params: Params) -> None:
    """Write the current parameters invisibly into the page ``key``, at the end of its explanation.

    The browser compares them with its controls. While they differ, the browser marks the guarantee
    card as busy.
    """
    values = {
        name: value
        for name, value in vars(params).items()
        if isinstance(value, str) or (isinstance(value, int | float) and math.isfinite(value))
    }
    st.html(
        f'<span class="dp-values" data-page="{escape(key)}" data-values="{escape(json.dumps(values))}"></span>'
    )


def _verdicts(guarantee: Guarantee) -> None:
    """Draw the heading with ε and δ, the badges, and the verdict on a claimed ε.

    Without a claimed ε there is no verdict.
    """
    nominal = guarantee.status == "nominal" and math.isfinite(guarantee.epsilon)
    kind = "_refuted" if guarantee.refuted else "_nominal" if nominal else ""
    st.markdown(
        f"## {T(f'guarantee.title{kind}', epsilon=guarantee.epsilon, delta=guarantee.delta)}"
    )
    st.markdown(badges(guarantee), help=T("guarantee.scale"))
    if guarantee.refuted and guarantee.evidence:
        st.error(_refuted(guarantee, guarantee.evidence))
    claimed = guarantee.claimed_epsilon
    if claimed is not None and not math.isclose(claimed, guarantee.epsilon, rel_tol=1e-3):
        _claim(claimed, guarantee)


def _large_delta(guarantee: Guarantee) -> None:
    """Display a warning if δ is so large that whole records could be published."""
    if guarantee.status == "nominal" or guarantee.refuted or math.isinf(guarantee.epsilon):
        return
    n, delta = guarantee.n_records, guarantee.delta
    if n is not None and n * delta >= 1:
        why = T("large_delta.whole_records", n=n, records=records(guarantee.unit), whole=n * delta)
    elif delta >= _WARNED_DELTA and (n is None or n * delta > _FAR_BELOW):
        why = T("large_delta.a_record")
    else:
        return
    st.markdown(T("large_delta.warning", delta=delta, why=why))


def _how_often(guarantee: Guarantee) -> str:
    """Return a sentence on how often a result exceeds the limit of ε, compared with δ.

    Return "" if the guarantee does not have this probability, or if the sentence on odds does not
    mention δ.
    """
    tail = guarantee.tail() if 0 < guarantee.delta < 1 and guarantee.status != "nominal" else None
    if not tail or tail >= 0.5 or beyond(guarantee) not in odds_sentence(guarantee):
        return ""
    often = (
        T("beyond.rare", n=1 / _RARE)
        if tail < _RARE
        else T("beyond.often", share=words.one_in(tail))
    )
    by_little = "_by_little" * (tail > 5 * guarantee.delta)
    return f" {T(f'beyond.releases{by_little}', often=often)}"


def _protected(guarantee: Guarantee) -> str:
    nominal = "_nominal" * (guarantee.status == "nominal" or guarantee.refuted)
    unit = one_record(guarantee.unit)
    fields = {"record": T("protected.record") if unit == "person" else unit}
    if guarantee.neighbouring == "replace_one":
        fields["unit"] = unit
    return T(f"protected.{guarantee.neighbouring}{nominal}", **fields)


def _of_a_person(guarantee: Guarantee) -> list[str]:
    """Return a list with one sentence: the guarantee for a person with several records.

    Return [] if each person has one record.
    """
    unit = guarantee.unit
    if unit.records_per_person == 1 or math.isinf(guarantee.epsilon):
        return []
    group = guarantee.for_group(unit.records_per_person)
    fields = {
        "whose": whose_records(unit), "k": unit.records_per_person, "records": unit.plural,
        "delta": group.delta, "protection": group.protection,
    }  # fmt: skip
    if math.isinf(group.epsilon):
        return [T("person.unknown", **fields)]
    return [T("person.known", epsilon=group.epsilon, **fields)]


def _refuted(guarantee: Guarantee, evidence: Evidence) -> str:
    """Return the verdict on an ε that an attack has refuted, with the lower bound that the attack has proved."""
    sure = words.percent(evidence.confidence)
    if math.isinf(evidence.epsilon_lower):
        return T("refuted.impossible", epsilon=guarantee.epsilon, confidence=sure)
    return T(
        "refuted.bound",
        epsilon=guarantee.epsilon,
        confidence=sure,
        lower=evidence.epsilon_lower,
        claimed=belief_claimed(guarantee),
        belief=belief_reached(evidence.epsilon_lower),
    )


def _claim(claimed: float, guarantee: Guarantee) -> None:
    """Draw the verdict on a claimed ε.

    If only a bound on the true cost is known, the verdict is "unproved" instead of "refuted".
    """
    # The accounts of replaced records are bounds, and not known to be reached; that of one mechanism is exact.
    alone = guarantee.event is not None and is_exact(guarantee.event)
    exact = guarantee.neighbouring == "add_remove" or alone
    summed = len(guarantee.parts) > 1 and not alone
    account = _account(guarantee, "exact" if exact else "bound", summed)
    if guarantee.epsilon > claimed:
        st.error(
            T("claim.refuted" if exact else "claim.unproved", claimed=claimed, account=account)
        )
    else:
        st.info(T("claim.holds", claimed=claimed, account=account))


def _account(guarantee: Guarantee, kind: str, summed: bool) -> str:
    if math.isinf(guarantee.epsilon):
        return T("account.unknown")
    return T(f"account.{kind}{'_sum' * summed}", epsilon=guarantee.epsilon)


def _bullets(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {words.tidied(line)}" for line in lines) or f"- {T('guarantee.nothing')}"


def _parts(guarantee: Guarantee) -> str:
    rows = "\n".join(
        f"| {part.name} | {words.tidied(part.mechanism)} | {words.short(part.epsilon)} | {words.short(part.delta)} |"
        for part in guarantee.parts
    )
    return T("guarantee.parts", rows=rows)
