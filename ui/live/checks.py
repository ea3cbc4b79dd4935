"""Mistakes in the description of a lab, each named in one sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ui.live.inputs import Buttons, Choice, Control, Slider

if TYPE_CHECKING:
    from ui.live.lab import Lab, Layer, Panel, Text

__all__ = ["NEEDS", "check"]

_CENTRES, _XY = ("centres", "labels"), ("xy", "labels")
NEEDS: Mapping[str, tuple[str, ...]] = {  # the arguments a layer cannot be drawn without
    "arrows": ("xy",),
    "band": ("x", "low", "high"),
    "bars": ("edges", "heights"),
    "boundary": _CENTRES,
    "cloud": _XY,
    "dot": ("x", "y"),
    "field": ("values", "extent"),
    "handle": ("x", "y", "origin", "label"),
    "hline": ("at",),
    "line": ("x", "y"),
    "markers": _XY,
    "parabolas": ("xy",),
    "paths": (*_XY, "upto"),
    "points": _XY,
    "regions": _CENTRES,
    "shade": ("values", "extent", "range"),
    "text": ("x", "y", "text"),
    "vline": ("at",),
}
_PANELS = ("map", "mosaic", "plot")


def check(lab: Lab) -> None:
    """Raise ValueError for the first mistake in a lab."""
    _once([control.name for control in lab.controls], "control")
    _once([panel.key for panel in lab.panels], "panel")
    for control in lab.controls:
        _value(control, lab.values)
    for name, array in lab.arrays.items():
        for dim, size in zip(array.dims, array.values.shape, strict=True):
            _dim(lab, name, dim, size)
    for coord in lab.coords:
        _coord(lab, coord, ())
    for name, instead in lab.previews.items():
        _preview(lab, name, instead)
    _shown(lab)


def _shown(lab: Lab) -> None:
    for readout in lab.readouts:
        _scalar(lab, readout.value, f"readout {readout.label!r}")
    for text in lab.texts:
        _text(lab, text)
    for panel in lab.panels:
        _panel(lab, panel)


def _once(names: Iterable[str], what: str) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"{what} {name!r} is there {times} times: names have to differ.")


def _value(control: Control, values: Mapping[str, Any]) -> None:
    if isinstance(control, Buttons):
        return
    if control.name not in values:
        raise ValueError(f"values have no {control.name!r}: every control needs its value.")
    value = values[control.name]
    if isinstance(control, Choice) and value not in [option[0] for option in control.options]:
        raise ValueError(f"values[{control.name!r}]={value!r} is not one of the options.")
    if isinstance(control, Slider):
        near = control.grid[control.index(value)]
        if not math.isclose(near, value, rel_tol=1e-9, abs_tol=1e-12):
            raise ValueError(
                f"values[{control.name!r}]={value!r} is not on the grid; next is {near!r}."
            )


def _size(lab: Lab, dim: str) -> int | None:
    control = lab.by_name().get(dim)
    return None if control is None else control.size()


def _dim(lab: Lab, name: str, dim: str | None, size: int) -> None:
    if dim is None or dim in lab.coords:
        return
    wanted = _size(lab, dim)
    if wanted is None:
        raise ValueError(f"array {name!r} has dimension {dim!r}: no control, no coordinate.")
    if wanted != size:
        raise ValueError(
            f"array {name!r} has {size} entries along {dim!r}, whose control has {wanted}."
        )


def _scalar(lab: Lab, name: str, who: str) -> None:
    if name not in lab.arrays or None in lab.arrays[name].dims:
        raise ValueError(f"{who} needs a scalar array, and {name!r} is none.")


def _coord(lab: Lab, coord: str, above: tuple[str, ...]) -> None:
    if coord in above:
        raise ValueError(f"coordinate {coord!r} depends on itself: {' -> '.join(above)}.")
    table = lab.coords[coord]
    _scalar(lab, table, f"coordinate {coord!r}")
    for dim in lab.arrays[table].dims:
        if dim in lab.coords:
            _coord(lab, str(dim), (*above, coord))


def _text(lab: Lab, text: Text) -> None:
    sizes = [_size(lab, dim) for dim in text.dims]
    if None in sizes:
        raise ValueError(f"a text has dims={tuple(text.dims)}, and not all are controls.")
    wanted = math.prod(size for size in sizes if size is not None)
    if len(text.strings) != wanted:
        raise ValueError(
            f"a text over {tuple(text.dims)} has {len(text.strings)} sentences, not {wanted}."
        )
    for name, instead in text.along.items():
        if name not in lab.previews:
            raise ValueError(f"a text goes along {name!r}, which has no preview.")
        _text(lab, instead)


def _panel(lab: Lab, panel: Panel) -> None:
    if panel.kind not in _PANELS:
        raise ValueError(f"panel {panel.key!r} has kind={panel.kind!r}: choose one of {_PANELS}.")
    if panel.kind == "mosaic" and not panel.tiles:
        raise ValueError(f"panel {panel.key!r} is a mosaic without tiles.")
    wanted = [name for layer in panel.layers for name in layer.array_names()]
    for name in [*wanted, *filter(None, (panel.tiles, panel.still))]:
        if name not in lab.arrays:
            raise ValueError(f"panel {panel.key!r} draws {name!r}, which is no array.")
    for layer in panel.layers:
        _layer(lab, panel, layer)


def _preview(lab: Lab, control: str, instead: Mapping[str, str]) -> None:
    for name in filter(None, instead.values()):
        if name not in lab.arrays or control not in lab.by_name():
            raise ValueError(f"the preview of {control!r} draws {name!r}: no such array.")


def _layer(lab: Lab, panel: Panel, layer: Layer) -> None:
    missing = [slot for slot in NEEDS[layer.kind] if slot not in layer.arguments]
    if missing:
        raise ValueError(f"panel {panel.key!r}: layer {layer.kind!r} needs {missing}.")
    if layer.kind == "paths":
        upto = layer.arguments["upto"]
        if upto not in lab.coords and _size(lab, upto) is None:
            raise ValueError(f"panel {panel.key!r}: upto={upto!r} is no control, no coordinate.")
    if layer.kind == "handle":
        for slot in ("x", "y"):
            name = layer.arguments[slot]
            if not isinstance(lab.by_name().get(name), Slider):
                raise ValueError(f"panel {panel.key!r}: {slot}={name!r} of a handle is no slider.")
