"""What can be taken along from the page Autoencoder: pictures, what attackers found, the tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.shown import Pictures
from ui import export
from ui.runner import PageState

__all__ = ["bundle", "found_table", "picture_figure", "similar_table"]

State = PageState[AutoencoderParams]


def bundle(state: State) -> export.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    return export.Bundle(
        name="autoencoder",
        title="Noise on the biases of an autoencoder",
        params=state.params,
        guarantee=autoencoder.guarantee(state.params, state.problem),
        code=autoencoder.code,
        figure=lambda: picture_figure(state),
        tables={
            "attacks": lambda: found_table(state),
            "similarity": lambda: similar_table(state),
        },
        facts=lambda: _facts(state),
    )


def _facts(state: State) -> dict[str, str]:
    params, answer = state.params, state.now("pictures")
    k = KINDS.index(params.kind)
    return {
        "pictures": f"{answer.problem.title}, {len(answer.problem.everyone):,} on the list",
        "distance of the two people (the paper says 1)": f"{answer.pair.distance[k]:.3g}",
        "distance of two people met by chance": f"{answer.pair.typical[k]:.3g}",
        "H to another digit": f"{answer.baselines.other_digit:.3f}",
    }


def found_table(state: State) -> pd.DataFrame:
    """Return what attackers found so far, a row for each noise level and kind."""
    params, found = state.params, state.newest("attacks")
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


def similar_table(state: State) -> pd.DataFrame:
    """Return the paper's three tables beside ours, one under the other."""
    parts = [
        pd.DataFrame(autoencoder.compare_tables(state.problem, state.params, kind)).assign(
            kind=kind
        )
        for kind in KINDS
    ]
    return pd.concat(parts, ignore_index=True)


def picture_figure(state: State) -> go.Figure:
    """Return the released pictures as a Plotly figure, for taking along."""
    params = state.params
    made = go.Figure(
        go.Heatmap(
            z=_mosaic(params, state.now("pictures"))[::-1], colorscale="gray_r", showscale=False
        )
    )
    made.update_xaxes(visible=False)
    made.update_yaxes(visible=False, scaleanchor="x")
    made.update_layout(title=f"ε = {params.epsilon:g}: " + (
        "invented digits" if params.real else "originals, then noise on hidden, output, both"
    ))  # fmt: skip
    return made


def _mosaic(params: AutoencoderParams, answer: Pictures) -> NDArray[np.float32]:
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
