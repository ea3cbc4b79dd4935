"""Downloads derived from an interactive figure: plot, tables of panels, readouts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpcore.guarantee import Guarantee
from ui import live
from ui.export import plotly_annotations as heaps
from ui.export import plotly_marks as marks
from ui.export.downloads import Bundle
from ui.figure_kit import nominal
from ui.live import Axis, Panel, layers
from ui.runner import PageState
from ui.words import escape
from ui.words.numbers import percent, round_step, show

if TYPE_CHECKING:
    from ui.frame.page_spec import PageSpec

__all__ = ["bundle", "facts", "plot", "table", "taken", "words"]

_CURVES = layers.Line | layers.Band | layers.Bars
_RECORDS = layers.Points | layers.Markers | layers.Cloud


def bundle(spec: PageSpec[Any], state: PageState[Any], guarantee: Guarantee) -> Bundle:
    """Return the default downloads of a page: all panels with curves, and the page's program."""
    keys = [panel.key for panel in spec.figure(state).panels if _layers_of(panel, _CURVES)]
    return taken(
        spec.figure, state, draws=keys[0], panels=keys,
        name=spec.key, title=spec.title, guarantee=guarantee, code=partial(_code, spec),
    )  # fmt: skip


def taken(
    figure: Callable[[PageState[Any]], live.Figure],
    state: PageState[Any],
    *,
    draws: str,
    panels: Sequence[str] = (),
    whole: Sequence[str] = (),
    tables: Mapping[str, Callable[[PageState[Any]], pd.DataFrame]] | None = None,
    own_in_tabs: bool = False,
    **about: Any,
) -> Bundle:
    """Return downloads of some panels of an interactive figure.

    Each download is computed only when requested.

    Parameters
    ----------
    figure : callable
        Function that returns the page's figure for a state.
    state : PageState
        Current parameters and results of the page.
    draws : str
        Key of the panel exported as an image.
    panels : sequence of str
        Keys of the panels exported as tables.
    whole : sequence of str
        Names of the stages (computations) that must be finished before exporting; others are used if
        available.
    tables : mapping of str to callable, optional
        Additional tables, as functions of the state.
    own_in_tabs : bool
        Whether only the tabs of the figure show a user's own table; panels outside of tabs then show public
        data.
    **about
        ``name``, ``title``, ``guarantee`` and ``code`` of the `Bundle`.
    """

    def shown(make: Callable[..., Any], *arguments: Any) -> Any:
        made = nominal.marked(figure(state.whole(*whole)), state.status, tabs=own_in_tabs)
        return make(made, *arguments)

    if state.status:
        about["title"] += f" (ε is {state.status})"

    made = {key: partial(shown, table, key) for key in panels}
    made |= {
        key: partial(lambda make: make(state.whole(*whole)), make)
        for key, make in (tables or {}).items()
    }
    return Bundle(
        params=state.params,
        figure=partial(shown, plot, draws),
        tables=made,
        facts=partial(shown, facts),
        words=partial(shown, words),
        **about,
    )


def facts(figure: live.Figure) -> dict[str, str]:
    """Return the displayed numbers of the visible readouts, by label.

    The numbers are those for the current control values.
    """
    rows = ((item.label, *figure.read(item)) for item in figure.readouts)
    return {
        f"{label} ({note})" if note else label: number
        for label, number, note in rows
        if number != "–"
    }


def words(figure: live.Figure) -> dict[str, str]:
    """Return the words for the current values of a figure's controls, by name of the control.

    Controls with values that have no words are left out.
    """
    offered = {
        item.name: (
            item,
            [text for _, text in item.options] if isinstance(item, live.Choice) else item.words,
        )
        for item in figure.controls
        if isinstance(item, live.Choice | live.Slider)
    }
    return {
        name: said[item.index(figure.values[name])]
        for name, (item, said) in offered.items()
        if said
    }


def table(figure: live.Figure, key: str) -> pd.DataFrame:
    """Return the curves and bars of a panel, or the records of a map, as a table.

    Arrays are evaluated at the current values of the controls. A column is named after the array
    that it contains. Coordinates that are given as plain numbers are named after the x axis, or
    after their layer and argument.
    """
    panel, columns = _panel(figure, key), dict[str, NDArray[Any]]()
    for layer in _layers_of(panel, _RECORDS if panel.kind == "map" else _CURVES):
        nameless = {"x": panel.x.title, "edges": panel.x.title}
        for slot, what in layer.named().items():
            value = getattr(layer, slot)
            if what == "array" and value is not None:
                name = (
                    value if isinstance(value, str) else nameless.get(slot, f"{layer.kind} {slot}")
                )
                columns |= _columns(name, _numbers(figure, value))
    return pd.DataFrame({name: pd.Series(column) for name, column in columns.items()})


def plot(figure: live.Figure, key: str) -> go.Figure:
    """Return a panel as a Plotly figure, at the current control values."""
    panel, chart = _panel(figure, key), go.Figure()
    if panel.kind == "mosaic":
        return _pictures(figure, panel)
    for layer in panel.layers:
        marks.draw(chart, partial(_numbers, figure), layer)
    chart.update_xaxes(**_axis(panel.x), visible=panel.kind == "plot")
    chart.update_yaxes(**_axis(panel.y), visible=panel.kind == "plot")
    if panel.kind == "map":
        chart.update_yaxes(scaleanchor="x")
    chart.update_layout(title=escape.hyper(panel.title), template="plotly_white")
    marks.name_curves(chart, panel, partial(_numbers, figure))
    heaps.name_heaps(chart, panel, partial(_numbers, figure))
    heaps.annotate(chart, panel, partial(_numbers, figure), figure.filled)
    return chart


def _pictures(figure: live.Figure, panel: Panel) -> go.Figure:
    """Return the images of a panel side by side as a Plotly figure, with captions for columns and rows."""
    whole, (high, wide), (low, top) = _mosaic(figure, panel), panel.shape, panel.range
    chart = go.Figure().add_heatmap(
        z=whole, zmin=low, zmax=top, colorscale="gray_r", showscale=False
    )
    columns = panel.captions if len(panel.captions) <= panel.columns else ()
    across = [wide * (k + 0.5) - 0.5 for k in range(len(columns))]
    down = [len(whole) - high * (k + 0.5) - 0.5 for k in range(len(panel.rows))]
    for axes, at, said in (
        (chart.update_xaxes, across, columns), (chart.update_yaxes, down, panel.rows)
    ):  # fmt: skip
        words = [escape.hyper(text) for text in said]
        axes(tickvals=at, ticktext=words, showgrid=False, zeroline=False)
    chart.update_yaxes(scaleanchor="x")
    return chart.update_layout(title=escape.hyper(panel.title), template="plotly_white")


def _panel(figure: live.Figure, key: str) -> Panel:
    return next(panel for panel in figure.panels if panel.key == key)


def _layers_of(panel: Panel, kinds: Any) -> list[layers.Layer]:
    return [layer for layer in panel.layers if isinstance(layer, kinds)]


def _numbers(figure: live.Figure, slot: Any) -> NDArray[np.float64]:
    values = figure.evaluate(slot) if isinstance(slot, str) else slot
    return np.asarray(values, float)


def _columns(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    if values.ndim < 2:
        return {name: values.ravel()}
    parts = values.reshape(-1, values.shape[-1]).T
    return {f"{name}_{axis}": part for axis, part in zip("xyr", parts, strict=False)}


def _axis(axis: Axis) -> dict[str, Any]:
    ends = np.log10(axis.range) if axis.log else axis.range
    options: dict[str, Any] = {
        "type": "log" if axis.log else "linear", "title": escape.hyper(axis.title),
        "range": list(ends), "tickformat": axis.format,
    }  # fmt: skip
    if axis.ticks is not None:
        words = axis.words or tuple(show(tick, ".6g") for tick in axis.ticks)
        options |= {"tickvals": axis.ticks, "ticktext": [escape.hyper(word) for word in words]}
    elif axis.format.endswith("%") and not axis.log and max(axis.range) - min(axis.range) > 0.007:
        # Plotly knows per cent without a space only, and we write one everywhere.
        places = _round_places(*sorted(axis.range))
        options |= {
            "tickvals": places,
            "ticktext": [percent(place).replace("-", "−") for place in places],
        }
    return options


def _round_places(low: float, high: float) -> list[float]:
    """Return three to seven round numbers from ``low`` to ``high``, for the ticks of an axis."""
    step = round_step(high - low, 7)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 9) for k in range(first, last + 1)]


def _mosaic(figure: live.Figure, panel: Panel) -> NDArray[np.float64]:
    """Return the images of a panel, arranged in a grid, as one array (rows, columns) of pixels.

    The rows of the array run from the bottom to the top, as in Plotly.
    """
    high, wide = panel.shape
    tiles = [
        _numbers(figure, name).reshape(-1, high, wide)
        for name in (panel.still, panel.tiles)
        if name
    ]
    pictures = np.concatenate(tiles)
    empty = np.full((-len(pictures) % panel.columns, high, wide), np.nan)
    rows = np.concatenate([pictures, empty]).reshape(-1, panel.columns, high, wide)
    whole: NDArray[np.float64] = rows.swapaxes(1, 2).reshape(-1, panel.columns * wide)
    return whole[::-1]


def _code(spec: PageSpec[Any], params: Any) -> str:
    own = f"pages.{spec.key}.page"
    return (
        f"from {own} import PAGE, {type(params).__name__}\n"
        "from ui.export.from_figure import plot\n\n"
        f"params = {params.to_code()}\n"
        "figure = PAGE.figure(PAGE.pipeline.still(params))\n"
        "plot(figure, figure.panels[0].key).show()\n"
    )
