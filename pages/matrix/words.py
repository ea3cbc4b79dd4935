"""Texts of the Relevance matrix page: a summary sentence, downloads, the formula, and Brinkrolf et al.'s paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

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
from pages.matrix.arrays import EVEN
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

T = text.load_text(__file__)
Spread = NDArray[np.float64]
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
    """Return the summary sentence for every ε, which names the features with the largest relevance."""
    study: Study = state["study"]
    spread = _spread(state.params, state["outcomes"])
    draws = draws_of(state.problem, state["outcomes"]) if len(study.sweep.nodes) > 1 else None
    relied = _relied_on(state.problem, study, spread)
    if draws is None or study.best is None:
        brief = _relied_on(state.problem, study, spread, kind="brief")
    else:
        right = draws.medians_at_epsilons(state.params)
        brief = _headlines(state.problem, study, study.best.relevances, spread, right)
    causes = causes_in_words(draws, state.params) or [""] * len(relied)
    strings = [" ".join(filter(None, both)) for both in zip(relied, causes, strict=True)]
    short = () if brief == strings else brief
    return Text(strings=strings, brief=short, dims=("epsilon",), along=while_moving(state))


def _relied_on(
    problem: MatrixProblem,
    study: Study,
    spread: Spread | None,
    *,
    kind: Literal["meaning", "brief"] = "meaning",
) -> list[str]:
    if len(study.sweep.nodes) == 1:
        part = study.upto < study.sweep.params.epochs
        return [T("meaning.first_part" if part else "meaning.first")] * len(EPSILON_GRID)
    said = _at_epsilon if kind == "meaning" else _briefly
    return [
        said(problem, study, share, None if spread is None else spread[:, at])
        for at, share in enumerate(study.sweep.relevances())
    ]


def _at_epsilon(
    problem: MatrixProblem, study: Study, share: NDArray[np.float64], spread: Spread | None
) -> str:
    """Return the first part of the summary sentence at one ε: which features have the largest relevance.

    - ``share`` (F,): relevance of each of F features.
    - ``spread`` (2, F): ends of the middle 80 % of the relevance over the random draws; None before the draws.
    """
    feature = problem.dataset.feature_names
    one, two, *_ = share.argsort()[::-1]
    match _case(share, spread):
        case "alike":
            return " ".join(filter(None, (T("meaning.alike"), _without_privacy(problem, study))))
        case "chance":
            low, high = (1.0, 1.0) if spread is None else spread[:, one]
            return T("meaning.chance", one=feature[one], share=share[one], low=low, high=high)
    return T(
        "meaning.most", one=feature[one], share=share[one], other=feature[two], other_share=share[two]
    )  # fmt: skip


def _briefly(
    problem: MatrixProblem, study: Study, share: NDArray[np.float64], spread: Spread | None
) -> str:
    """Return a short form of the sentence of `_at_epsilon`: whether a feature stands out, and which.

    - ``share`` (F,): relevance of each of F features.
    - ``spread`` (2, F): ends of the middle 80 % of the relevance over the random draws; None before the draws.

    The arguments are those of `_at_epsilon`; ``study`` has no effect here.
    """
    case, top = _case(share, spread), int(share.argmax())
    if case == "alike":
        return T("meaning.brief.alike")
    return T(f"meaning.brief.{case}", one=problem.dataset.feature_names[top], share=share[top])


def _headlines(
    problem: MatrixProblem,
    study: Study,
    best: NDArray[np.float32],
    spread: Spread | None,
    right: NDArray[np.float64],
) -> list[str]:
    """Return, for every ε, a sentence that compares accuracy and most relevant feature with and without privacy.

    - ``best`` (F,): relevances of F features without privacy.
    - ``spread`` (2, E, F): ends of the middle 80 % of the relevances at each of E values of ε; None before the draws.
    - ``right`` (E,): median accuracy with privacy.
    """
    names = problem.dataset.feature_names
    plain = {
        "plain": study.best_accuracy, "best": names[int(best.argmax())], "best_share": best.max()
    }  # fmt: skip
    headlines = []
    for at, share in enumerate(study.sweep.relevances()):
        case = _case(share, None if spread is None else spread[:, at])
        private = (
            {} if case == "alike" else {"one": names[int(share.argmax())], "share": share.max()}
        )
        headlines.append(T(f"meaning.headline.{case}", right=right[at], **plain, **private))
    return headlines


def _case(share: NDArray[np.float64], spread: Spread | None) -> Literal["alike", "chance", "most"]:
    """Return the key of the sentence that is true of the most relevant feature.

    - "alike": all features have nearly the same relevance.
    - "chance": with other noise draws another feature can have the largest relevance.
    - "most": the feature stands out in about 90 % of the draws or more.
    """
    top = int(share.argmax())
    if share[top] < EVEN / len(share):
        return "alike"
    low = 1.0 if spread is None else spread[0, top]
    # Below an equal share another feature has more, whatever stands first here.
    return "chance" if low < 1 / len(share) else "most"


def _without_privacy(problem: MatrixProblem, study: Study) -> str:
    """Return a sentence on the most relevant feature of the non-private model, or "" until this model is trained."""
    if study.best is None:
        return ""
    share = study.best.relevances
    top = int(share.argmax())
    if share[top] < EVEN / len(share):
        return T("meaning.alike_best")
    return T("meaning.alike_but", feature=problem.dataset.feature_names[top], share=share[top])


def _spread(params: MatrixParams, outcomes: MatrixOutcomes | None) -> Spread | None:
    """Return the ends (2, E, F) of the middle 80 % of the relevances of F features over the draws, at E values of ε.

    Return None if there are no draws.
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
    """Return a text that compares four accuracies, or "" until they are known.

    They are the best accuracy without privacy, and those of the page's number of gradient steps: without clipping,
    with clipping, and with the noise for ε.
    """
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
    """Return a sentence with the smallest ε at which the σ of Brinkrolf et al. is too small for the ε they claim."""
    claims = relevance.real_epsilons(params.but(recipe="paper"))
    broken = [e for e, real in zip(EPSILON_GRID, claims, strict=True) if real > e]
    paper = relevance.printed_breaks(params.lots)
    if not broken:
        return T(f"words.stops.{params.lots}_never", paper=paper)
    return T(f"words.stops.{params.lots}", broken=broken[0], paper=paper)


def names(problem: MatrixProblem) -> str:
    """Return a text that lists at most 64 features by number and name."""
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
    """Return a text on an experiment of Brinkrolf et al., which adds noise to a trained matrix, with our results."""
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
    """Draw the table of standard deviations, or a progress bar until the table is computed.

    The progress bar is updated every second.
    """
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
    """Return a Markdown table with standard deviations of the test error, ours and the published ones.

    A row has the standard deviations over the values of one parameter.
    """
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
    """Return the files that a reader can download. Each file is computed when it is requested."""
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
    """Return the source code of a program that plots the relevances of all features.

    ``target`` names the column of a user's own table that holds the classes.
    """
    file = Path(__file__).with_name("program.py")
    own = "matrix.MatrixProblem(data, params.prototypes_per_class, params.rank)"
    return prototype_program(file, params, problem.dataset, target, own)


def profile_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return a table of every feature's relevance without privacy, and with privacy at the current ε."""
    study = state["study"]
    return pd.DataFrame(
        {
            "feature": list(state.problem.dataset.feature_names),
            "private": study.sweep.at(state.params.epsilon).relevances,
            "without_privacy": study.best.relevances if study.best is not None else np.nan,
        }
    )


def matrix_table(state: PageState[MatrixParams]) -> pd.DataFrame:
    """Return the released matrix Ω as a table with one column per feature.

    The matrix is for features scaled by their public bounds.
    """
    omega = state["study"].sweep.at(state.params.epsilon).omega
    return pd.DataFrame(omega, columns=list(state.problem.dataset.feature_names))
