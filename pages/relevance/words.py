"""The words under the figure: what is guaranteed, the formula with its numbers, tasks."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.exports import bundle
from pages.relevance.pipeline import N_DRAWS
from ui.explanation import Explanation
from ui.prototype_words import formula, shown, step_size, table_1
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
    formula(
        params,
        lambda sigma: (
            rf"W \leftarrow W - {step_size(params)}\Big(\sum_i \mathrm{{clip}}_C(g_i) + \sigma C Z\Big),"
            rf"\quad \sigma = {sigma:.4g},\ C = {params.clip_norm:g}",
        ),
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
