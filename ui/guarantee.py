"""The guarantee card and the odds sentence: what is promised, to whom, and what is not."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.guarantee import Guarantee, odds_bound

__all__ = ["NEIGHBOURS", "STATUS", "card", "odds_sentence"]

NEIGHBOURS = {
    "add_remove": "one record added or removed",
    "replace_one": "one record replaced by another",
}
STATUS = {
    "proved": ("proved", "green"),
    "proved_under_assumption": ("proved under a stated assumption", "orange"),
    "nominal": ("nominal, not a guarantee", "red"),
}


def odds_sentence(epsilon: float, delta: float, name: str = "Ada") -> str:
    """Return what (ε, δ) means for somebody who guesses at 50 : 50 whether ``name`` is in the data.

    The percentages are rounded up, so that the sentence never promises more than the proof.
    """
    top = odds_bound(epsilon)
    if math.isinf(epsilon) or top > 0.9995:
        bound = f"this promises next to nothing: up to {min(top, 0.9999):.2%}".replace("%", " %")
        return f"If you guess at 50 : 50 whether {name} is in the data, {bound}."
    share = math.ceil(top * 1000 - 1e-9) / 10
    slack = f", except with probability about {_number(delta)}" if delta > 0 else ""
    return (
        f"If you guess at 50 : 50 whether {name} is in the data, seeing this result can move your "
        f"odds to at most {share:g} : {100 - share:.3g}{slack}."
    )


def card(guarantee: Guarantee) -> None:
    """Draw the guarantee card."""
    words, colour = STATUS[guarantee.status]
    with st.container(border=True):
        st.markdown(
            f"#### Guarantee&ensp; ε = {_number(guarantee.epsilon)}, δ = {_number(guarantee.delta)}"
            f"&ensp; :{colour}-badge[{words}]"
        )
        claimed = guarantee.claimed_epsilon
        if claimed is not None and not math.isclose(claimed, guarantee.epsilon, rel_tol=1e-3):
            _claim(claimed, guarantee.epsilon)
        st.markdown(odds_sentence(guarantee.epsilon, guarantee.delta))
        st.markdown(
            f"**Protects**: {NEIGHBOURS[guarantee.neighbouring]} "
            "(the two data sets a spy has to tell apart).  \n"
            f"**Argument**: {guarantee.argument}"
        )
        left, right = st.columns(2)
        left.markdown("**Assumed public**\n" + _bullets(guarantee.public))
        right.markdown("**Not protected**\n" + _bullets(guarantee.not_protected))
        if guarantee.parts:
            st.markdown(_parts(guarantee))


def _claim(claimed: float, real: float) -> None:
    if real > claimed:
        st.error(
            f"The recipe claims ε = {claimed:g}; an exact account gives {_number(real)}. "
            "The claim does not hold here: do not call this ε = "
            f"{claimed:g}-private."
        )
    else:
        st.info(
            f"The recipe claims ε = {claimed:g}; an exact account gives {_number(real)}. "
            "It adds more noise than its claim needs."
        )


def _bullets(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "- nothing"


def _parts(guarantee: Guarantee) -> str:
    rows = "\n".join(
        f"| {part.name} | {part.mechanism} | {_number(part.epsilon)} | {_number(part.delta)} |"
        for part in guarantee.parts
    )
    return "| release | mechanism | ε | δ |\n|---|---|---|---|\n" + rows


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.4g}".replace("e-0", "e-")
