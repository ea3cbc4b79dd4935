"""The words under Mechanisms: guarantee, formulas, a real release, exports, tasks."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.mechanisms import secure
from pages.mechanisms import exports
from ui import escape
from ui.explanation import Explanation
from ui.runner import PageState

__all__ = ["words"]


def words(state: PageState[MechanismsParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=_shown(state),
        formula=lambda: _formula(params),
        sections={"A draw fit for release": lambda: _release(params)},
        bundle=exports.bundle(state, mechanisms.guarantee(params)),
        tasks=_TASKS,
    )


def _shown(state: PageState[MechanismsParams]) -> str:
    """What all answers that the figure draws of one world cost together."""
    found = state.now("outputs")
    n_answers = found.draws.shape[-1]
    return (
        f"the figure draws {n_answers} answers from the data D, each with noise of its own. Whoever sees them "
        f"all has ε = **{mechanisms.shown_epsilon(state.params, n_answers):.3g}**"
        + (". Publish one." if found.pure else " at the same δ. Publish one.")
    )


def _formula(params: MechanismsParams) -> None:
    asked = mechanisms.query(params)
    st.markdown("## The formula, with your numbers")
    st.markdown(f"**Sensitivity**: {asked.why}: Δ = {asked.sensitivity:g} {asked.unit}.")
    if params.noise in ("laplace", "staircase"):
        st.latex(rf"b = \Delta/\varepsilon = {asked.sensitivity:g}/{params.epsilon:g} = "
                 rf"{asked.sensitivity / params.epsilon:.4g}")  # fmt: skip
        st.markdown(_STAIRCASE if params.noise == "staircase" else _LAPLACE)
    else:
        _gaussian(params)


def _gaussian(params: MechanismsParams) -> None:
    exact = mechanisms.mechanism(params.but(noise="gaussian"))
    slide = mechanisms.mechanism(params.but(noise="classical"))
    real = slide.privacy.epsilon
    st.markdown("**The slide prints**, without saying for which ε")
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = {slide.scale:.4g}"
    )
    verdict = (
        "**below its promise**" if real <= params.epsilon else ":red[**not what it promises**]"
    )
    st.markdown(f"It is proved for ε < 1. Here it really costs ε = **{real:.4g}**: {verdict}.")
    st.markdown("**Exact** (Balle and Wang 2018): the smallest σ with")
    st.latex(
        r"\Phi\!\left(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)-e^\varepsilon"
        r"\Phi\!\left(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)\le\delta:"
        rf"\quad \sigma = {exact.scale:.4g}"
    )
    st.caption(f"You see σ = {mechanisms.mechanism(params).scale:.4g}.")


def _release(params: MechanismsParams) -> None:
    share = secure.betrayed_share(
        0.0, 1.0, params.epsilon, 1000, np.random.default_rng(params.seed)
    )
    st.markdown(
        "The draws of the figure are for looking. A computer's numbers have gaps, and with the textbook "
        "Laplace sampler the gaps depend on the data: of 1,000 outputs at f(D) = 0 just drawn, "
        f"**{share:.0%}** are numbers that f(D′) = 1 can never give (Mironov 2012). Each of them tells "
        "D from D′ with certainty, whatever ε says."
    )
    if not st.button("Draw once with OpenDP", help="Exact arithmetic, proved; Laplace noise."):
        return
    asked = mechanisms.query(params)
    try:
        drawn = secure.laplace_draw(asked.answer, asked.sensitivity, params.epsilon)
        st.success(f"A release of “{asked.record} hidden” at ε = {params.epsilon:g}: **{drawn!r}**")
        st.caption("Every press is another release: they add up. The seed has no say here.")
    except secure.OpenDPMissing as error:
        st.info(escape.plain(error))


_LAPLACE = (
    "The slide's formula is right: densities of neighbours differ by at most "
    "$e^{|f(D)-f(D')|/b} \\le e^{\\varepsilon}$, and k people by $e^{k\\varepsilon}$. The error is "
    "Δ/ε on average; it exceeds t times that with probability $e^{-t}$."
)
_STAIRCASE = (
    "Staircase noise is flat within each Δ and falls by $e^{\\varepsilon}$ from one to the next: no "
    "pure mechanism errs less, $\\Delta e^{\\varepsilon/2}/(e^{\\varepsilon}-1)$ instead of Δ/ε."
)
_TASKS = """
1. **Overlap is privacy.** Drag ε from 0.1 to 10 with Laplace noise. At which ε could you tell single
   dots of the two colours apart? What does *spy's guesses right* say there?
2. **Outside its proof.** Choose *Gaussian, the slide's σ* and raise ε past 8.42 at δ = 10⁻⁵. What
   happens to *ε it really costs*?
3. **A family of five.** Set k = 5 at ε = 1. Which ε would hide the family as well as one person?
4. **Ratings are not votes.** Under *More* choose the ratings, open *Choosing*, and read what the printed
   formula costs.
"""
