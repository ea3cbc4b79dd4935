"""From a live figure to the message the browser gets: JSON, with arrays as base64 that travel once."""

from __future__ import annotations

import base64
from collections.abc import Collection
from dataclasses import asdict
from typing import Annotated, Literal, NotRequired, TypedDict

from ui.live.figure import Array, Figure, Kind, Panel, Text
from ui.live.inputs import Value

__all__ = ["ArraySpec", "FigureMessage", "Message", "SameMessage", "TextSpec", "message"]

_Spec = dict[str, object]
_NO_BOUND = 1e3  # JSON knows no infinity, and e¹⁰⁰⁰ is none to a reader


class ArraySpec(TypedDict):
    """An array: what it is called by its content, its shape, and its content when it has to travel."""

    id: str
    dims: list[str | None]
    shape: list[int]
    dtype: Kind
    scale: tuple[float, float] | None
    data: NotRequired[str]


class TextSpec(TypedDict):
    """A sentence for each combination of its dimensions, row-major."""

    strings: list[str]
    dims: list[str]
    sizes: list[int]
    role: Literal["", "meaning"]
    bounds: list[float]
    along: dict[str, TextSpec]


class FigureMessage(TypedDict):
    """A figure in JSON; the second part of a type is what the browser calls it."""

    controls: Annotated[list[_Spec], "ControlSpec[]"]
    values: Annotated[dict[str, Value], "Values"]
    arrays: Annotated[dict[str, ArraySpec], "Arrays"]
    coords: dict[str, str]
    panels: Annotated[list[_Spec], "PanelSpec[]"]
    readouts: Annotated[list[_Spec], "ReadoutSpec[]"]
    texts: list[TextSpec]
    terms: dict[str, str]
    compact: bool
    previews: dict[str, dict[str, str]]
    busy: Annotated[_Spec | None, "BusySpec | null"]


class Message(FigureMessage):
    """What Python sends at every rerun: a figure, its name and where the modules are.

    ``session`` is another one after the server was started anew.
    """

    name: str
    seq: int
    session: str
    modules: str


class SameMessage(TypedDict):
    """What Python sends when nothing is new: the number of the message that still holds, and the progress."""

    same: int
    busy: Annotated[_Spec | None, "BusySpec | null"]
    name: str
    seq: int
    session: str
    modules: str


def message(figure: Figure, *, known: Collection[str] = ()) -> FigureMessage:
    """Return the message of a figure; arrays whose digest is in ``known`` go without their content."""
    sent: set[str] = set(known)
    return {
        "controls": [
            {"kind": control.kind, **_told(asdict(control))} for control in figure.controls
        ],
        "values": dict(figure.values),
        "arrays": {name: _array(array, sent) for name, array in figure.arrays.items()},
        "coords": dict(figure.coords),
        "panels": [_panel(panel) for panel in figure.panels],
        "readouts": [_told(asdict(readout)) for readout in figure.readouts],
        "texts": [_text(text, figure) for text in figure.texts],
        "terms": dict(figure.terms),
        "compact": figure.compact,
        "previews": {name: dict(instead) for name, instead in figure.previews.items()},
        "busy": asdict(figure.busy) if figure.busy else None,
    }


def _told(found: _Spec) -> _Spec:
    """Without what the browser need not know: it gets what is shown."""
    return {name: value for name, value in found.items() if name != "depth"}


def _array(array: Array, sent: set[str]) -> ArraySpec:
    spec: ArraySpec = {
        "id": array.digest,
        "dims": list(array.dims),
        "shape": list(array.values.shape),
        "dtype": array.kind,
        "scale": array.scale,
    }
    if array.digest not in sent:
        sent.add(array.digest)
        spec["data"] = base64.b64encode(array.values.tobytes()).decode("ascii")
    return spec


def _panel(panel: Panel) -> _Spec:
    layers = [{"kind": layer.kind, **layer.arguments()} for layer in panel.layers]
    return {**_told(vars(panel)), "layers": layers, "x": asdict(panel.x), "y": asdict(panel.y)}


def _text(text: Text, figure: Figure) -> TextSpec:
    return {
        "strings": list(text.strings),
        "dims": list(text.dims),
        "sizes": [figure.by_name()[dim].size() or 0 for dim in text.dims],
        "role": text.role,
        "bounds": [min(bound, _NO_BOUND) for bound in text.bounds],
        "along": {name: _text(instead, figure) for name, instead in text.along.items()},
    }
