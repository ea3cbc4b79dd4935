"""The guarantee card: what is promised, to whom, and what is not."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.guarantee import Guarantee, Protection
from ui import numbers_in_words as words
from ui.figure_kit.telling import LARGE_DELTA
from ui.odds import odds_sentence

__all__ = ["NEIGHBOURS", "PROOF", "badges", "card", "level", "on_page", "plain", "summary"]

NEIGHBOURS = {
    "add_remove": "one record added or removed",
    "replace_one": "one record replaced by another",
}
PROOF = {
    "proved": "proof: holds",
    "proved_under_assumption": "proof: holds under an assumption",
    "nominal": "proof: none",
}
SECRET = "The noise is secret, fresh and used once."
SEED = (
    "The noise of this page comes from a public seed, so that "
    "a figure can be repeated: what you see here is for learning and must not be released."
)
_COLOURS: dict[Protection, str] = {
    "strong": "green", "moderate": "blue", "weak": "orange", "none": "red",
}  # fmt: skip
_SCALE = (
    "There is no agreed scale. We call ε up to 1 strong, below 5 moderate, up to 10 weak, and more than that "
    "no protection worth the name (after “How to DP-fy ML”, Ponomareva et al. 2023, and NIST, which calls ε "
    "below 5 conservative)."
)
_WARNED_DELTA = 1e-3
_WHAT = {
    "add_remove": "whether any one person's record is in the data or not.",
    "replace_one": "what any one person's record says. That the person is in the data is not hidden.",
}


def plain(guarantee: Guarantee, prior: float = 0.5) -> str:
    """Return the odds sentence of a guarantee; one without a proof is said to have none."""
    # The odds are those of the ε that is shown: a figure beside it says the same.
    epsilon = max(guarantee.epsilon, float(format(guarantee.epsilon, ".3g")))
    sentence = odds_sentence(
        epsilon, guarantee.delta, tail=guarantee.loss_tail, prior=prior,
        neighbouring=guarantee.neighbouring,
    )  # fmt: skip
    if guarantee.status != "nominal" or math.isinf(guarantee.epsilon):
        return sentence
    return f"Nothing is proved. Were this ε true, it would mean: {sentence}"


def on_page(guarantee: Guarantee, *, draws: bool = True) -> Guarantee:
    """Return the guarantee as a page can give it: its seed is public, so a release needs other noise.

    ``draws``: whether the page draws noise at all.
    """
    if guarantee.status == "nominal" or math.isinf(guarantee.epsilon):
        return guarantee
    return guarantee.assuming(f"{SECRET} {SEED}" if draws else SECRET)


def level(guarantee: Guarantee) -> Protection:
    """Return the protection of a guarantee; its scale presumes a small δ."""
    return "none" if guarantee.delta > LARGE_DELTA else guarantee.protection


def badges(guarantee: Guarantee) -> str:
    """Return the two verdicts, proof and protection; the second one has the colour."""
    found = level(guarantee)
    return f":gray-badge[{PROOF[guarantee.status]}] :{_COLOURS[found]}-badge[protection: {found}]"


def summary(guarantee: Guarantee, *, draws: bool = True) -> None:
    """Draw what a reader at the first depth has to know: two verdicts, what is protected, what is not."""
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        left, right = st.columns(2)
        left.markdown(_protected(guarantee))
        right.markdown("**Not protected**\n" + _bullets(guarantee.not_protected))


def card(guarantee: Guarantee, *, shown: str = "", draws: bool = True) -> None:
    """Draw the guarantee card of a page.

    ``shown`` says what all that the page shows costs together; ``draws`` whether it draws noise.
    """
    guarantee = on_page(guarantee, draws=draws)
    with st.container(border=True, key="guarantee"):
        _verdicts(guarantee)
        st.markdown(plain(guarantee))
        if guarantee.delta >= _WARNED_DELTA:
            st.markdown(
                f":orange[δ = {words.short(guarantee.delta)} is large.] It should be far below one over "
                "the number of records: a mechanism that publishes a whole record that often would pass."
            )
        st.markdown(f"{_protected(guarantee)}  \n**Why**: {words.tidied(guarantee.argument)}")
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
        # The accounts of replaced records are bounds, and not known to be reached.
        exact = guarantee.neighbouring == "add_remove"
        _claim(claimed, guarantee.epsilon, len(guarantee.parts), exact=exact)


def _protected(guarantee: Guarantee) -> str:
    verb = "would be" if guarantee.status == "nominal" else "is"
    return f"**What {verb} protected**: {_WHAT[guarantee.neighbouring]}"


def _claim(claimed: float, real: float, n_parts: int, *, exact: bool) -> None:
    account = (
        "its releases, each accounted exactly and added up, cost"
        if n_parts > 1
        else "an exact account gives"
    )
    if not exact:
        account = "our bounds on its releases add up to"
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
