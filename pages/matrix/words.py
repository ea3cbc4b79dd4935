"""Texts of the page Relevance matrix: a summary sentence, downloads, the formula, the paper by Brinkrolf et al."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dpcore.estimate import middle
from dpcore.experiments import matrix, relevance
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.matrix import (
    PAPER_NOISE,
    PAPER_SPREAD,
    SPREAD_EPSILONS,
    MatrixOutcomes,
    MatrixParams,
    MatrixProblem,
    Study,
    read_readings,
)
from pages.matrix.figure import figure
from pages.matrix.pipeline import PIPELINE
from ui.export import downloads, from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.prototypes.estimates import causes_in_words, draws_of, while_moving
from ui.prototypes.paper import sweep_words, table
from ui.prototypes.program import prototype_program
from ui.prototypes.words import checks, formula, printed_sigma, shown, step_size
from ui.runner import PageState
from ui.upload.files import target_name
from ui.words import escape, text
from ui.words.numbers import percent, show, tex

__all__ = [
    "bundle",
    "losses",
    "matrix_table",
    "meaning",
    "names",
    "noise_experiment",
    "profile_table",
    "program",
    "spread_table",
    "words",
]

T = text.beside(__file__)
Spread = NDArray[np.float64]
_EVEN = 1.5
"""Below so many times an equal share a feature does not stand out."""
_READINGS = Path(__file__).resolve().parents[2] / "docs" / "matrix_noise.csv"
_OTHER_READINGS = {
    "omega_trace_variance": ("omega", "trace", 0.158),
    "lambda_trace_deviation": ("lambda", "trace", 0.025),
    "omega_diagonal_deviation": ("omega", "diagonal", 0.025),
    "omega_diagonal_variance": ("omega", "diagonal", 0.158),
    "lambda_diagonal_deviation": ("lambda", "diagonal", 0.025),
    "lambda_diagonal_variance": ("lambda", "diagonal", 0.158),
}


# The sentence on the figure -----------------------------------------------------------------------


def meaning(state: PageState[MatrixParams]) -> Text:
    """Return the sentence that summarizes the figure, for every ε: the features with the largest relevance."""
    study: Study = state["study"]
    spread = _spread(state.params, state["outcomes"])
    draws = draws_of(state.problem, state["outcomes"]) if len(study.sweep.nodes) > 1 else None
    relied, causes = (
        _relied_on(state.problem, study, spread),
        causes_in_words(draws, state.params),
    )
    strings = (
        [f"{one} {cause}" for one, cause in zip(relied, causes, strict=True)] if causes else relied
    )
    return Text(strings=strings, dims=("epsilon",), along=while_moving(state))


def _relied_on(problem: MatrixProblem, study: Study, spread: Spread | None) -> list[str]:
    if len(study.sweep.nodes) == 1:
        part = study.upto < study.sweep.params.epochs
        return [T("meaning.first_part" if part else "meaning.first")] * len(EPSILON_GRID)
    return [
        _at_epsilon(problem, study, share, None if spread is None else spread[:, at])
        for at, share in enumerate(study.sweep.relevances())
    ]


def _at_epsilon(
    problem: MatrixProblem, study: Study, share: NDArray[np.float64], spread: Spread | None
) -> str:
    """Return the summary sentence at one ε on the features with the largest relevance.

    Of each of F features, ``share`` (F,) is the relevance, and ``spread`` (2, F) its middle 80 % over the draws.
    """
    feature = problem.dataset.feature_names
    one, two, *_ = share.argsort()[::-1]
    low, high = (1.0, 1.0) if spread is None else spread[:, one]
    if share[one] < _EVEN / len(share):
        return " ".join(filter(None, (T("meaning.alike"), _without_privacy(problem, study))))
    # Below an equal share another feature has more, whatever stands first here.
    if low < 1 / len(share):
        return T("meaning.chance", one=feature[one], share=share[one], low=low, high=high)
    return T(
        "meaning.most", one=feature[one], share=share[one], other=feature[two], other_share=share[two]
    )  # fmt: skip


def _without_privacy(problem: MatrixProblem, study: Study) -> str:
    """Return a sentence on the most relevant feature of the non-private model; "" until it is trained."""
    if study.best is None:
        return ""
    share = study.best.relevances
    top = int(share.argmax())
    if share[top] < _EVEN / len(share):
        return T("meaning.alike_best")
    return T("meaning.alike_but", feature=problem.dataset.feature_names[top], share=share[top])


def _spread(params: MatrixParams, outcomes: MatrixOutcomes | None) -> Spread | None:
    """Return the middle 80 % of the relevances of F features over the draws at every ε, (2, n_epsilon, F).

    The result is None without draws.
    """
    if outcomes is None:
        return None
    at = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    places = relevance.index_table(params, outcomes.nodes)[:, *at]
    low = np.minimum(places.astype(int), len(outcomes.nodes) - 2)
    part = (places - low)[:, None]
    ends = middle(outcomes.profiles)[[0, 2]]
    return np.asarray((1 - part) * ends[:, low] + part * ends[:, low + 1], float)


# Under the figure ---------------------------------------------------------------------------------


def words(state: PageState[MatrixParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    problem, params = state.problem, state.params
    return Explanation(
        shown=shown(params, matrix.n_draws_for(problem)),
        under_card=lambda: st.markdown(T("words.both")),
        formula=lambda: _formula(params, state.now("study")),
        printed=lambda: printed_sigma(params, _stops(params)),
        claims=_noise_experiment,
        sections={T("words.names.title"): lambda: st.markdown(names(problem))},
        checks=checks(params, problem, lambda: _sweeps(problem, params)),
        bundle=bundle(state),
        tasks=T("words.tasks"),
        other=("relevance", T("words.next")),
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
        about=f"{T('words.step')}\n\n{losses(params, study)}",
    )


def losses(params: MatrixParams, study: Study) -> str:
    """Return a sentence with the accuracy lost by few steps, by clipping and by noise at the chosen ε."""
    sweep = study.sweep
    if len(sweep.nodes) == 1:
        return ""
    return T(
        "words.losses",
        best=percent(study.best_accuracy),
        steps=max(1, round(params.epochs / params.sample_rate)),
        plain=percent(1 - float(sweep.plain_errors[-1])),
        clip_norm=params.clip_norm,
        clipped=percent(1 - float(sweep.method_errors[-1])),
        epsilon=params.epsilon,
        private=percent(sweep.at(params.epsilon).accuracy),
    )


def _stops(params: MatrixParams) -> str:
    """Return a sentence with the smallest ε at which the σ of Brinkrolf et al. fails to give the claimed
    guarantee.
    """
    claims = relevance.real_epsilons(params.but(recipe="paper"))
    broken = [e for e, real in zip(EPSILON_GRID, claims, strict=True) if real > e]
    paper = relevance.printed_breaks(params.lots)
    if not broken:
        return T(f"words.stops.{params.lots}_never", paper=paper)
    return T(f"words.stops.{params.lots}", broken=broken[0], paper=paper)


def names(problem: MatrixProblem) -> str:
    """Return a text that lists the features by number and name, cut off after 64."""
    every = [str(name) for name in problem.dataset.feature_names]
    listed = ", ".join(f"{k} {escape.code(name)}" for k, name in enumerate(every[:64], start=1))
    if len(every) > 64:
        return T("words.names.some", names=listed, n=len(every) - 64)
    return T("words.names.all", names=listed)


# The paper's experiment of noise on the matrix ----------------------------------------------------


def _noise_experiment() -> None:
    st.markdown(T("words.noise.title"))
    st.markdown(noise_experiment())


def noise_experiment() -> str:
    """Return a text that compares the noise added to a trained matrix by Brinkrolf et al. with our repetition."""
    rows = {
        (r["data"], r["on"], r["scaled_to"], r["deviation"]): r for r in read_readings(_READINGS)
    }
    lines = []
    for data, (before, increase, spread) in PAPER_NOISE.items():
        ours = rows[data, "omega", "trace", 0.025]
        lines.append(
            (T(f"words.noise.{data}"), show(before, ".4f"), show(ours["error"], ".4f"),
             _increase(increase, spread), _increase(ours["increase"], ours["spread"]))
        )  # fmt: skip
    others = "; ".join(
        T("words.noise.reading", reading=T(f"words.noise.readings.{name}"),
          mnist=rows["mnist", *key]["increase"], har=rows["har", *key]["increase"])
        for name, key in _OTHER_READINGS.items()
    )  # fmt: skip
    head = T("words.noise.head")
    ours_in_words = T("words.noise.ours", others=others)
    return "\n\n".join((T("words.noise.printed"), table(head, lines), ours_in_words))


def _increase(mean: float, deviation: float) -> str:
    return f"+{show(mean, '.4f')} ± {show(deviation, '.4f')}"


# The paper's sweep, live --------------------------------------------------------------------------


def _sweeps(problem: MatrixProblem, params: MatrixParams) -> None:
    st.markdown(sweep_words())
    st.markdown(T("words.spread.about"))
    spread_params = params.but(epsilon=1.0, matrix_noise_std=0.025, person=0)
    wanted = st.session_state.get("spread.matrix") == spread_params
    if (
        st.button(T("words.spread.start"), help=T("words.spread.start_help", n=matrix.N_SETTINGS))
        or wanted
    ):
        st.session_state["spread.matrix"] = spread_params
        _spread_progress(problem, params)


@st.fragment(run_every=1.0)
def _spread_progress(problem: MatrixProblem, params: MatrixParams) -> None:
    """Draw the table of standard deviations or, until it is computed, a progress bar that is updated every second."""
    known = PIPELINE.ask("spread", params)
    if known.value is None and not known.done:
        doing = T("words.spread.doing", data=problem.dataset.title)
        st.progress(known.fraction, known.words(doing))
        if st.button(T("words.spread.cancel"), key="spread.cancel"):
            PIPELINE.cancel(params)
            st.session_state.pop("spread.matrix", None)
    elif known.value is None:
        st.markdown(escape.plain(known.error or T("words.spread.stopped")))
    else:
        st.markdown(spread_table(problem, known.value))


def spread_table(problem: MatrixProblem, errors: dict[str, Any]) -> str:
    """Return a Markdown table of the test error's standard deviations, ours beside Brinkrolf et al.'s."""
    symbols = {"clip_norm": "C", "sample_rate": "q", "epochs": "E"}
    columns = [T("words.spread.epsilon", epsilon=e) for e in SPREAD_EPSILONS]
    rows = [
        (
            T("words.spread.row", symbol=symbols[name], n=len(errors[name])),
            *(
                f"**{show(ours, '.4f')}** ({show(theirs, '.4f')})"
                for ours, theirs in zip(np.nanstd(errors[name], axis=0), printed, strict=True)
            ),
        )
        for name, printed in PAPER_SPREAD.items()
    ]
    head = " | ".join((T("words.spread.varies"), *columns))
    return f"{T('words.spread.result', data=problem.dataset.title)}\n\n{table(head, rows)}"


# What may be taken along --------------------------------------------------------------------------


def bundle(state: PageState[MatrixParams]) -> downloads.Bundle:
    """Return the page's downloadable files; each is computed only when requested."""
    problem, target = state.problem, target_name("own_data")
    return from_figure.taken(
        figure,
        state,
        draws="profile",
        panels=("curve",),
        whole=("study",),
        tables={"relevances": profile_table, "matrix": matrix_table},
        name="matrix",
        title=T("words.name", data=problem.dataset.title),
        guarantee=relevance.guarantee(state.params, problem),
        code=lambda chosen: program(chosen, problem, target),
    )


def program(params: MatrixParams, problem: MatrixProblem, target: str) -> str:
    """Return the source code of a program that plots all relevances.

    ``target`` is the class column of a user's own table.
    """
    file = Path(__file__).with_name("program.py")
    own = "matrix.MatrixProblem(data, params.prototypes_per_class, params.rank)"
    return prototype_program(file, params, problem.dataset, target, own)


def profile_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return a table of the relevance of every feature: in the private model at ε, and without privacy."""
    study = state["study"]
    return pd.DataFrame(
        {
            "feature": list(state.problem.dataset.feature_names),
            "private": study.sweep.at(state.params.epsilon).relevances,
            "without_privacy": study.best.relevances if study.best is not None else np.nan,
        }
    )


def matrix_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return the released matrix Ω as a table; its columns are the features, scaled by their public bounds."""
    omega = state["study"].sweep.at(state.params.epsilon).omega
    return pd.DataFrame(omega, columns=list(state.problem.dataset.feature_names))
