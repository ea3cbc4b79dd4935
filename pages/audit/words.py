"""Texts of the page Audit: the verdict on a claim, the attacked program, the bound with numbers, bugs, the
last audit.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.experiments import audit
from dpcore.experiments.audit import Attack, AuditParams, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.audit import last
from pages.audit.arrays import bounds_of, is_caught
from pages.audit.figure import figure
from ui.export import downloads, from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.live.depth import Depth
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import tex

__all__ = ["meaning", "program", "words"]

T = text.beside(__file__)
_RELATIONS = ("add_remove", "replace_one")


def meaning(state: PageState[AuditParams]) -> Text:
    """Return a sentence for every claimed ε that says whether the attack refutes it; the bound does not depend on
    the claim.
    """
    attack, params = state["attack"], state.params
    if attack is None:
        return Text(strings=[T("meaning.begin")])
    claims = worlds_of(params.target, params.built).claim().tabulated(EPSILON_GRID)
    return Text(strings=[_with_copy(params, attack, claim) for claim in claims], dims=("epsilon",))


def _with_copy(params: AuditParams, attack: Attack, claim: Guarantee) -> str:
    """Return the verdict on the claim of the attacked program, and on its correct twin if there is one."""
    verdict = _verdict(params, attack, claim)
    if attack.twin is None:
        return verdict
    refuted = is_caught(params, bounds_of(params, attack.twin), claim.epsilon)
    copy = T("meaning.copy_refuted" if refuted else "meaning.copy_holds")
    return T("meaning.beside_copy", verdict=verdict, copy=copy)


def _verdict(params: AuditParams, attack: Attack, claim: Guarantee) -> str:
    """Return the sentence that the claim is refuted or, if it is not, what the missing refutation means."""
    counts, bounds = attack.target.counts, bounds_of(params, attack.target)
    bug, n = target_of(params.target).bug, counts.n[-1]
    if bug and bug.support and bounds.delta_lower > params.delta:
        return T("meaning.impossible", hits=n - counts.missed[-1])
    if bounds.bound[-1] > claim.epsilon:
        first = counts.n[int((bounds.bound > claim.epsilon).argmax())]
        return T("meaning.caught", n=first)
    if bounds.ceiling[-1] > claim.epsilon:
        return T("meaning.not_refuted", n=n)
    return T("meaning.too_few", n=n)


def words(state: PageState[AuditParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params = state.params
    return Explanation(
        shown=T("words.shown", n=2 * params.trainings),
        formula=lambda: _formula(state),
        claims=lambda: _worlds(params),
        claims_from=Depth.UNDERSTAND,
        sections={T("words.bugs.title"): _bugs},
        checks={T("words.last.title"): lambda: st.markdown(last.table())},
        bundle=_bundle(state),
        tasks=T("words.tasks"),
    )


def _bundle(state: PageState[AuditParams]) -> downloads.Bundle:
    target = (T.field("target").options or {})[state.params.target]
    return from_figure.taken(
        figure, state, draws="climb", panels=("climb", "scores"), whole=("attack",), name="audit",
        title=T("words.name", target=target), guarantee=audit.guarantee(state.params), code=program,
    )  # fmt: skip


def _worlds(params: AuditParams) -> None:
    """Draw the description of the two neighbouring data sets, the inserted record (canary) and the attacker's
    score.
    """
    worlds, bug = worlds_of(params.target, params.built), target_of(params.target).bug
    st.markdown(T("words.worlds.title"))
    if bug:
        st.markdown(T("words.worlds.bug", story=_story(bug), source=bug.source))
    neighbours = worlds.neighbours.replace("= -", "= −")
    for relation in _RELATIONS:
        neighbours = neighbours.replace(relation, T(f"words.worlds.{relation}"))
    st.markdown(
        T(
            "words.worlds.attack",
            neighbours=neighbours,
            canary=worlds.canary,
            score=worlds.score,
        )
    )


def _story(bug: Sabotage) -> str:
    return T(f"bug.stories.{bug.number}")


def _formula(state: PageState[AuditParams]) -> None:
    """Draw the formula of the lower bound on ε, with the current error counts."""
    params, attack = state.params, state["attack"]
    st.markdown(T("words.bound.title"))
    st.latex(
        r"\varepsilon \ge \max\Big\{0, \ln\frac{1-\delta-\mathrm{FNR}^+}{\mathrm{FPR}^+}, "
        r"\ln\frac{1-\delta-\mathrm{FPR}^+}{\mathrm{FNR}^+}\Big\}"
    )
    if attack is None:
        st.caption(T("meaning.begin"))
        return
    counts, bounds = attack.target.counts, bounds_of(params, attack.target)
    look = len(counts.n)
    st.markdown(
        T(
            "words.bound.counts",
            false=counts.false[-1],
            missed=counts.missed[-1],
            n=counts.n[-1],
            look=look,
            power=2**look,
        )
    )
    if worlds_of(params.target, params.built).gaussian and not target_of(params.target).bug:
        st.markdown(T("words.bound.gaussian"))
    st.latex(
        rf"\varepsilon \ge {tex(bounds.bound[-1], '.3g')}, \qquad \text{{at most }} {tex(bounds.ceiling[-1], '.3g')} "
        rf"\text{{ after }} {counts.n[-1]}"
    )


def _bugs() -> None:
    for case in SABOTAGES:
        st.markdown(
            T(
                "words.bugs.row",
                number=case.number,
                name=case.name,
                story=_story(case),
                source=case.source,
                canary=case.broken.canary,
                score=case.broken.score,
            )
        )


def program(params: AuditParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"audit.{params.to_code()}")
