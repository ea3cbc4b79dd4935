"""Convert an interactive figure to the message for the browser.

The message is JSON with URLs of the array files.

Some arrays are in the message itself, as base64: small arrays while a slider is dragged, and arrays that the browser
could not fetch.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal, NotRequired, TypedDict

from ui.live.array import Array, Kind
from ui.live.array_files import PUBLIC, Part, Store
from ui.live.figure import Figure, Panel, Text
from ui.live.inputs import Value
from ui.live.precision import tolerances
from ui.live.purposes import FIRST, OUTCOMES, purposes

__all__ = [
    "ArraySpec", "Delivery", "FigureMessage", "FileSpec", "LaterMessage", "Message", "SameMessage",
    "TextSpec", "message",
]  # fmt: skip

_INLINE_DRAGGED = 256 * 2**10  # bytes of an array that is not worth a second round trip in a drag
_INLINE = 16 * 2**10  # bytes of all new arrays together, after the first message
_ALONE = 32 * 2**10  # bytes of an array that has a file to itself, which other figures may share

_Spec = dict[str, object]
_NO_BOUND = 1e3  # JSON knows no infinity, and e¹⁰⁰⁰ is none to a reader


class ArraySpec(TypedDict):
    """Array in a message: digest, shape, and content if it is sent within the message."""

    id: str
    dims: list[str | None]
    shape: list[int]
    dtype: Kind
    scale: tuple[float, float] | None
    data: NotRequired[str]


class FileSpec(TypedDict):
    """File of arrays that the browser fetches: its URL, the arrays in it, and their purpose.

    ``purpose`` is "" for the first view, or "tab NAME", "preview CONTROL" or "outcomes".
    """

    url: str
    ids: list[str]
    purpose: str


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Settings for sending the arrays of a message to a browser.

    Parameters
    ----------
    known, wanted : collection of str
        ``known``: digests of arrays that the browser has. ``wanted``: digests of arrays that it could not
        fetch.
    first, dragging : bool
        ``first``: whether this is the first message. ``dragging``: whether it replies to a moving slider.
    store : Store
        Store of the files.
    path : str
        URL path of the files.
    """

    known: Collection[str] = ()
    wanted: Collection[str] = ()
    first: bool = True
    dragging: bool = False
    store: Store = field(default_factory=lambda: PUBLIC)
    path: str = "/arrays"


class TextSpec(TypedDict):
    """Sentence with one string for each combination of its dimensions.

    The strings are in row-major order.
    """

    strings: list[str]
    brief: list[str]
    dims: list[str]
    sizes: list[int]
    role: Literal["", "meaning"]
    bounds: list[float]
    reached: list[float]
    refuted: list[bool]
    along: dict[str, TextSpec]


class FigureMessage(TypedDict):
    """A figure in JSON.

    In a field with `Annotated`, the second argument is the name of the type in TypeScript.
    """

    controls: Annotated[list[_Spec], "ControlSpec[]"]
    values: Annotated[dict[str, Value], "Values"]
    arrays: Annotated[dict[str, ArraySpec], "Arrays"]
    files: list[FileSpec]
    coords: dict[str, str]
    panels: Annotated[list[_Spec], "PanelSpec[]"]
    readouts: Annotated[list[_Spec], "ReadoutSpec[]"]
    texts: list[TextSpec]
    terms: dict[str, str]
    compact: bool
    main_tab: str
    previews: dict[str, dict[str, str]]
    busy: Annotated[_Spec | None, "BusySpec | null"]
    breathing: Annotated[_Spec | None, "BreathingSpec | null"]
    awaits_outcomes: bool


class Message(FigureMessage):
    """Data sent to the browser at every rerun: figure, name, URL of the modules.

    ``session`` changes when the server is restarted. ``news`` is the token for polling the status route. It is "" if
    the browser must poll the page.
    """

    name: str
    seq: int
    session: str
    modules: str
    news: str


class LaterMessage(TypedDict):
    """Data sent for a placeholder of a figure: its height in pixels."""

    later: int
    name: str
    session: str
    modules: str


class SameMessage(TypedDict):
    """Data sent if a figure has not changed: the number of the message that is still valid, and job progress."""

    same: int
    busy: Annotated[_Spec | None, "BusySpec | null"]
    name: str
    seq: int
    session: str
    modules: str
    news: str


def message(figure: Figure, delivery: Delivery | None = None) -> FigureMessage:
    """Return the message for a figure.

    If ``delivery`` is None, the message itself contains all arrays.
    """
    arrays, files = _arrays(figure, delivery)
    return {
        "controls": [
            {"kind": control.kind, **_sent_fields(vars(control))} for control in figure.controls
        ],
        "values": dict(figure.values),
        "arrays": arrays,
        "files": files,
        "coords": dict(figure.coords),
        "panels": [_panel(panel) for panel in figure.panels],
        "readouts": [_sent_fields(vars(readout)) for readout in figure.readouts],
        "texts": [_text(text, figure) for text in figure.texts],
        "terms": dict(figure.terms),
        "compact": figure.compact,
        "main_tab": figure.main_tab,
        "previews": {name: dict(instead) for name, instead in figure.previews.items()},
        "busy": asdict(figure.busy) if figure.busy else None,
        "breathing": asdict(figure.breathing) if figure.breathing else None,
        "awaits_outcomes": figure.awaits_outcomes and figure.busy is not None,
    }


UNTOLD = ("depth", "few")
"""Fields that are not sent to the browser.

Python decides with them what to show."""


def _sent_fields(fields: Mapping[str, object]) -> _Spec:
    """Return the fields of an object that the browser needs."""
    return {name: value for name, value in fields.items() if name not in UNTOLD}


def _arrays(
    figure: Figure, delivery: Delivery | None
) -> tuple[dict[str, ArraySpec], list[FileSpec]]:
    """Return the description of every array by name, and the files to fetch."""
    parts = _parts(figure)
    specs = {name: _array(array, parts[name].id) for name, array in figure.arrays.items()}
    known = () if delivery is None else delivery.known
    new: dict[str, str] = {}  # id: name
    for name, spec in specs.items():
        if spec["id"] not in known:
            new.setdefault(spec["id"], name)
    purpose = purposes(figure)
    inline = set(new) if delivery is None else _inline(parts, new, purpose, delivery)
    for key in inline:
        name = new.pop(key)
        values = figure.arrays[name].values
        specs[name]["data"] = base64.b64encode(values.tobytes()).decode("ascii")
    return specs, [] if delivery is None else _files(parts, new, purpose, delivery)


def _parts(figure: Figure) -> dict[str, Part]:
    """Return every array of a figure by name, with its tolerance.

    Arrays of equal content have the same tolerance.
    """
    limits = tolerances(figure)
    parts = {}
    for name, array in figure.arrays.items():
        tolerance = limits[name]
        tag = tolerance.name and hashlib.blake2b(tolerance.name.encode(), digest_size=3).hexdigest()
        parts[name] = Part(array.digest + tag, array.values, tolerance)
    return parts


def _inline(
    parts: Mapping[str, Part], new: Mapping[str, str], purpose: Mapping[str, str], how: Delivery
) -> set[str]:
    """Return the identifiers of those arrays in ``new`` that are sent within the message itself.

    ``new``: arrays that the browser does not have, by identifier.
    """
    size = {key: parts[name].values.nbytes for key, name in new.items()}
    later = ("preview", OUTCOMES)
    seen = [key for key, name in new.items() if not purpose[name].startswith(later)]
    inline = {key for key in new if key in how.wanted}
    if how.dragging:
        inline |= {key for key in seen if size[key] <= _INLINE_DRAGGED}
    elif not how.first and sum(size[key] for key in seen) <= _INLINE:
        inline |= set(seen)
    return inline


def _files(
    parts: Mapping[str, Part], new: Mapping[str, str], purpose: Mapping[str, str], how: Delivery
) -> list[FileSpec]:
    """Return the files of arrays that the browser must fetch.

    Each large array has its own file. Small arrays share a file by purpose.
    """
    groups: dict[tuple[str, str], list[Part]] = {}
    for key, name in new.items():
        part = parts[name]
        alone = key if part.values.nbytes >= _ALONE else ""
        groups.setdefault((purpose[name], alone), []).append(part)
    return [
        {
            "url": f"{how.path}/{how.store.put(group)}",
            "ids": [part.id for part in group],
            "purpose": what,
        }
        for (what, _), group in sorted(groups.items(), key=lambda item: item[0][0] != FIRST)
    ]


def _array(array: Array, key: str) -> ArraySpec:
    return {
        "id": key,
        "dims": list(array.dims),
        "shape": list(array.values.shape),
        "dtype": array.kind,
        "scale": array.scale,
    }


def _panel(panel: Panel) -> _Spec:
    layers = [{"kind": layer.kind, **layer.arguments()} for layer in panel.layers]
    parts = {name: getattr(panel, name) for name in ("x", "y", "top", "guess", "bets", "face_off")}
    specs = {name: asdict(part) if part else None for name, part in parts.items()}
    return {**_sent_fields(vars(panel)), "layers": layers, **specs}


def _text(text: Text, figure: Figure) -> TextSpec:
    return {
        "strings": list(text.strings),
        "brief": list(text.brief if len(set(text.brief)) > 1 else text.brief[:1]),
        "dims": list(text.dims),
        "sizes": [figure.by_name()[dim].size() or 0 for dim in text.dims],
        "role": text.role,
        "bounds": [min(bound, _NO_BOUND) for bound in text.bounds],
        "reached": list(text.reached),
        "refuted": list(text.refuted),
        "along": {name: _text(instead, figure) for name, instead in text.along.items()},
    }
