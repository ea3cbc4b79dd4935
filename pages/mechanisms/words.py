"""The words under Mechanisms: guarantee, formulas, a real release, exports, tasks."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.mechanisms import secure
from pages.mechanisms import exports
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words import escape
from ui.words import numbers as numbers
from ui.words.units import one_record

__all__ = ["words"]


def words(state: PageState[MechanismsParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=_shown(state),
        formula=lambda: _formula(params),
        sections={"A draw that is fit for release": lambda: _release(params)},
        checks={"What Sarkar's lecture prints, and what is right": lambda: _printed(params)},
        bundle=exports.bundle(state, mechanisms.guarantee(params)),
        tasks=_TASKS,
    )


def _shown(state: PageState[MechanismsParams]) -> str:
    """What all answers that the figure draws of one world cost together."""
    found = state.now("outputs")
    n_answers = found.draws.shape[-1]
    one = one_record(mechanisms.query(state.params).whose)
    who = "Ada" if one == "person" else f"the {one}"
    together = numbers.short(mechanisms.shown_epsilon(state.params, n_answers))
    return (
        f"the figure draws {n_answers} answers with {who} in the data, each with fresh noise. Whoever saw them "
        f"all would have ε = **{together}**"
        + (". Publish one." if found.pure else " at the same δ. Publish one.")
    )


def _formula(params: MechanismsParams) -> None:
    asked = mechanisms.query(params)
    st.markdown("## The formula, with your numbers")
    unit = asked.unit_of(asked.sensitivity)
    st.markdown(
        f"**Sensitivity**: {asked.why}. So Δ = {numbers.show(asked.sensitivity, '.6g')} {unit}."
    )
    if params.noise in ("laplace", "staircase"):
        st.latex(rf"b = \Delta/\varepsilon = {numbers.tex(asked.sensitivity, '.6g')}/{numbers.tex(params.epsilon)} = "
                 rf"{numbers.tex(asked.sensitivity / params.epsilon)}")  # fmt: skip
        st.markdown(_STAIRCASE if params.noise == "staircase" else _LAPLACE)
    else:
        _gaussian(params)


def _gaussian(params: MechanismsParams) -> None:
    exact = mechanisms.mechanism(params.but(noise="gaussian"))
    st.markdown("**Gaussian noise** (Balle and Wang 2018): take the smallest σ with")
    st.latex(
        r"\Phi\!\left(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)-e^\varepsilon"
        r"\Phi\!\left(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)\le\delta:"
        rf"\quad \sigma = {numbers.tex(exact.scale)}"
    )
    st.caption(f"The figure is drawn with σ = {numbers.short(mechanisms.mechanism(params).scale)}.")


def _printed(params: MechanismsParams) -> None:
    """The formulas of the lecture under its author's name, beside what they really give."""
    printed = mechanisms.mechanism(params.but(noise="classical"))
    real = printed.privacy.epsilon
    st.markdown("**Gaussian noise.** Sarkar's lecture prints, without saying for which ε,")
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = {numbers.tex(printed.scale)}"
    )
    verdict = (
        "which keeps the promise" if real <= params.epsilon else ":red[**more than promised**]"
    )
    st.markdown(
        f"This is proved for ε < 1. At your ε = {numbers.short(params.epsilon)} it really costs ε = "
        f"**{numbers.short(real)}**, {verdict}."
    )
    st.markdown(
        "**Laplace noise.** The lecture's $b = \\Delta/\\varepsilon$ is right.  \n"
        "**Exponential mechanism.** It prints $e^{\\varepsilon s/\\Delta}$ for the weight of an option with score "
        "s. The right weight is $e^{\\varepsilon s/2\\Delta}$; without the 2 the choice may cost 2ε. "
        "The tab *Choosing* shows both."
    )


def _release(params: MechanismsParams) -> None:
    share = secure.betrayed_share(
        0.0, 1.0, params.epsilon, 1000, np.random.default_rng(params.seed)
    )
    st.markdown(
        "The answers in the figure are for looking only. A computer cannot hold every number, and the textbook way "
        "to draw Laplace noise leaves gaps that depend on the data. We drew 1000 answers to a question whose "
        f"true answer is 0. **{numbers.show(share, '.0%')}** of them are numbers that can never come "
        f"out when the true answer is 1 "
        "(Mironov 2012). Whoever sees such a number knows which it was, whatever ε promises."
    )
    if not st.button("Draw once with OpenDP", help="Exact arithmetic, proved; Laplace noise."):
        return
    asked = mechanisms.query(params)
    try:
        drawn = secure.laplace_draw(asked.answer, asked.sensitivity, params.epsilon)
        st.success(
            f"A release of “{asked.record} hidden” at ε = {numbers.short(params.epsilon)}: **{drawn!r}**"
        )
        st.caption("Every press is another release: they add up. The seed has no say here.")
    except secure.OpenDPMissing as error:
        st.info(escape.plain(error))


_LAPLACE = (
    "One person changes the likelihood of any answer by a factor of at most "
    "$e^{|f(D)-f(D')|/b} \\le e^{\\varepsilon}$, and k people by $e^{k\\varepsilon}$. The answer is off by "
    "Δ/ε on average; it is off by more than t times that with probability $e^{-t}$."
)
_STAIRCASE = (
    "Staircase noise is flat within each Δ and falls by the factor $e^{\\varepsilon}$ from one step to the next. For "
    "answers that are real numbers, no added noise with δ = 0 is closer to the truth (Geng and Viswanath): it is off "
    "by $\\Delta e^{\\varepsilon/2}/(e^{\\varepsilon}-1)$ on average, where Laplace noise is off by Δ/ε. For a "
    "count, geometric noise on whole numbers is closer: it is off by $2e^{-\\varepsilon}/(1-e^{-2\\varepsilon})$."
)
_TASKS = """
1. **Overlap is privacy.** Drag ε from 0.1 to 10. At which ε can you tell the two colours apart dot
   by dot? How often does an attacker guess right there?
2. **A family of five.** At *Understand*, set k = 5 at ε = 1. Which ε hides the family as well as one person?
3. **Outside its proof.** At *Check the papers*, choose the Gaussian noise that Sarkar's lecture prints, and raise ε
   past 8.42 at δ = 10⁻⁵. What happens to *ε it really costs*?
4. **Ratings are not votes.** At *Check the papers*, choose the ratings, open *Choosing*, and read what the
   printed formula costs.
"""
