"""The words under the figure: what is guaranteed, the formula with its numbers, tasks."""

from __future__ import annotations

import math

import streamlit as st

from dpcore import accounting
from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from dpcore.grids import EPSILON_GRID
from pages.relevance.exports import bundle
from pages.relevance.pipeline import N_DRAWS
from ui.explanation import Explanation
from ui.prototype_words import shown, table_1, words_of_reading
from ui.runner import PageState

__all__ = ["words"]


def words(state: PageState[RelevanceParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=shown(params, N_DRAWS),
        formula=lambda: _formula(params),
        sections={"The paper's Table 1 beside ours": lambda: st.markdown(table_1())},
        bundle=bundle(state),
        tasks=_TASKS,
        other=("matrix", "Which features count: Relevance matrix (DP-GMLVQ)"),
    )


def _formula(params: RelevanceParams) -> None:
    steps = max(1, round(params.epochs / params.sample_rate))
    rest = (1 - params.init_share) * params.epsilon
    sigma = relevance.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)]
    tight = params.but(recipe="tight")
    needed = relevance.noise_multipliers(tight)[EPSILON_GRID.index(params.epsilon)]
    printed = accounting.paper_noise_multiplier(rest, params.delta, params.sample_rate, steps)
    real = relevance.real_epsilons(params.but(recipe="paper"))
    claim = real[EPSILON_GRID.index(params.epsilon)]
    st.markdown("#### The formula, with your numbers")
    st.latex(
        rf"W \leftarrow W - \tfrac{{\eta}}{{qN}}\Big(\sum_i \mathrm{{clip}}_C(g_i) + "
        rf"\sigma C Z\Big),\quad \sigma = {sigma:.4g},\ C = {params.clip_norm:g}"
    )
    st.markdown(
        f"**Tight accountant**: the smallest σ at which T = E/q = {steps} steps cost "
        f"ε₂ = (1 − {params.init_share:g})·{params.epsilon:g} = {rest:.3g} at δ/2 is "
        f"**{needed:.4g}**."
    )
    st.markdown("**The paper prints** (Brinkrolf, Berger and Hammer 2018)")
    st.latex(
        rf"\sigma = \frac{{2q\sqrt{{T\ln(1/\delta)}}}}{{\varepsilon_2}} = "
        rf"\frac{{2\cdot {params.sample_rate:g}\sqrt{{{steps}\cdot {math.log(1 / params.delta):.4g}}}}}"
        rf"{{{rest:.3g}}} = {printed:.4g}"
    )
    st.markdown(
        f"With it the whole training really costs ε = **{claim:.3g}** when its start and its steps are added "
        f"up (**{relevance.joint_epsilon(params.but(recipe='paper')):.3g}** when they are composed together), "
        f"not {params.epsilon:g}. " + words_of_reading(claim, params.epsilon)
    )


_TASKS = """
1. **How little privacy is enough?** Drag ε from 20 down until the accuracy leaves the band of its
   best values. Where is the knee? Do the same with *Digits 8×8*: why is it elsewhere?
2. **Clip too hard, clip too little.** Move C from 0.05 to 5 at ε = 1. Watch what *the method*
   and *the noise* cost: which one pays for which mistake?
3. **More prototypes for free.** Take *Three spirals* and raise m from 1 to 8. The guarantee does
   not change. Why not? (The tab *Gradient norms* tells.)
4. **A formula that breaks its promise.** Choose the paper's formula, E = 1, ε = 10, and read what it
   really costs.
"""
