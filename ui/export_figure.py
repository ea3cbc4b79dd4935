"""What a page offers for taking along when it says nothing else: its live figure as program, tables, plot."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpcore.guarantee import Guarantee
from ui import live
from ui.export import Bundle
from ui.live import Panel, layers
from ui.page_spec import PageSpec
from ui.runner import PageState

__all__ = ["bundle", "plot", "table"]


def bundle(spec: PageSpec[Any], state: PageState[Any], guarantee: Guarantee) -> Bundle:
    """Return the program that draws the figure again, a table and a plot of its curves and bars."""
    figure = spec.figure(state)
    drawn = [panel for panel in figure.panels if _curves(panel)]
    return Bundle(
        name=spec.key,
        title=spec.title,
        params=state.params,
        guarantee=guarantee,
        code=partial(_code, spec),
        figure=lambda: plot(figure, drawn[0]),
        tables={panel.key: partial(table, figure, panel) for panel in drawn},
        facts=lambda: {
            item.label: f"{float(figure.evaluate(item.value)):.4g}" for item in figure.readouts
        },
    )


def table(figure: live.Figure, panel: Panel) -> pd.DataFrame:
    """Return the curves and bars of a panel as columns, at the values of all controls."""
    columns = {
        f"{layer.kind}_{number}_{name}": pd.Series(_numbers(figure, slot))
        for number, layer in enumerate(_curves(panel), 1)
        for name, slot in layer.arguments().items()
        if layer.named().get(name) == "array"
    }
    return pd.DataFrame(columns)


def plot(figure: live.Figure, panel: Panel) -> go.Figure:
    """Return the curves and bars of a panel as a Plotly figure."""
    made = go.Figure()
    for layer in _curves(panel):
        if isinstance(layer, layers.Line):
            made.add_scatter(x=_numbers(figure, layer.x), y=_numbers(figure, layer.y))
        elif isinstance(layer, layers.Bars):
            edges = _numbers(figure, layer.edges)
            made.add_bar(x=(edges[1:] + edges[:-1]) / 2, y=_numbers(figure, layer.heights))
    made.update_xaxes(type="log" if panel.x.log else "linear", title=panel.x.title)
    made.update_yaxes(title=panel.y.title)
    made.update_layout(title=panel.title)
    return made


def _curves(panel: Panel) -> list[layers.Layer]:
    return [layer for layer in panel.layers if isinstance(layer, layers.Line | layers.Bars)]


def _numbers(figure: live.Figure, slot: Any) -> Any:
    found = figure.evaluate(slot) if isinstance(slot, str) else slot
    return pd.Series(found).to_numpy()


def _code(spec: PageSpec[Any], params: Any) -> str:
    own = f"pages.{spec.key}.spec"
    return (
        f"from {own} import PAGE, {type(params).__name__}\n"
        "from ui.export_figure import plot\n\n"
        f"params = {params.to_code()}\n"
        "figure = PAGE.figure(PAGE.pipeline.still(params))\n"
        "plot(figure, figure.panels[0]).show()\n"
    )
