"""The words under the matrix figure: guarantee, formula, what the paper found, tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from dpcore.experiments import matrix, relevance
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix import (
    PAPER_NOISE,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    MatrixParams,
    MatrixProblem,
    Study,
)
from dpcore.experiments.matrix.readings import read_readings
from pages.matrix.exports import bundle
from pages.matrix.meaning import losses
from pages.matrix.pipeline import PIPELINE
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
from ui.words import escape
from ui.words.numbers import short, show, tex

__all__ = ["names", "noise_experiment", "spread_table", "words"]

_READINGS = Path(__file__).resolve().parents[2] / "docs" / "matrix_noise.csv"
_TITLES = {"mnist": "MNIST", "har": "Motion"}
_OTHER_READINGS = (
    ("variance 0.025 on Ω", ("omega", "trace", 0.158)),
    ("deviation 0.025 on Λ", ("lambda", "trace", 0.025)),
    ("with mean diagonal 1, deviation 0.025 on Ω", ("omega", "diagonal", 0.025)),
    ("variance 0.025 on Ω", ("omega", "diagonal", 0.158)),
    ("deviation 0.025 on Λ", ("lambda", "diagonal", 0.025)),
    ("variance 0.025 on Λ", ("lambda", "diagonal", 0.158)),
)


def words(state: PageState[MatrixParams]) -> Explanation:
    """Return what stands under the figure."""
    problem, params = state.problem, state.params

    def paper() -> None:
        st.markdown("## What Brinkrolf, Berger and Hammer (2018) found, and what we found")
        st.markdown(noise_experiment())

    return Explanation(
        shown=shown(params, matrix.n_draws_for(problem)),
        under_card=lambda: st.markdown(_BOTH),
        formula=lambda: _formula(params, state.now("study")),
        printed=lambda: printed_sigma(params, _stops(params)),
        claims=paper,
        sections={"The names of the features": lambda: st.markdown(names(problem))},
        checks={
            **start_section(params, problem),
            **composed(params),
            "Table 1 of Brinkrolf, Berger and Hammer (2018) beside ours": lambda: st.markdown(
                table_1()
            ),
            "Their sweep over C, q and E beside ours": lambda: _spread(problem, params),
        },
        bundle=bundle(state),
        tasks=_TASKS,
        other=("relevance", "What do the typical points remember? See Relevance learning"),
    )


def _formula(params: MatrixParams, study: Study) -> None:
    formula(
        params,
        lambda sigma: (
            rf"(W, \Omega) \leftarrow (W, \Omega) - {step_size(params)}\Big(\sum_i "
            r"\mathrm{clip}_C(g_i) + \sigma C Z\Big)",
            rf"\sigma = {tex(sigma)},\quad C = {tex(params.clip_norm)},\quad \eta = "
            rf"{tex(params.learning_rate)},\quad q = {tex(params.sample_rate)}",
        ),
        about="g is the gradient by prototypes **and** matrix, clipped as one vector: one noise "
        "covers both. Λ = ΩᵀΩ, its diagonal, its eigen-images and its map are made from the released Ω and "
        f"cost nothing more.\n\n{losses(params, study)}",
    )


def _stops(params: MatrixParams) -> str:
    """From where on the printed σ does not keep its claim, with these settings."""
    claims = relevance.real_epsilons(params.but(recipe="paper"))
    broken = [e for e, real in zip(EPSILON_GRID, claims, strict=True) if real > e]
    where = f"ε = {short(broken[0])}" if broken else "no ε of the slider"
    # On lots of a fixed size the account is a bound, and not known to be reached.
    stops = {
        "poisson": "stops being private as claimed", "fixed": "is no longer shown to be private as claimed"
    }[params.lots]  # fmt: skip
    return (
        f" With your q, E and δ it {stops} from **{where}** on "
        f"(ε = {short(relevance.printed_breaks(params.lots))} with the q = 0.01 and E = 50 of 2018)."
    )


def _spread(problem: MatrixProblem, params: MatrixParams) -> None:
    st.markdown(sweep_words())
    st.markdown(_SPREAD)
    asked = params.but(epsilon=1.0, matrix_noise_std=0.025, person=0)
    wanted = st.session_state.get("spread.matrix") == asked
    if (
        st.button(
            "Train them all", help=f"{matrix.N_SETTINGS} settings at three ε, in the background"
        )
        or wanted
    ):
        st.session_state["spread.matrix"] = asked
        _spread_progress(problem, params)


@st.fragment(run_every=1.0)
def _spread_progress(problem: MatrixProblem, params: MatrixParams) -> None:
    """The table, or how far it is: asked for every second, so that it goes on."""
    known = PIPELINE.ask("spread", params)
    if known.value is None and not known.done:
        st.progress(
            known.fraction, known.words(f"Training {problem.dataset.title} at every setting")
        )
        if st.button("Cancel", key="spread.cancel"):
            PIPELINE.cancel(params)
            st.session_state.pop("spread.matrix", None)
    elif known.value is None:
        st.markdown(escape.plain(known.error or "Stopped."))
    else:
        st.markdown(spread_table(problem, known.value))


def names(problem: MatrixProblem) -> str:
    """Return the numbers of the features with their names, those of very many cut short."""
    found = [str(name) for name in problem.dataset.feature_names]
    told = ", ".join(f"{k} {escape.code(name)}" for k, name in enumerate(found[:64], start=1))
    return told + (f" … and {len(found) - 64} more" if len(found) > 64 else "") + "."


def noise_experiment() -> str:
    """Return the paper's experiment of noise on the matrix beside ours, in words."""
    rows = read_readings(_READINGS)
    found = {(r["data"], r["on"], r["scaled_to"], r["deviation"]): r for r in rows}
    lines = []
    for data, (before, more, spread) in PAPER_NOISE.items():
        ours = found[data, "omega", "trace", 0.025]
        lines.append(
            f"| {_TITLES[data]} | {show(before, '.4f')} | {show(ours['error'], '.4f')} | "
            f"+{show(more, '.4f')} ± {show(spread, '.4f')} | "
            f"+{show(ours['increase'], '.4f')} ± {show(ours['spread'], '.4f')} |"
        )
    other = "; ".join(
        f"{words} "
        + " and ".join(f"+{show(found[data, *key]['increase'], '.3f')}" for data in PAPER_NOISE)
        for words, key in _OTHER_READINGS
    )
    return (
        "They put normal noise “with variance σ = 0.025 on each element of the relevance "
        "matrix” of their GMLVQ without privacy and read the test error.\n\n"
        "| data | error, theirs | ours | increase, theirs | ours |\n|---|---|---|---|---|\n"
        + "\n".join(lines)
        + "\n\nThe text leaves open what is scaled how. Ours is noise of **standard deviation** 0.025 on "
        "the elements of **Ω**, with Λ scaled to trace 1: the reading that comes "
        f"nearest to both (five folds of Table 1's data, 6 draws each). The others, on MNIST and Motion: {other}. "
        "`python -m dpcore matrix-noise` measures them again. The tab *Noise on the matrix* does it for "
        "your data. They conclude that noise in Ω explains the loss of the private GMLVQ; compare "
        "what *the clipping* costs: clipping alone costs too."
    )


def spread_table(problem: MatrixProblem, errors: dict[str, Any]) -> str:
    """Return standard deviations of the test error beside the paper's, as a table."""
    said = {"clip_norm": "C", "sample_rate": "q", "epochs": "E"}
    head = " | ".join(f"ε = {short(e)}" for e in SPREAD_EPSILONS)
    rows = [f"| varies | {head} |", "|---|---|---|---|"]
    for name, printed in PAPER_SPREAD.items():
        ours = np.nanstd(errors[name], axis=0)
        cells = " | ".join(
            f"**{show(o, '.4f')}** ({show(p, '.4f')})" for o, p in zip(ours, printed, strict=True)
        )
        rows.append(f"| {said[name]}, {len(errors[name])} values | {cells} |")
    return (
        f"Standard deviation of the test error on {problem.dataset.title} over the values, in "
        "brackets that of Brinkrolf, Berger and Hammer on Motion.\n\n" + "\n".join(rows)
    )


_BOTH = (
    "The release is the prototypes **and** the matrix Ω. Ω starts at the identity, which no record "
    "touched. A feature with a large relevance is a fact about the group, not about one person."
)
_SPREAD = (
    "**On your data, live.** The same over the values of this page's sliders, with your other settings and one "
    "training part. Where the standard deviation is large, tuning matters, and tuning "
    "on private results costs privacy too, which no account here includes."
)
_TASKS = """
1. **When does the profile become noise?** Take the data set *Iris*. Drag ε from 20 to the left, and watch *relies on
   the same features*. At which ε would you no longer say which measurement tells the flowers apart? Do the thin lines
   say the same?
2. **Right for which reason?** With the data set *Breast cancer*, go to the largest ε. The noise then costs
   little, and still *relies on the same features* stays near what it is if all counted alike. Which of *the clipping*
   and *training in small steps* may be why? At *Understand*, raise C and E to find out.
3. **Fewer directions.** At *Understand*, set the rank to 2. The guarantee stays. Does the map get better?
4. **A formula outside of its proof.** At *Check the papers*, press *The 2018 paper's settings* and raise ε to 8. Read
   the card.
5. **Sensitive to noise?** Open *Noise on the matrix*. Which of the two models bears more noise, the private one or
   the other? Why might training with noise help there?
"""
