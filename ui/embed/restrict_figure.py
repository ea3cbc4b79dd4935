"""Restrict a page's figure for use outside of the page, without a server.

The restricted figure has only controls that need no server. All other controls are fixed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ui import live
from ui.figure_kit.detail_level import needed
from ui.live import Figure, Panel, Text, layers
from ui.words.text import load_text

__all__ = ["ASKS", "FIXED", "HEAVY", "fixed", "lighter", "part", "pruned", "without_handles"]

T = load_text(__file__)
ASKS, FIXED, HEAVY = T("figure.asks"), T("figure.fixed"), T("figure.heavy")


def part(
    figure: Figure,
    *,
    panels: Collection[str] = (),
    locked: Collection[str] = (),
    hidden: Collection[str] = (),
    served: bool = False,
) -> Figure:
    """Return the part of a figure that needs no server.

    Parameters
    ----------
    figure : Figure
        The full figure.
    panels : collection of str
        Keys of the panels; () for all panels outside of tabs.
    locked, hidden : collection of str
        ``locked``: controls that are shown but cannot be moved. ``hidden``: controls that are not shown.
        Arrays are sent only at the fixed values of these controls, so that nobody can unlock them in the
        browser.
    served : bool
        Whether the figure is connected to Python, which answers its other controls and its buttons.

    Raises
    ------
    ValueError
        When a panel does not exist.
    """
    figure = figure.still()
    shown = _panels(figure, panels)
    controls = [
        _control(control, locked, hidden, served)
        for control in figure.controls
        if served or not isinstance(control, live.Buttons)
    ]
    still = [control.name for control in controls if control.disabled or control.hidden]
    shown = [without_handles(panel, still) for panel in shown]
    return replace(pruned(fixed(figure, still), controls, shown), main_tab="")


def pruned(figure: Figure, controls: Sequence[live.Control], panels: Sequence[Panel]) -> Figure:
    """Return the figure with only the given controls and panels, without previews and without unused arrays."""
    names = _in_readouts(figure) + _in_texts(figure)
    if figure.breathing:
        names += figure.breathing.needed()
    array_names = needed(figure, panels, names)
    return replace(
        figure,
        controls=controls,
        values={
            control.name: figure.values[control.name]
            for control in controls
            if control.name in figure.values
        },
        panels=panels,
        previews={},
        busy=None,
        arrays={name: array for name, array in figure.arrays.items() if name in array_names},
        coords={name: table for name, table in figure.coords.items() if table in array_names},
    )


def lighter(figure: Figure) -> Figure | None:
    """Return the figure with its last free control fixed, to reduce its size.

    Return None if no control is free.
    """
    moving = [item for item in figure.controls if not (item.disabled or item.hidden)]
    if not moving:
        return None
    last = replace(moving[-1], disabled=True, why=HEAVY)
    controls = [last if item.name == last.name else item for item in figure.controls]
    panels = [without_handles(panel, [last.name]) for panel in figure.panels]
    return replace(fixed(figure, [last.name]), controls=controls, panels=panels)


def _panels(figure: Figure, wanted: Collection[str]) -> list[Panel]:
    there = {panel.key: panel for panel in figure.panels}
    for key in wanted:
        if key not in there:
            raise ValueError(T("figure.no_panel", panel=key[:40], panels=", ".join(there)))
    panels = [there[key] for key in wanted] or [panel for panel in figure.panels if not panel.tab]
    return [replace(panel, tab="") for panel in panels or figure.panels[:1]]


def _control(
    control: live.Control, locked: Collection[str], hidden: Collection[str], served: bool
) -> live.Control:
    if control.name in hidden or control.hidden:
        return replace(control, hidden=True, more=False)
    if control.name in locked:
        return replace(control, disabled=True, why=FIXED, more=False)
    if control.mode == "server" and not served:
        return replace(control, disabled=True, why=control.why or ASKS, more=False)
    return replace(control, more=False)


def without_handles(panel: Panel, still: Collection[str]) -> Panel:
    """Return a panel without the draggable points of the controls in ``still``, which the user cannot change."""
    rest = [
        layer
        for layer in panel.layers
        if not (isinstance(layer, layers.Handle) and {layer.x, layer.y} & {*still})
    ]
    return replace(panel, layers=rest)


def fixed(figure: Figure, still: Sequence[str]) -> Figure:
    """Return the figure, without previews, with arrays only at the present values of the controls in ``still``."""
    known = figure.by_name()
    followed = {
        name
        for panel in figure.panels
        for layer in panel.layers
        for name in layer.dimension_names()
    }
    at = {
        name: known[name].index(figure.values[name])
        for name in still
        if known[name].size() is not None and name not in followed
    }
    arrays = {name: _slice(array, at) for name, array in figure.arrays.items()}
    coords = dict(figure.coords)
    while constant := [
        dim for dim, table in coords.items() if dim not in followed and not _named(arrays[table])
    ]:
        place = float(arrays[coords.pop(constant[0])].values)
        arrays = {name: _between(array, constant[0], place) for name, array in arrays.items()}
    texts = [_text(text, figure, at) for text in figure.texts]
    return replace(figure, arrays=arrays, coords=coords, texts=texts, previews={})


def _named(array: live.Array) -> list[str]:
    return [dim for dim in array.dims if dim is not None]


def _slice(array: live.Array, at: dict[str, int]) -> live.Array:
    place = tuple(slice(None) if dim is None else at.get(dim, slice(None)) for dim in array.dims)
    dims = [dim for dim in array.dims if dim is None or dim not in at]
    return live.Array(array.values[place], dims, scale=array.scale)


def _between(array: live.Array, dim: str, place: float) -> live.Array:
    """Return an array at a fractional index ``place`` along ``dim``.

    Values are interpolated as in the browser.
    """
    if dim not in array.dims:
        return array
    axis = array.dims.index(dim)
    if np.isnan(place):  # no place along it: nothing to draw
        place, array = 0.0, live.Array(np.full(array.values.shape, np.nan), array.dims)
    place = min(max(place, 0.0), array.values.shape[axis] - 1.0)
    low, part = int(place), place % 1
    dims = [other for other in array.dims if other != dim]
    first = array.values.take(low, axis)
    if part == 0:
        return live.Array(first, dims, scale=array.scale)
    values = (1 - part) * first.astype(float) + part * array.values.take(low + 1, axis)
    if array.scale:
        values = array.scale[0] + values * (array.scale[1] - array.scale[0]) / 255
    return live.Array(values.astype(np.float32), dims)


def _text(text: Text, figure: Figure, at: dict[str, int]) -> Text:
    known = figure.by_name()
    sizes = [known[dim].size() or 1 for dim in text.dims]
    chosen = tuple(at.get(dim, slice(None)) for dim in text.dims)
    places = np.arange(len(text.strings)).reshape(sizes)[chosen].ravel().tolist()
    return replace(
        text,
        strings=[text.strings[k] for k in places],
        brief=[text.brief[k] for k in places] if len(text.brief) > 1 else text.brief,
        bounds=[text.bounds[k] for k in places] if text.bounds else (),
        reached=[text.reached[k] for k in places] if text.reached else (),
        refuted=[text.refuted[k] for k in places] if text.refuted else (),
        dims=[dim for dim in text.dims if dim not in at],
        along={},
    )


def _in_readouts(figure: Figure) -> list[str]:
    """Return the names of the arrays that readouts and their notes show."""
    return [name for item in figure.readouts for name in item.arrays()]


def _in_texts(figure: Figure) -> list[str]:
    """Return the names of the arrays with values in the figure's sentences."""
    words = " ".join(line for text in figure.texts for line in (*text.strings, *text.brief))
    return [name for name in figure.arrays if f"{{{name}}}" in words or f"{{{name}:" in words]
