"""Words that the pages of private prototypes share: cost of all draws, the paper's Table 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from dpcore import accounting
from dpcore.experiments import relevance
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import RelevanceParams
from ui.words.numbers import short, tex

__all__ = [
    "composed",
    "formula",
    "printed_sigma",
    "shown",
    "step_size",
    "table_1",
    "words_of_reading",
]

_HERE = {
    "poisson": "when every record joins a lot independently of all others (Poisson sampling, as here)",
    "fixed": "when lots are random subsets of a fixed size and one record is replaced (as here)",
}
# On lots of a fixed size the account is a bound, and not known to be reached.
_BROKEN = {
    "poisson": ":red[**The claim does not hold**]",
    "fixed": ":red[**The claim is not proved**]",
}
_LITERALLY = (
    "at their settings the steps lose at least ε = 0.65, 1.48 and 3.05, and at most 0.71, 1.74 and 3.83, where "
    "0.6, 1.2 and 2.0 is claimed."
)
_READINGS = {
    "poisson": "Read literally, as lots of a fixed size with one record replaced, the noise hides less: "
    f"{_LITERALLY} Choose *fixed size* under *lots* to see it.",
    "fixed": f"That is what you see, read literally: {_LITERALLY} On Poisson lots, with a record added or "
    "removed, the same noise hides more: start and steps, added up, cost 0.45, 0.95 and 1.68 where 0.75, 1.5 "
    "and 2.5 is claimed.",
}
_ABOUT = {"poisson": "", "fixed": ", on lots of a fixed size and for a record that is replaced,"}
_DIVISOR = {"poisson": "qN", "fixed": "L"}
_TABLE_1 = Path(__file__).resolve().parents[2] / "docs" / "table1.md"


def shown(params: RelevanceParams, n_draws: int) -> str:
    """Return what all trainings that the page draws at ε cost together, in words; by Rényi, at once."""
    together = relevance.shown_epsilon(params, 1 + n_draws)
    return (
        f"this page draws this training and {n_draws} others at the same ε, each with noise of its "
        f"own. Whoever sees them all has up to ε = **{short(together)}** at the same "
        f"δ = {short(params.delta)}. The curve over ε shows further trainings. Publish one."
    )


def table_1() -> str:
    """Return the paper's Table 1 beside ours as a text, with where the printed σ stops being private."""
    text = _TABLE_1.read_text("utf-8")
    rows = text[text.index("## Private") : text.index("## Settings")]
    printed, broken = RelevanceParams().but(**relevance.PAPER), relevance.printed_breaks()
    return (
        "Test error, mean (standard deviation) over 5 × 5 folds; how it was made, and what could not be "
        "reproduced, is in `docs/table1.md`.\n\n"
        f"At these settings (q = {short(printed.sample_rate)}, E = {printed.epochs}) the printed σ costs more "
        f"than it claims from ε = {short(broken)} of the slider on: σ is then so small that the formula's leading "
        "order no longer holds, and the card above refuses to call it private.\n\n" + rows
    )


def words_of_reading(cost: float, claimed: float, lots: str = "poisson") -> str:
    """Return whether the printed σ keeps its claim on such lots, and what the paper's other reading gives."""
    verdict = _BROKEN[lots] if cost > claimed else "The claim holds"
    return (
        f"{verdict} {_HERE[lots]}. The formula has the leading order only: it is too careful where σ is large and "
        f"broken where σ is small. Brinkrolf, Berger and Hammer write “random subset of size L”. {_READINGS[lots]}"
    )


def step_size(params: RelevanceParams) -> str:
    """Return η over what the sum of a step is divided by, for a formula."""
    return rf"\tfrac{{\eta}}{{{_DIVISOR[params.lots]}}}"


def composed(params: RelevanceParams) -> dict[str, Callable[[], object]]:
    """Return a section on the printed σ: what its start and its steps cost together, computed when opened."""

    def drawn() -> None:
        paper = params.but(recipe="paper")
        added = relevance.real_epsilons(paper)[_at(params)]
        st.markdown(
            f"Added up, the start and the steps with the printed σ cost ε = {short(added)}. One account of both "
            f"together gives **{short(relevance.joint_epsilon(paper))}**: adding up never gives less."
        )

    return {"The printed σ, when start and steps are composed together": drawn}


def formula(
    params: RelevanceParams, step: Callable[[float], Sequence[str]], about: str = ""
) -> None:
    """Draw the step of a training (its lines at a σ), and its noise with the reader's numbers.

    ``about`` stands under the step.
    """
    rest = (1 - params.init_share) * params.epsilon
    needed = relevance.noise_multipliers(params.but(recipe="tight"))[_at(params)]
    st.markdown("## The formula, with your numbers")
    for line in step(relevance.noise_multipliers(params)[_at(params)]):
        st.latex(line)
    if about:
        st.markdown(about)
    st.markdown(
        f"**Tight accountant**: the smallest σ at which T = E/q = {_steps(params)} steps cost "
        f"ε₂ = (1 − {short(params.init_share)})·{short(params.epsilon)} = {short(rest)} at "
        f"δ/2{_ABOUT[params.lots]} is "
        f"**{short(needed)}**."
    )


def printed_sigma(params: RelevanceParams, more: str = "") -> None:
    """Draw the σ that the paper prints beside what it costs; ``more`` stands at the end."""
    rest, steps = (1 - params.init_share) * params.epsilon, _steps(params)
    sigma = accounting.paper_noise_multiplier(
        rest, params.delta, sample_rate=params.sample_rate, n_steps=steps
    )
    claim = relevance.real_epsilons(params.but(recipe="paper"))[_at(params)]
    st.markdown("**Brinkrolf, Berger and Hammer (2018) print**")
    st.latex(
        rf"\sigma = \frac{{2q\sqrt{{T\ln(1/\delta)}}}}{{\varepsilon_2}} = "
        rf"\frac{{2\cdot {tex(params.sample_rate)}\sqrt{{{steps}\cdot {tex(math.log(1 / params.delta))}}}}}"
        rf"{{{tex(rest)}}} = {tex(sigma)}"
    )
    st.markdown(
        f"With it the whole training really costs ε = **{short(claim)}** when its start and its steps are added "
        f"up, not {short(params.epsilon)}. {words_of_reading(claim, params.epsilon, params.lots)}{more}"
    )


def _at(params: RelevanceParams) -> int:
    return EPSILON_GRID.index(params.epsilon)


def _steps(params: RelevanceParams) -> int:
    return max(1, round(params.epochs / params.sample_rate))
