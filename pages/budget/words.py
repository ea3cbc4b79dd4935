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
from ui.frame.depth import Depth
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words.numbers import short, show, tex

__all__ = ["words"]


def words(state: PageState[BudgetParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    privacy = budget.guarantee(params)
    return Explanation(
        shown="",
        under_card=lambda: _over_budget(params, privacy),
        formula=lambda: _formula(state, privacy),
        claims=lambda: ledger.draw(params),
        claims_from=Depth.UNDERSTAND,
        checks={"Two rules of Sarkar's lecture": lambda: _printed(state, privacy)},
        bundle=exports.bundle(state, privacy),
        tasks=_TASKS,
    )


def _over_budget(params: BudgetParams, privacy: Guarantee) -> None:
    if privacy.epsilon > params.epsilon:
        st.warning(f"That is more than your budget of ε = {short(params.epsilon)}.")


def _formula(state: PageState[BudgetParams], privacy: Guarantee) -> None:
    st.markdown("## Where the numbers come from")
    params = state.params
    st.markdown(
        f"**Together, {show(params.n_steps, 'count answer')}.** The privacy loss of each answer "
        "is a random number, and those of all answers add up. The account of the sum (Gopi, Lee and Wutschitz 2021; "
        f"a closed bound where the sum is out of reach) gives ε = **{short(privacy.epsilon)}** at "
        f"δ = {short(privacy.delta)}."
    )
    st.markdown(amplification(params, one_answer(state)))
    _inverse(state)
    _group(params, privacy)
    st.markdown(_BOUNDS)


def _printed(state: PageState[BudgetParams], privacy: Guarantee) -> None:
    """The lecture's rules with the reader's numbers, beside the truth."""
    real = privacy.epsilon
    params, q, steps = state.params, state.params.sample_rate, state.params.n_steps
    printed = one_answer(state)
    if params.mechanism == "gaussian":
        printed = float(
            accounting.printed_epsilon(noise_multiplier=params.noise_multiplier, delta=params.delta)
        )
    root, total = (at_present(state, name) for name in ("printed_root", "printed_sum"))
    st.markdown(
        f"Sarkar's lecture prints two rules for T = {show(steps, 'd')} steps. With the σ formula of the same "
        f"lecture, one step costs ε = {short(printed)} at δ. At δ/(qT), which the first rule leaves for a step, it "
        f"costs ε = {short(total / (q * steps))}."
    )
    st.latex(
        rf"(qT\varepsilon,\ qT\delta) = ({tex(total)},\ {tex(params.delta)}),\qquad "
        rf"(q\varepsilon\sqrt{{T}},\ \delta) = ({tex(root)},\ {tex(params.delta)})"
    )
    verdict = (
        "is safe here" if root >= real else "claims **less than the truth: it is no guarantee**"
    )
    st.markdown(f"The true cost is ε = **{short(real)}**. The second rule {verdict}.")
    each = one_answer(state)
    true, twice = float(accounting.amplified(each, q)), 2 * q * each
    verdict = "safe" if twice >= true else "**too small**"
    st.markdown(
        f"For one answer from a secret sample the lecture prints 2qε = {short(twice)}. "
        f"At qδ the true ε′ is {short(true)}, "
        f"so 2qε is {verdict} here. It is safe up to ε = 1.256 at any q."
    )


def amplification(params: BudgetParams, each: float) -> str:
    """Return what one answer costs that costs ``each`` where everybody takes part."""
    q, pure = params.sample_rate, params.mechanism == "laplace"
    delta = 0.0 if pure else params.delta
    alone = f"ε = {short(each)} at δ = {short(delta)}"
    if q == 1:
        return (
            f"**One answer.** Everybody takes part here (q = 1), and one answer costs {alone}. At q below 1, from a "
            "sample that stays secret, one answer costs less."
        )
    amplified = float(accounting.amplified(each, q))
    changed = "" if pure else f" Its δ falls with it, from δ to δ′ = qδ = {short(q * delta)}."
    return (
        f"**One answer from a secret sample.** If everybody takes part, one answer costs {alone}. Here each record "
        f"takes part with probability q = {short(q)}, independently of the others. Whatever the noise, "
        f"an answer then costs at most$$\\varepsilon' = \\ln(1+q(e^\\varepsilon-1)) = {tex(amplified)}.$${changed}"
    )


def _inverse(state: PageState[BudgetParams]) -> None:
    st.markdown(inverse(state.params, needed(state)))


def inverse(params: BudgetParams, sigma: float) -> str:
    """Return what noise the budget asks for; ``sigma`` is nan where none of the table is enough."""
    title = "**From budget to noise.** "
    if params.mechanism != "gaussian":
        share = short(params.epsilon / params.n_steps)
        return (
            f"{title}If the costs are simply added up, each answer may cost ε₀ = ε/T = {share}. "
            "Ask the same question only once: the mean of T answers at ε/T each has an error √T times that of one "
            "answer at ε."
        )
    goal = f"{show(params.n_steps, 'count answer')} within ε = {short(params.epsilon)}"
    if math.isnan(sigma):
        return f"{title}No σ of our tables gives {goal}."
    return f"{title}To give {goal}, σ = **{short(math.ceil(sigma * 1e4) / 1e4)}** is enough."


def _group(params: BudgetParams, privacy: Guarantee) -> None:
    if params.group == 1 or math.isinf(privacy.epsilon):
        return
    epsilon, delta = accounting.group_privacy(privacy.epsilon, privacy.delta, group=params.group)
    verdict = "" if delta < 0.5 else " That guarantees next to nothing."
    st.markdown(
        f"**{params.group} people together.** They have (kε, δ(eᵏᵋ − 1)/(eᵋ − 1)) = "
        f"({short(epsilon)}, {short(delta)}).{verdict}"
    )


_BOUNDS = (
    "**The other bounds of the figure** are never below the true cost either. *Advanced composition* (Dwork, "
    "Rothblum and Vadhan 2010) grows with √T instead of T while the ε of one answer is small. The *Rényi* "
    "account adds up the Rényi divergences of the answers (Mironov 2017)."
)
_TASKS = """
1. **How far does it reach?** Set your budget to 1. For how many answers is it enough? Now double the noise. Does the
   number of answers double as well?
2. **Ask once.** At *Understand*, enter 25 Laplace answers of ε₀ = 0.04 into the ledger, then one of ε₀ = 1. Which
   total is smaller? Which of the two tells you more about the data?
3. **It costs nothing.** Add *post-processing* to the ledger. What does it cost, and why?
4. **Where √T fails.** At *Check the papers*, take T = 5000 and q = 0.01, and lower σ from 5 to 0.5. From where on
   does Sarkar's second rule claim too little, and how wrong is it at σ = 0.6?
5. **One question.** Set T = 1. Why is qε too small even then?
"""
