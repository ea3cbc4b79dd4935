"""The words under the figure: what is guaranteed, the formula with its numbers, tasks."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments.relevance import RelevanceParams
from pages.relevance.exports import bundle
from pages.relevance.pipeline import N_DRAWS
from ui.frame.explanation import Explanation
from ui.prototypes.noisy_start import start_section
from ui.prototypes.paper_sweep import sweep_words
from ui.prototypes.words import (
    composed,
    formula,
    printed_sigma,
    shown,
    step_size,
    table_1,
)
from ui.runner import PageState
from ui.words.numbers import tex

__all__ = ["words"]


def words(state: PageState[RelevanceParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=shown(params, N_DRAWS),
        formula=lambda: _formula(params),
        printed=lambda: printed_sigma(params),
        checks={
            **start_section(params, state.problem),
            **composed(params),
            "Table 1 of Brinkrolf, Berger and Hammer (2018) beside ours": lambda: st.markdown(
                table_1()
            ),
            "Their sweep over C, q and E beside ours": lambda: st.markdown(sweep_words()),
        },
        bundle=bundle(state),
        tasks=_TASKS,
        other=("matrix", "What does it rely on? See Relevance matrix"),
    )


def _formula(params: RelevanceParams) -> None:
    formula(
        params,
        lambda sigma: (
            rf"W \leftarrow W - {step_size(params)}\Big(\sum_i \mathrm{{clip}}_C(g_i) + \sigma C Z\Big),"
            rf"\quad \sigma = {tex(sigma)},\ C = {tex(params.clip_norm)}",
        ),
    )


_TASKS = """
1. **How much privacy can you have?** Drag ε from 20 to the left. Where do the prototypes stop being useful? Choose
   *Digits 8×8* and do it again. Why does it happen elsewhere?
2. **More prototypes cost no privacy.** Choose *Three spirals* and raise m from 1 to 8. The hundred people stay as
   they are. Why? (At *Understand*, the tab *Gradient norms* tells.)
3. **Clip too hard, or too little.** At *Understand*, move C from 0.05 to 5 at ε = 1. Watch what *the clipping* costs
   and what *the noise* costs. Which C makes which of the two large?
4. **A formula outside of its proof.** At *Check the papers*, choose the printed formula, E = 1 and ε = 10. What does
   the training really cost?
"""
