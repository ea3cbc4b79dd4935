"""The words under Budget: guarantee, the formulas with the reader's numbers, the ledger, exports, tasks."""

from __future__ import annotations

import math

import streamlit as st

from dpcore import accounting
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.guarantee import Guarantee
from pages.budget import exports, ledger
from pages.budget.exports import at_present, needed, one_answer
from ui import guarantee
from ui.explanation import Explanation
from ui.runner import PageState

__all__ = ["words"]


def _real(params: BudgetParams) -> float:
    return accounting.spent(budget.whole(params), params.delta)


def words(state: PageState[BudgetParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    privacy = budget.guarantee(params, _real(params.but(ledger="", epsilon=1.0, group=1)))
    return Explanation(
        card=lambda: _card(params, privacy),
        formula=lambda: _formula(state, privacy.epsilon),
        claims=lambda: ledger.draw(params),
        bundle=exports.bundle(state, privacy),
        tasks=_TASKS,
    )


def _card(params: BudgetParams, privacy: Guarantee) -> None:
    guarantee.card(privacy, draws=False)
    if privacy.epsilon > params.epsilon:
        st.warning(f"That is more than the budget ε = {params.epsilon:g}.")


def _formula(state: PageState[BudgetParams], real: float) -> None:
    st.markdown("## The formulas, with your numbers")
    params, q, steps = state.params, state.params.sample_rate, state.params.n_steps
    each = one_answer(state)
    slide = each
    if params.mechanism == "gaussian":
        slide = float(accounting.printed_epsilon(params.noise_multiplier, params.delta))
    root, total = (at_present(state, name) for name in ("printed_root", "printed_sum"))
    st.markdown(
        f"**The slides print** two rules for T = {steps} steps. Their own σ formula gives one step "
        f"ε = {slide:.4g} at δ; at the δ/(qT) that the first rule leaves a step, ε = {total / (q * steps):.4g}."
    )
    st.latex(
        rf"(qT\varepsilon,\ qT\delta) = ({total:.4g},\ {params.delta:g}),\qquad "
        rf"(q\varepsilon\sqrt{{T}},\ \delta) = ({root:.4g},\ {params.delta:g})"
    )
    verdict = "safe here" if root >= real else ":red[**less than the truth: not a guarantee**]"
    st.markdown(f"The true cost is ε = **{real:.4g}**; the second is {verdict}.")
    _amplification(each, q)
    _inverse(state)
    _group(params, real)


def _amplification(each: float, q: float) -> None:
    st.markdown(
        f"**One step on a sample** (Poisson sampling, add or remove one). Accounted exactly, one step on "
        f"everybody costs ε = {each:.4g}:"
    )
    amplified = float(accounting.amplified(each, q))
    st.latex(
        rf"\varepsilon' = \ln(1+q(e^\varepsilon-1)) = {amplified:.4g},\quad "
        rf"2q\varepsilon = {2 * q * each:.4g}"
    )


def _inverse(state: PageState[BudgetParams]) -> None:
    params = state.params
    if params.mechanism != "gaussian":
        st.markdown(
            f"**From budget to noise**: adding up would allow ε₀ = ε/T = {params.epsilon / params.n_steps:.3g} "
            "an answer. T equal questions are better asked once: the mean of T answers at ε/T each errs "
            "√T times more than one answer at ε."
        )
        return
    sigma = needed(state)
    st.markdown(
        f"**From budget to noise**: {params.n_steps} steps within ε = {params.epsilon:g} need "
        f"σ = **{sigma:.3g}** (read off the table of true costs, as under the figure)."
    )


def _group(params: BudgetParams, real: float) -> None:
    if params.group == 1 or math.isinf(real):
        return
    epsilon, delta = accounting.group_privacy(real, params.delta, params.group)
    verdict = "" if delta < 0.5 else " That promises next to nothing."
    st.markdown(
        f"**{params.group} people together**: (kε, δ(e^kε − 1)/(e^ε − 1)) = "
        f"({epsilon:.4g}, {delta:.3g}).{verdict}"
    )


_TASKS = """
1. **Where √T breaks.** With Gaussian noise, T = 5000 and q = 0.01, lower σ from 5 to 0.5. Where does the
   slides' second rule turn red, and by how much is it wrong at σ = 0.6?
2. **One question.** Set T = 1: why is qε too small even then?
3. **Ask once.** In the ledger add 25 Laplace answers of ε₀ = 0.04, then one of ε₀ = 1. Which total is smaller,
   and which tells you more about the data?
4. **Free lunch.** Add *post-processing* to the ledger. What does it cost, and why?
"""
