"""The guarantee card of a page: what is guaranteed, for whom, and what is not."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.accounting.closed_form import is_exact
from dpcore.guarantee import Guarantee, Protection
from ui.words import numbers as words
from ui.words import text
from ui.words.guarantees import LOOKING, PROOF, on_page
from ui.words.odds import beyond, odds_sentence
from ui.words.units import one_record, records, whose_records

__all__ = ["badges", "card", "looking", "summary"]

T = text.beside(__file__)
_COLOURS: dict[Protection, str] = {
    "strong": "green", "moderate": "blue", "weak": "orange", "none": "red",
}  # fmt: skip
_WARNED_DELTA = 1e-3
_RARE = 1e-6
_FAR_BELOW = 0.01
"""A δ of at most so many times one over n is far below it."""


def badges(guarantee: Guarantee) -> str:
    """Return Markdown for two badges: how ε is established, and how strong the protection is (coloured)."""
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
    """Draw the note, on a page with noise but without a guarantee card, that the noise is for demonstration only."""
    st.caption(LOOKING)


def card(guarantee: Guarantee, *, shown: str = "", draws: bool = True) -> None:
    """Draw the guarantee card of a page.

    ``shown``: sentence on the joint cost of everything that the page shows. ``draws``: whether it draws noise.
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


def _verdicts(guarantee: Guarantee) -> None:
    """Draw the heading with ε and δ, the two badges, and the verdict on a claimed ε if there is one."""
    nominal = guarantee.status == "nominal" and math.isfinite(guarantee.epsilon)
    title = "guarantee.title_nominal" if nominal else "guarantee.title"
    st.markdown(f"## {T(title, epsilon=guarantee.epsilon, delta=guarantee.delta)}")
    st.markdown(badges(guarantee), help=T("guarantee.scale"))
    claimed = guarantee.claimed_epsilon
    if claimed is not None and not math.isclose(claimed, guarantee.epsilon, rel_tol=1e-3):
        _claim(claimed, guarantee)


def _large_delta(guarantee: Guarantee) -> None:
    """Draw a warning if δ is so large that whole records could be published; else nothing."""
    if guarantee.status == "nominal" or math.isinf(guarantee.epsilon):
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

    The sentence is "" for a guarantee that has no such probability, or whose text does not mention it.
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
    nominal = "_nominal" * (guarantee.status == "nominal")
    unit = one_record(guarantee.unit)
    fields = {"record": T("protected.record") if unit == "person" else unit}
    if guarantee.neighbouring == "replace_one":
        fields["unit"] = unit
    return T(f"protected.{guarantee.neighbouring}{nominal}", **fields)


def _of_a_person(guarantee: Guarantee) -> list[str]:
    """Return the guarantee for a person with several records, as a list of one sentence; [] if a record is a
    person.
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


def _claim(claimed: float, guarantee: Guarantee) -> None:
    """Draw the verdict on a claimed ε; if the true cost is known only as a bound, the claim is unproved, not
    refuted.
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
