"""The words under Audit: what is attacked, the formulas, the bugs, the last full audit, exports, tasks."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore.audit.sabotage import SABOTAGES
from dpcore.experiments import audit
from dpcore.experiments.audit import AuditParams, target_of, worlds_of
from pages.audit import last
from pages.audit.figure import figure
from pages.audit.figure_arrays import bounds_of
from ui.export import downloads, from_figure
from ui.frame.depth import Depth
from ui.frame.explanation import Explanation
from ui.program import filled
from ui.runner import PageState
from ui.words.numbers import short, tex

__all__ = ["program", "words"]


def words(state: PageState[AuditParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=_shown(params),
        formula=lambda: _formula(state),
        claims=lambda: _worlds(params),
        claims_from=Depth.UNDERSTAND,
        sections={"Twenty bugs: what happened, and who found it": _bugs},
        checks={"The last full audit of everything in this app": lambda: st.markdown(last.table())},
        bundle=_bundle(state),
        tasks=_TASKS,
    )


def _shown(params: AuditParams) -> str:
    return (
        f"the page runs the software {2 * params.trainings} times and shows all scores. Whoever saw "
        f"them all would know: "
        "that is the point of an audit. It is done on made-up data, never on yours."
    )


def _bundle(state: PageState[AuditParams]) -> downloads.Bundle:
    return from_figure.taken(
        figure, state, draws="climb", panels=("climb", "scores"), whole=("attack",), name="audit",
        title=f"Audit: {target_of(state.params.target).label}", guarantee=audit.guarantee(state.params),
        code=program,
    )  # fmt: skip


def _worlds(params: AuditParams) -> None:
    """The two worlds, the canary and the score, in words."""
    worlds, bug = worlds_of(params.target, params.built), target_of(params.target).bug
    st.markdown("## What is attacked, and how")
    if bug:
        st.markdown(f"**The bug.** {bug.story}  \n**Published**: {bug.source}.")
    neighbours = worlds.neighbours.replace("= -", "= −")
    for code, said in _RELATIONS.items():
        neighbours = neighbours.replace(code, said)
    st.markdown(
        f"**Two worlds**: {neighbours}.  \n**The canary** (“Ada”): {worlds.canary}.  \n"
        f"**The score**: {worlds.score}."
    )


def _formula(state: PageState[AuditParams]) -> None:
    params, found = state.params, state["attack"]
    st.markdown("## The bound, with your numbers")
    st.latex(
        r"\varepsilon \ge \max\Big\{0, \ln\frac{1-\delta-\mathrm{FNR}^+}{\mathrm{FPR}^+}, "
        r"\ln\frac{1-\delta-\mathrm{FPR}^+}{\mathrm{FNR}^+}\Big\}"
    )
    if found is None:
        st.caption("The first trials are under way.")
        return
    counts, shown = found.target.counts, bounds_of(params, found.target)
    look = len(counts.n)
    st.markdown(
        f"False alarms (FPR) are {counts.false[-1]} and misses (FNR) {counts.missed[-1]}, each of "
        f"{short(counts.n[-1])} trials. FPR⁺ and FNR⁺ are "
        f"the upper ends of Clopper and Pearson's intervals for their rates. This is look {look}, so it holds with "
        f"1 − 0.05/{2**look}: all "
        "looks together err with a chance of at most 5 % (Jagielski, Ullman and Oprea 2020)."
    )
    if worlds_of(params.target, params.built).gaussian and not target_of(params.target).bug:
        st.markdown(_GAUSSIAN)
    st.latex(
        rf"\varepsilon \ge {tex(shown.bound[-1], '.3g')}, \qquad \text{{at most }} {tex(shown.ceiling[-1], '.3g')} "
        rf"\text{{ after }} {counts.n[-1]}"
    )


def _bugs() -> None:
    for case in SABOTAGES:
        st.markdown(
            f"**{case.number}. {case.name}.** {case.story}  \n*{case.source}.* Attack: {case.broken.canary}; "
            f"{case.broken.score}."
        )


_RELATIONS = {
    "add_remove": "one record is added or removed",
    "replace_one": "one record is replaced",
}
_GAUSSIAN = (
    "The noise here is Gaussian, so the stronger rule of Nasr and others (2023) is valid: μ = "
    "Φ⁻¹(1 − FPR⁺) − Φ⁻¹(FNR⁺), "
    "and the ε that this μ has at δ (Dong, Roth and Su 2022). The tab *A wrong auditor* shows what it does elsewhere."
)
_TASKS = """
1. **Catch a bug.** Choose bug 3, where half of the noise is missing. How many trials do you need? And how
   many for bug 7?
2. **The honest answer.** Choose the count with Laplace noise and 20 trials. Drag the claim to 2. What does
   the sentence say, and why is that no good news?
3. **No ε at all.** Choose the pictures with noisy biases. Which curve does the proof follow, and what does that mean?
4. **A claim that is too small.** At *Understand*, build the software with ε₀ = 4 and claim 1. When is it caught?
"""


def program(params: AuditParams) -> str:
    """Return the program of the page with these parameters."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"audit.{params.to_code()}")
