"""Texts of the Audit page: the verdict, the attacked program, the lower bound, bugs, and the last audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import streamlit as st

from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.experiments import audit
from dpcore.experiments.audit import LOOKS, Attack, AuditParams, Bounds, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.audit import last
from pages.audit.arrays import bounds_of, claims_of, evidence, is_caught, most_possible
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

T = text.load_text(__file__)
_RELATIONS = ("add_remove", "replace_one")


def meaning(state: PageState[AuditParams]) -> Text:
    """Return a sentence for every claimed ε, which says whether the attack refutes this claim."""
    attack, params = state["attack"], state.params
    if attack is None:
        return Text(strings=[T("meaning.begin")])
    claims = claims_of(params)
    most = float(most_possible(params)[-1])
    whole = _verdicts(params, attack, claims, most)
    claim = claims[EPSILON_GRID.index(params.epsilon)]
    return replace(whole, along={"trainings": _as_trials_pile_up(params, attack, claim, most)})


def _as_trials_pile_up(params: AuditParams, attack: Attack, claim: Guarantee, most: float) -> Text:
    """Return the verdict on one claim after each number of trials.

    For numbers that the attack has not reached yet, the text says how to continue.
    """
    done = len(attack.target.counts.n)
    each = [_verdicts(params, attack.first(k + 1), [claim], most) for k in range(done)]
    more = [T("meaning.let_go", n=n) for n in LOOKS[done:]]
    return Text(
        strings=[*(one.strings[0] for one in each), *more],
        brief=[*(one.brief[0] for one in each), *more],
        dims=("trainings",),
    )


def _verdicts(
    params: AuditParams, attack: Attack, claims: Sequence[Guarantee], most: float
) -> Text:
    """Return the verdict (`_verdict`) on each of several claims, which differ in ε.

    ``most`` has the same meaning as in `_verdict`.
    """
    bounds = bounds_of(params, attack.target)  # the same for all claims
    twin = None if attack.twin is None else bounds_of(params, attack.twin)
    verdicts = [_verdict(params, attack, bounds, claim, most) for claim in claims]
    return Text(
        strings=[
            _with_copy(params, twin, claim, verdict)
            for claim, verdict in zip(claims, verdicts, strict=True)
        ],
        brief=[_verdict(params, attack, bounds, claim, most, "brief") for claim in claims],
        dims=("epsilon",),
    )


def _with_copy(params: AuditParams, twin: Bounds | None, claim: Guarantee, verdict: str) -> str:
    """Return ``verdict``, followed by a sentence on whether the attack also refutes the corrected program.

    ``twin`` holds the lower bounds for the corrected version. If it is None, ``verdict`` is returned unchanged.
    """
    if twin is None:
        return verdict
    refuted = is_caught(params, twin, claim.epsilon)
    copy = T("meaning.copy_refuted" if refuted else "meaning.copy_holds")
    return T("meaning.beside_copy", verdict=verdict, copy=copy)


def _verdict(
    params: AuditParams,
    attack: Attack,
    bounds: Bounds,
    claim: Guarantee,
    most: float,
    kind: Literal["whole", "brief"] = "whole",
) -> str:
    """Return the sentence on whether an attack refutes a claimed ε.

    If the claim is not refuted, the sentence also says whether an attack without errors would refute it, with the
    same number of trials or with the page's largest number. ``bounds`` are the lower bounds for the attacked
    program. ``most`` is the lower bound that an attack without errors proves with the page's largest number.
    """
    path = "meaning" if kind == "whole" else "meaning.brief"
    counts, bug = attack.target.counts, target_of(params.target).bug
    n = counts.n[-1]
    if bug and bug.support and bounds.delta_lower > params.delta:
        return T(f"{path}.impossible", hits=n - counts.missed[-1])
    if bounds.bound[-1] > claim.epsilon:
        first = counts.n[int((bounds.bound > claim.epsilon).argmax())]
        return T(f"{path}.caught", n=first)
    # A result that is impossible without Ada refutes any ε, so no ceiling applies.
    if bounds.ceiling[-1] > claim.epsilon or (bug and bug.support):
        return T(f"{path}.not_refuted", n=n)
    if most > claim.epsilon:
        return T(f"{path}.too_few", n=n)
    if kind == "brief":
        return T("meaning.brief.out_of_reach")
    return T("meaning.out_of_reach", n_most=LOOKS[-1], most=most)


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
        title=T("words.name", target=target), guarantee=_guarantee(state), code=program,
    )  # fmt: skip


def _guarantee(state: PageState[AuditParams]) -> Guarantee:
    """Return the guarantee of one release of the attacked software, with what the attack has shown so far."""
    return audit.guarantee(state.params).against(evidence(state.params, state["attack"]))


def _worlds(params: AuditParams) -> None:
    """Display two neighbouring data sets, the record in which they differ (the canary), and the attack's score."""
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
    """Display the formula of the lower bound on ε, with the current error counts."""
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
