"""The autoencoder page around its sweep: the lab, and the words under it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder import figure, words
from pages.autoencoder import figure_lines as autoencoder_lines
from pages.autoencoder import figure_panels as autoencoder_panels
from pages.autoencoder import pipeline as compute
from ui import escape, export, guarantee, live
from ui.figure_kit import common

__all__ = [
    "act",
    "controls_for",
    "drawn",
    "explain",
    "found_table",
    "lab",
    "miniature",
    "similar_table",
]

_ASIDE = ("kind", "digit", "draws", "other", "trained_on")  # the paper's method only


def lab(params: AutoencoderParams, dragging: bool) -> live.Figure:
    """Return the lab for what is known now, at two noise levels only while ``dragging``."""
    answer = compute.answer(params, dragging=dragging)
    if answer.error:
        st.error(escape.plain(answer.error))
    return drawn(params, answer)


def drawn(params: AutoencoderParams, answer: compute.Answer) -> live.Figure:
    """Return the lab of an answer."""
    along, previews = autoencoder_lines.line_arrays(answer.lines)
    made = figure.arrays(params, answer) | along
    busy = (
        live.Busy(progress=answer.progress, text=answer.text) if answer.busy else None
    )  # fmt: skip
    return live.Figure(
        controls=controls_for(params),
        values=common.values(params),
        arrays=made,
        previews=previews,
        coords={} if params.real else figure.COORDS,
        panels=autoencoder_panels.panels(params, answer, made),
        readouts=figure.readouts(params, answer),
        texts=figure.odds(params, answer),
        busy=busy,
    )


def controls_for(params: AutoencoderParams) -> list[live.Control]:
    """Return the controls; those of the paper's method alone are hidden beside the generator."""
    found = common.controls_of(params, common.buttons())
    if not params.real:
        return found
    return [
        replace(c, hidden=True) if c.name in _ASIDE
        else replace(c, label="privacy loss", ends=("more private", "less private"))
        if isinstance(c, live.Slider) and c.name == "epsilon" else c
        for c in found
    ]  # fmt: skip


def act(action: str, params: AutoencoderParams) -> AutoencoderParams:
    """Answer a button."""
    return compute.cancel(params) if action == "cancel" else params


def miniature() -> live.Figure:
    """Return the figure of the first settings, before any other draw of the noise is known."""
    params = AutoencoderParams()
    return drawn(params, compute.still(params))


def explain(params: AutoencoderParams) -> None:
    """Draw what stands under the figure: guarantee, formulas, tables, code, exports, tasks."""
    problem = compute.problem_of(params)
    promise = autoencoder.guarantee(params, problem)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee.card(promise)
    with right:
        words.formula(params, compute.answer(params))
    with st.expander("The paper's Tables 1 to 3 beside ours"):
        words.tables(params, problem)
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(autoencoder.code(params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(params, promise))
    with st.expander("Try this"):
        st.markdown(words.TASKS)


def _bundle(params: AutoencoderParams, promise: Any) -> export.Bundle:
    return export.Bundle(
        name="autoencoder",
        title="Noise on the biases of an autoencoder",
        params=params,
        guarantee=promise,
        code=autoencoder.code,
        figure=lambda: picture_figure(params),
        tables={
            "attacks": lambda: found_table(params),
            "similarity": lambda: similar_table(params),
        },
        facts=lambda: _facts(params),
    )


def _facts(params: AutoencoderParams) -> dict[str, str]:
    answer = compute.answer(params.but(real=False))
    k = KINDS.index(params.kind)
    return {
        "pictures": f"{answer.problem.title}, {len(answer.problem.everyone):,} on the list",
        "distance of the two people (the paper says 1)": f"{answer.pair.distance[k]:.3g}",
        "distance of two people met by chance": f"{answer.pair.typical[k]:.3g}",
        "H to another digit": f"{answer.baselines.other_digit:.3f}",
    }


def found_table(params: AutoencoderParams) -> pd.DataFrame:
    """Return what attackers found so far, a row for each noise level and kind."""
    found = compute.answer(params.but(real=False)).attacks
    rows = []
    moved = autoencoder.effective_epsilon(1.0, params.delta)
    for v, level in enumerate(autoencoder.LEVELS):
        for k, kind in enumerate(KINDS):
            row = {"epsilon": float(level / moved), "kind": kind}
            if found is not None:
                names = ("alone", "informed", "batch", "cancelled", "area")
                row |= {name: float(getattr(found, name)[v, k]) for name in names}
            rows.append(row)
    return pd.DataFrame(rows)


def similar_table(params: AutoencoderParams) -> pd.DataFrame:
    """Return the paper's three tables beside ours, one under the other."""
    problem = compute.problem_of(params)
    parts = [
        pd.DataFrame(autoencoder.compare_tables(problem, params, kind)).assign(kind=kind)
        for kind in KINDS
    ]
    return pd.concat(parts, ignore_index=True)


def picture_figure(params: AutoencoderParams) -> go.Figure:
    """Return the released pictures as a Plotly figure, for taking along."""
    answer = compute.answer(params)
    made = go.Figure(
        go.Heatmap(z=_mosaic(params, answer)[::-1], colorscale="gray_r", showscale=False)
    )
    made.update_xaxes(visible=False)
    made.update_yaxes(visible=False, scaleanchor="x")
    made.update_layout(title=f"ε = {params.epsilon:g}: " + (
        "invented digits" if params.real else "originals, then noise on hidden, output, both"
    ))  # fmt: skip
    return made


def _mosaic(params: AutoencoderParams, answer: compute.Answer) -> np.ndarray:
    high, wide = answer.problem.shape
    if params.real:
        made = autoencoder.fitted(answer.problem, params.delta, params.seed).at(params.epsilon)
        rows = made.sample(3, np.random.default_rng((params.seed, 4))).swapaxes(0, 1)
    else:
        nodes = answer.problem.nodes
        k = round(float(autoencoder.place_of(params.epsilon, params.delta, nodes)))
        rows = np.concatenate([answer.sweep.originals[None], answer.sweep.released[k]])
    tiles = rows.reshape(*rows.shape[:2], high, wide)
    return tiles.swapaxes(1, 2).reshape(len(rows) * high, -1)
