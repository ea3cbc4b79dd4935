"""The guarantee card: what is promised, to whom, and what is not."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.accounting.closed_form import is_exact
from dpcore.guarantee import Guarantee, Protection
from ui.words import numbers as words
from ui.words.odds import beyond, odds_sentence
from ui.words.units import one_record, records, whose_records

__all__ = ["NEIGHBOURS", "PROOF", "badges", "card", "looking", "on_page", "plain", "summary"]

NEIGHBOURS = {
    "add_remove": "one record added or removed",
    "replace_one": "one record replaced by another",
}
PROOF = {
    "proved": "proof: holds",
    "proved_under_assumption": "proof: holds under an assumption",
    "nominal": "proof: none",
}
LOOKING = "The noise on this page is for looking, not for a release: its seed is public."
SECRET = "The noise is secret, fresh and used once."
SEED = (
    "The noise of this page comes from a public seed, so that "
    "a figure can be repeated: what you see here is for learning and must not be released."
)
_COLOURS: dict[Protection, str] = {
    "strong": "green", "moderate": "blue", "weak": "orange", "none": "red",
}  # fmt: skip
_SCALE = (
    "There is no agreed scale. Here ε up to 1 is strong, below 5 moderate, up to 10 weak, and more is none; none, "
    "too, where δ is not below one over the number of records. Ponomareva et al. (“How to DP-fy ML”, 2023) call ε "
    "up to 1 strong and up to 10 reasonable; a series of posts by NIST calls ε below 5 conservative. We say weak "
    "from 5 on, because there somebody who thought it 50 to 50 may become more than 99 % sure."
)
_WARNED_DELTA = 1e-3
_FAR_BELOW = 0.01
"""A δ of at most so many times one over n is far below it."""


def plain(guarantee: Guarantee, prior: float = 0.5) -> str:
    """Return the odds sentence of a guarantee; one without a proof is said to have none."""
    return odds_sentence(guarantee, prior)


def on_page(guarantee: Guarantee, *, draws: bool = True) -> Guarantee:
    """Return the guarantee as a page can give it: its seed is public, so a release needs other noise.

    ``draws``: whether the page draws noise at all.
    """
    if guarantee.status == "nominal" or math.isinf(guarantee.epsilon):
        return guarantee
    return guarantee.assuming(f"{SECRET} {SEED}" if draws else SECRET)


def badges(guarantee: Guarantee) -> str:
    """Return the two verdicts, proof and protection; the second one has the colour."""
    found = guarantee.protection
    return f":gray-badge[{PROOF[guarantee.status]}] :{_COLOURS[found]}-badge[protection: {found}]"


def summary(guarantee: Guarantee, *, draws: bool = True) -> None:
    """Draw what a reader at the first depth has to know: two verdicts, what is protected, what is not."""
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        _large_delta(guarantee)
        left, right = st.columns(2)
        left.markdown("  \n".join([_protected(guarantee), *_of_a_person(guarantee)]))
        right.markdown("**Not protected**\n" + _bullets(guarantee.not_protected))
        if draws:
            looking()


def looking() -> None:
    """Draw the line of a page that draws noise and shows no card: the noise is for looking."""
    st.caption(LOOKING)


def card(guarantee: Guarantee, *, shown: str = "", draws: bool = True) -> None:
    """Draw the guarantee card of a page.

    ``shown`` says what all that the page shows costs together; ``draws`` whether it draws noise.
    """
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        st.markdown(f"{plain(guarantee)}{_how_often(guarantee)}")
        _large_delta(guarantee)
        said = [_protected(guarantee), *_of_a_person(guarantee)]
        st.markdown("  \n".join([*said, f"**Why**: {words.tidied(guarantee.argument)}"]))
        if guarantee.assumptions:
            st.markdown("**It holds as long as**\n" + _bullets(guarantee.assumptions))
        if shown:
            st.markdown(f"**Several results together**: {shown}")
        left, right = st.columns(2)
        left.markdown("**Declared public by this page**\n" + _bullets(guarantee.public))
        right.markdown("**Not protected**\n" + _bullets(guarantee.not_protected))
        if guarantee.parts:
            st.markdown(_parts(guarantee))


def _verdicts(guarantee: Guarantee) -> None:
    """ε and δ, the two verdicts, and a claim that does not hold."""
    named = " (nominal)" * (guarantee.status == "nominal" and math.isfinite(guarantee.epsilon))
    st.markdown(
        f"## Guarantee&ensp; ε = {words.short(guarantee.epsilon)}{named}, δ = {words.short(guarantee.delta)}",
    )
    st.markdown(badges(guarantee), help=_SCALE)
    claimed = guarantee.claimed_epsilon
    if claimed is not None and not math.isclose(claimed, guarantee.epsilon, rel_tol=1e-3):
        _claim(claimed, guarantee)


def _large_delta(guarantee: Guarantee) -> None:
    """Warn of a δ with which whole records could be published, where anything is promised at all."""
    if guarantee.status == "nominal" or math.isinf(guarantee.epsilon):
        return
    n, delta = guarantee.n_records, guarantee.delta
    if n is not None and n * delta >= 1:
        many = f"{words.show(n, 'd')} {records(guarantee.unit)}"
        why = f"With {many}, δ lets a mechanism pass that publishes {words.short(n * delta)} of them whole."
    elif delta >= _WARNED_DELTA and (n is None or n * delta > _FAR_BELOW):
        why = (
            "It should be far below one over the number of records: a mechanism that publishes a whole record that "
            "often would pass."
        )
    else:
        return
    st.markdown(f":orange[δ = {words.short(delta)} is large.] {why}")


def _how_often(guarantee: Guarantee) -> str:
    """How often a result goes beyond the limit of ε, beside what δ says of it."""
    tail = guarantee.tail() if 0 < guarantee.delta < 1 and guarantee.status != "nominal" else None
    if not tail or tail >= 0.5 or beyond(guarantee) not in plain(guarantee):
        return ""
    often = "fewer than 1 of 1\u202f000\u202f000" if tail < 1e-6 else f"about {words.one_in(tail)}"
    little = ", mostly by little" if tail > 5 * guarantee.delta else ""
    return f" They come in {often} releases{little}: δ counts together how often and how far."


def _protected(guarantee: Guarantee) -> str:
    verb = "would be" if guarantee.status == "nominal" else "is"
    one = one_record(guarantee.unit)
    record = "person's record" if one == "person" else one
    if guarantee.neighbouring == "add_remove":
        what = f"whether any one {record} is in the data or not."
    else:
        what = f"what any one {record} says. That the {one} is in the data is not hidden."
    return f"**What {verb} protected**: {what}"


def _of_a_person(guarantee: Guarantee) -> list[str]:
    """What is promised to somebody with several records, in one sentence; nothing where one is a person."""
    unit = guarantee.unit
    if unit.records_per_person == 1 or math.isinf(guarantee.epsilon):
        return []
    group = guarantee.for_group(unit.records_per_person)
    cost = (
        "no ε is known" if math.isinf(group.epsilon) else f"up to ε = {words.short(group.epsilon)}"
    )
    return [
        f"**A whole person**: {whose_records(unit)} For {unit.records_per_person} {unit.plural} of one of them "
        f"together: {cost}, δ = {words.short(group.delta)}, protection: {group.protection}."
    ]


def _claim(claimed: float, guarantee: Guarantee) -> None:
    """What an account says of a claimed ε: it refutes one that is too low only where it is exact."""
    real, n_parts = guarantee.epsilon, len(guarantee.parts)
    # The accounts of replaced records are bounds, and not known to be reached; that of one mechanism is exact.
    alone = guarantee.event is not None and is_exact(guarantee.event)
    exact = guarantee.neighbouring == "add_remove" or alone
    account = (
        "its releases, each accounted exactly and added up, cost"
        if n_parts > 1 and not alone
        else "an exact account gives"
    )
    if not exact:
        account = "our bounds on its releases add up to" if n_parts > 1 else "our bound on it is"
    verdict = "The claim does not hold here" if exact else "Nothing proves the claim here"
    found = (
        "no bound on its releases is known"
        if math.isinf(real)
        else f"{account} {words.short(real)}"
    )
    if real > claimed:
        st.error(
            f"The recipe claims ε = {words.short(claimed)}; {found}. "
            f"{verdict}: do not call this ε = {words.short(claimed)}-private."
        )
    else:
        st.info(
            f"The recipe claims ε = {words.short(claimed)}; {account} {words.short(real)}. "
            "It adds more noise than its claim needs."
        )


def _bullets(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {words.tidied(line)}" for line in lines) or "- nothing"


def _parts(guarantee: Guarantee) -> str:
    rows = "\n".join(
        f"| {part.name} | {words.tidied(part.mechanism)} | {words.short(part.epsilon)} | {words.short(part.delta)} |"
        for part in guarantee.parts
    )
    return "| release | mechanism | ε | δ |\n|---|---|---|---|\n" + rows
