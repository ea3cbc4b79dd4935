"""Texts of the Mechanisms page: a summary sentence, the guarantee, formulas, a real release, downloads and tasks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID
from dpcore.mechanisms import Gaussian, secure
from pages.mechanisms.figure import figure
from ui.export import downloads, from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.program import filled
from ui.runner import PageState
from ui.words import escape, text
from ui.words.numbers import tex
from ui.words.protection import tells
from ui.words.units import one_record

__all__ = ["draw_table", "meaning", "program", "words"]

T = text.load_text(__file__)

_CURVES = ((0.55, "same"), (0.75, "near"), (0.95, "apart"), (1.01, "far"))


def meaning(state: PageState[MechanismsParams]) -> Text:
    """Return the summary sentence for every ε and every group size."""
    params, outputs = state.params, mechanisms.displayed_outputs(state.params, state["outputs"])
    at = 0 if outputs.pure else DELTA_GRID.index(params.delta)
    who = [_who(params, k) for k in GROUP_GRID]
    return Text(
        strings=[
            T(f"meaning.{_separation_key(right)}", tells=tells(one, whom))
            for right, whom, one in zip(
                outputs.spy[:, at].ravel(),
                who * len(EPSILON_GRID),
                mechanisms.for_groups(params),
                strict=True,
            )
        ],
        dims=("epsilon", "group"),
    )


def _separation_key(right: float) -> str:
    """Return the key in ``text.toml`` of the phrase on how well outputs on neighbouring data sets can be told apart.

    ``right`` is the share of right guesses of the most powerful test.
    """
    return next(name for limit, name in _CURVES if right < limit)


def _who(params: MechanismsParams, k: int) -> str:
    query = mechanisms.query(params)
    k, team = query.differing(k), one_record(query.whose) == "team"
    if k == 1:
        return T("who.team" if team else "who.person")
    return T("who.teams" if team else "who.people", k=k)


def words(state: PageState[MechanismsParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params = state.params
    return Explanation(
        shown=_shown(state),
        formula=lambda: _formula(params),
        sections={T("sections.release"): lambda: _release(params)},
        checks={T("sections.printed"): lambda: _printed(params)},
        bundle=_bundle(state),
        tasks=T("tasks"),
    )


def program(params: MechanismsParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    query, noise = mechanisms.query(params), mechanisms.mechanism(params)
    more = f", delta={params.delta!r}" if isinstance(noise, Gaussian) else ""
    more += ', calibration="classical"' if params.noise == "classical" else ""
    replaced = query.neighbouring == "replace_one"
    return filled(
        Path(__file__).with_name("program.py"),
        noise=f"mechanisms.{type(noise).__name__}"
        f"(epsilon={params.epsilon!r}, sensitivity={query.sensitivity!r}{more})",
        answer=repr(query.answer),
        moved=repr(query.differing(params.group) * query.sensitivity),
        other='"replaced"' if replaced else '"without"',
        seed=repr(params.seed),
    )


def _bundle(state: PageState[MechanismsParams]) -> downloads.Bundle:
    params = state.params
    noise, record = mechanisms.mechanism(params).name, mechanisms.query(params).record
    return from_figure.taken(
        figure,
        state,
        draws="worlds",
        panels=("errors",),
        tables={"draws": draw_table},
        name="mechanisms",
        title=T("export.title", noise=noise, record=record),
        guarantee=mechanisms.guarantee(params),
        code=program,
    )


def draw_table(state: PageState[MechanismsParams]) -> pd.DataFrame:
    """Return a table of noisy answers, with a column for each of the two neighbouring data sets."""
    params, outputs = state.params, state["outputs"]
    query = mechanisms.query(params)
    row = outputs.draws[EPSILON_GRID.index(params.epsilon)]
    draws = row[0 if outputs.pure else DELTA_GRID.index(params.delta)]
    noise = query.sensitivity * draws[: params.n_answers]
    other = query.answer - query.differing(params.group) * query.sensitivity
    table = pd.DataFrame({"with": query.answer + noise, "without": other + noise})
    together = mechanisms.shown_epsilon(params, len(table))
    table.attrs["note"] = T("export.draws", n_answers=len(table), together=together)
    return table


def _shown(state: PageState[MechanismsParams]) -> str:
    """Return a sentence with the total ε of all plotted answers, which are computed from the same data set."""
    n_answers = state.params.n_answers
    kind = "pure" if state.now("outputs").pure else "gaussian"
    record = one_record(mechanisms.query(state.params).whose)
    together = mechanisms.shown_epsilon(state.params, n_answers)
    return T(f"card.{kind}.{record}", n_answers=n_answers, together=together)


def _formula(params: MechanismsParams) -> None:
    query = mechanisms.query(params)
    unit = query.unit_of(query.sensitivity)
    st.markdown(T("formula.title"))
    st.markdown(T("formula.sensitivity", why=query.why, sensitivity=query.sensitivity, unit=unit))
    if params.noise in ("laplace", "staircase"):
        st.latex(rf"b = \Delta/\varepsilon = {tex(query.sensitivity, '.6g')}/{tex(params.epsilon)} = "
                 rf"{tex(query.sensitivity / params.epsilon)}")  # fmt: skip
        st.markdown(T(f"formula.{params.noise}"))
    else:
        _gaussian(params)


def _gaussian(params: MechanismsParams) -> None:
    exact = mechanisms.mechanism(params.but(noise="gaussian"))
    st.markdown(T("formula.gaussian"))
    st.latex(
        r"\Phi\!\left(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)-e^\varepsilon"
        r"\Phi\!\left(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta}\right)\le\delta:"
        rf"\quad \sigma = {tex(exact.scale)}"
    )
    st.caption(T("formula.figure", sigma=mechanisms.mechanism(params).scale))


def _printed(params: MechanismsParams) -> None:
    """Display the noise formulas that Sarkar's lecture prints, and the ε that these formulas really give."""
    printed = mechanisms.mechanism(params.but(noise="classical"))
    real = printed.privacy.epsilon
    st.markdown(T("printed.gaussian"))
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = {tex(printed.scale)}"
    )
    verdict = "printed.safe" if real <= params.epsilon else "printed.unsafe"
    st.markdown(T(verdict, epsilon=params.epsilon, real=real))
    st.markdown(T("printed.laplace") + "  \n" + T("printed.exponential"))


def _release(params: MechanismsParams) -> None:
    share = secure.betrayed_share(
        0.0, 1.0, params.epsilon, 1000, np.random.default_rng(params.seed)
    )
    st.markdown(T("release.words", share=share))
    if not st.button(T("release.button"), help=T("release.help")):
        return
    query = mechanisms.query(params)
    try:
        answer = secure.laplace_draw(query.answer, query.sensitivity, params.epsilon)
        st.success(
            T("release.drawn", record=query.record, epsilon=params.epsilon, answer=repr(answer))
        )
        st.caption(T("release.again"))
    except secure.OpenDPMissing as error:
        st.info(escape.plain(error))
