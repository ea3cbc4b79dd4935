"""Texts of the Budget page: a summary sentence, the guarantee, formulas, downloads, and tasks."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import streamlit as st

from dpcore import accounting
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.composition_tables import STEPS_GRID
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.budget import ledger, split, split_words
from pages.budget.figure import figure
from ui.export import downloads, from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.live.depth import Depth
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import tex

__all__ = [
    "act",
    "amplification",
    "at_present",
    "inverse",
    "meaning",
    "needed",
    "one_answer",
    "program",
    "words",
]

T = text.load_text(__file__)


def act(action: str, params: BudgetParams) -> BudgetParams:
    """Return the parameters after a button is pressed, which chooses the topic or sets the weights by a rule."""
    if action in ("same", "split"):
        return params.but(topic=action)
    return budget.split.preset(action, params) if action in budget.split.PRESETS else params


def meaning(state: PageState[BudgetParams]) -> Text:
    """Return the sentence that summarizes the figure. The browser fills in its numbers as sliders move."""
    return split.meaning() if state.params.topic == "split" else Text(strings=[T("meaning.cost")])


def words(state: PageState[BudgetParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params = state.params
    privacy = budget.guarantee(params)
    if params.topic == "split":
        return split_words.words(state, privacy, code=program)
    return Explanation(
        shown="",
        under_card=lambda: _over_budget(params, privacy),
        formula=lambda: _formula(state, privacy),
        claims=lambda: ledger.draw(params),
        claims_from=Depth.UNDERSTAND,
        checks={T("sections.printed"): lambda: _printed(state, privacy)},
        bundle=_bundle(state, privacy),
        tasks=T("tasks"),
    )


def program(params: BudgetParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).parent / "programs" / f"{params.topic}.py"
    return filled(file, params=f"budget.{params.to_code()}")


def one_answer(state: PageState[BudgetParams]) -> float:
    """Return the ε of one answer computed from all records, without sampling."""
    noise, _, delta = budget.place(state.params)
    return float(state.now("curves").one[noise, delta])


def at_present(state: PageState[BudgetParams], rule: str) -> float:
    """Return the total ε of all answers by a composition rule, at the current values of the controls."""
    steps = STEPS_GRID.index(state.params.n_steps)
    return float(getattr(state.now("curves"), rule)[(*budget.place(state.params), steps)])


def needed(state: PageState[BudgetParams]) -> float:
    """Return the smallest noise multiplier with which the total ε of all answers is within the budget."""
    _, rate, delta = budget.place(state.params)
    steps = STEPS_GRID.index(state.params.n_steps)
    epsilon = EPSILON_GRID.index(state.params.epsilon)
    return float(state.now("curves").needed[rate, delta, steps, epsilon])


def _bundle(state: PageState[BudgetParams], privacy: Guarantee) -> downloads.Bundle:
    return from_figure.taken(
        figure,
        state,
        draws="spent",
        tables={"curves": _curve_table, "ledger": lambda state: ledger.table(state.params)},
        name="budget",
        title=T("export.title", n_steps=state.params.n_steps),
        guarantee=privacy,
        code=program,
    )


def _curve_table(state: PageState[BudgetParams]) -> pd.DataFrame:
    """Return a table of the total ε against the number of answers, with a column for every composition rule.

    Noise, q and δ have their current values.
    """
    curves, place = state.now("curves"), budget.place(state.params)
    rows = {rule: getattr(curves, rule)[place] for rule in budget.RULES}
    return pd.DataFrame({"answers": STEPS_GRID, **rows})


def _over_budget(params: BudgetParams, privacy: Guarantee) -> None:
    if privacy.epsilon > params.epsilon:
        st.warning(T("card.over_budget", epsilon=params.epsilon))


def _formula(state: PageState[BudgetParams], privacy: Guarantee) -> None:
    params = state.params
    st.markdown(T("formula.title"))
    st.markdown(
        T("formula.together", n_steps=params.n_steps, real=privacy.epsilon, delta=privacy.delta)
    )
    st.markdown(amplification(params, one_answer(state)))
    st.markdown(inverse(params, needed(state)))
    _group(params, privacy)
    st.markdown(T("formula.bounds"))


def _printed(state: PageState[BudgetParams], privacy: Guarantee) -> None:
    """Display the composition rules of Sarkar's lecture next to the exact rules, with the current numbers."""
    params, q, steps = state.params, state.params.sample_rate, state.params.n_steps
    each = one = one_answer(state)
    real = privacy.epsilon
    if params.mechanism == "gaussian":
        one = float(
            accounting.printed_epsilon(noise_multiplier=params.noise_multiplier, delta=params.delta)
        )
    root, total = (at_present(state, rule) for rule in ("printed_root", "printed_sum"))
    st.markdown(T("printed.steps", n_steps=steps, one=one, share=total / (q * steps)))
    st.latex(
        rf"(qT\varepsilon,\ qT\delta) = ({tex(total)},\ {tex(params.delta)}),\qquad "
        rf"(q\varepsilon\sqrt{{T}},\ \delta) = ({tex(root)},\ {tex(params.delta)})"
    )
    st.markdown(T("printed.root.safe" if root >= real else "printed.root.unsafe", real=real))
    true, twice = float(accounting.amplified(each, q)), 2 * q * each
    sample = "printed.sample.safe" if twice >= true else "printed.sample.unsafe"
    st.markdown(T(sample, twice=twice, true=true))


def amplification(params: BudgetParams, each: float) -> str:
    """Return the text on how much less ε one answer spends if it is computed from a random sample.

    ``each`` is the ε of the answer without sampling.
    """
    q, pure = params.sample_rate, params.mechanism == "laplace"
    delta = 0.0 if pure else params.delta
    if q == 1:
        return T("amplification.everybody", each=each, delta=delta)
    amplified = tex(float(accounting.amplified(each, q)))
    formula = rf"$$\varepsilon' = \ln(1+q(e^\varepsilon-1)) = {amplified}.$$"
    if pure:
        return T("amplification.laplace", each=each, delta=delta, sample_rate=q, formula=formula)
    return T(
        "amplification.gaussian",
        each=each,
        delta=delta,
        sample_rate=q,
        formula=formula,
        less=q * delta,
    )


def inverse(params: BudgetParams, sigma: float) -> str:
    """Return the sentence on the smallest noise with which all answers fit into the budget.

    ``sigma`` is the noise multiplier of the Gaussian mechanism for this noise, or NaN if no tabulated noise suffices.
    """
    n_steps, epsilon = params.n_steps, params.epsilon
    if params.mechanism != "gaussian":
        return T("inverse.laplace", share=epsilon / n_steps)
    if math.isnan(sigma):
        return T("inverse.none", n_steps=n_steps, epsilon=epsilon)
    enough = math.ceil(sigma * 1e4) / 1e4
    return T("inverse.gaussian", n_steps=n_steps, epsilon=epsilon, sigma=enough)


def _group(params: BudgetParams, privacy: Guarantee) -> None:
    if params.group == 1 or math.isinf(privacy.epsilon):
        return
    epsilon, delta = accounting.group_privacy(privacy.epsilon, privacy.delta, group=params.group)
    verdict = "group.some" if delta < 0.5 else "group.nothing"
    st.markdown(T(verdict, group=params.group, epsilon=epsilon, delta=delta))
