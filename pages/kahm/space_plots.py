"""Rotatable Plotly figures of three-dimensional samples and of the surfaces that affine hull machines fit to them."""

from __future__ import annotations

import html

import plotly.graph_objects as go
import plotly.io
import streamlit as st

from dpcore.experiments import kahm
from dpcore.experiments.kahm import KahmParams, Space
from dpcore.experiments.kahm.machine import N_BODIES
from ui.words import text

__all__ = ["draw", "page", "space_plot"]

T = text.load_text(__file__)
_HEIGHT = 420
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title></head>'
    '<body style="font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem">'
    "<h1>{title}</h1><p>{words}</p>{figures}<p>{source}</p></body></html>"
)


def space_plot(space: Space, body: int) -> go.Figure:
    """Return a rotatable plot with one sample as dots, and with the surface that a machine fits to it as lines.

    Parameters
    ----------
    space : Space
        Result of `kahm.run_space`.
    body : int
        Index of the sample, 0 to 2.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    sample, net = space.samples[body], space.nets[body]
    figure = go.Figure()
    figure.add_scatter3d(
        x=sample[:, 0], y=sample[:, 1], z=sample[:, 2], mode="markers", name=T("words.space.points"),
        marker={"size": 2.5, "color": "#7c8496"},
    )  # fmt: skip
    figure.add_scatter3d(
        x=net[:, 0], y=net[:, 1], z=net[:, 2], mode="lines", name=T("words.space.image"),
        line={"width": 3, "color": "#6d5ef0"}, connectgaps=False, hoverinfo="skip",
    )  # fmt: skip
    side = {"range": [-0.05, 1.05], "title": {"text": ""}}
    figure.update_layout(
        title={"text": T.lines("words.space.bodies")[body]}, height=_HEIGHT, legend={"orientation": "h", "y": 0},
        margin={"l": 0, "r": 0, "t": 40, "b": 0},
        scene={"xaxis": side, "yaxis": side, "zaxis": side, "aspectmode": "cube"},
    )  # fmt: skip
    return figure


def draw(params: KahmParams) -> None:
    """Draw the plots of the three samples, with a button that downloads them as an HTML file."""
    space = kahm.run_space(params)
    st.markdown(_words(params))
    for number, column in enumerate(st.columns(N_BODIES)):
        column.plotly_chart(
            space_plot(space, number), key=f"body.{number}", config={"displayModeBar": False}
        )
    st.download_button(
        T("words.space.button"), lambda: page(params), "kahm-three-dimensions.html", "text/html",
        on_click="ignore", help=T("words.space.help"),
    )  # fmt: skip


def page(params: KahmParams) -> str:
    """Return a self-contained HTML page with the plots of the three samples."""
    space = kahm.run_space(params)
    parts = [
        plotly.io.to_html(space_plot(space, n), full_html=False, include_plotlyjs=n == 0, div_id=f"body{n}")
        for n in range(N_BODIES)
    ]  # fmt: skip
    return _PAGE.format(
        title=T("words.space.title"),
        words=html.escape(_words(params)),
        figures="".join(parts),
        source=T("words.space.source"),
    )


def _words(params: KahmParams) -> str:
    return T("words.space.samples", n_components=params.n_components, ridge=params.ridge)
