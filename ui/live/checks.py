"""Validation of an interactive figure's description, with an error message for each kind of mistake."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ui.live.breathing import OUTCOME, Breathing
from ui.live.inputs import Buttons, Choice, Control, Slider, Toggle, Value

if TYPE_CHECKING:
    from ui.live.figure import Figure, Panel, Text
    from ui.live.layers import Layer

__all__ = ["check"]

_PANELS = ("map", "mosaic", "plot")


def check(figure: Figure) -> None:
    """Raise ValueError for the first mistake in a figure's description."""
    _once([control.name for control in figure.controls], "control")
    _once([panel.key for panel in figure.panels], "panel")
    for control in figure.controls:
        _value(control, figure.values)
    for control in figure.controls:
        if isinstance(control, Toggle) and control.panel:
            _spot(figure, control)
    for name, array in figure.arrays.items():
        for dim, size in zip(array.dims, array.values.shape, strict=True):
            _dim(figure, name, dim, size)
    for coord in figure.coords:
        _coord(figure, coord, ())
    for name, instead in figure.previews.items():
        _preview(figure, name, instead)
    _breathing(figure)
    _shown(figure)


def _shown(figure: Figure) -> None:
    for readout in figure.readouts:
        for name in readout.arrays():
            if name == readout.value or name not in figure.by_name():
                _scalar(figure, name, f"readout {readout.label!r}")
    for text in figure.texts:
        _text(figure, text)
    for panel in figure.panels:
        _panel(figure, panel)


def _once(names: Iterable[str], what: str) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"{what} {name!r} is there {times} times: names have to differ.")


def _value(control: Control, values: Mapping[str, Value]) -> None:
    if isinstance(control, Buttons):
        return
    if control.name not in values:
        raise ValueError(f"values have no {control.name!r}: every control needs its value.")
    value = values[control.name]
    if isinstance(control, Choice) and value not in [option[0] for option in control.options]:
        raise ValueError(f"values[{control.name!r}]={value!r} is not one of the options.")
    if isinstance(control, Slider):
        near = control.grid[control.index(value)]
        if not math.isclose(near, float(value), rel_tol=1e-9, abs_tol=1e-12):
            raise ValueError(
                f"values[{control.name!r}]={value!r} is not on the grid; next is {near!r}."
            )


def _spot(figure: Figure, control: Toggle) -> None:
    if control.panel not in [panel.key for panel in figure.panels]:
        raise ValueError(
            f"switch {control.name!r} is turned in {control.panel!r}, which is no panel."
        )
    if control.place not in figure.arrays or figure.arrays[control.place].values.shape[-2:] != (
        1,
        2,
    ):
        raise ValueError(
            f"switch {control.name!r} needs an array (1, 2), and {control.place!r} is none."
        )


def _size(figure: Figure, dim: str) -> int | None:
    if dim == OUTCOME and figure.breathing:
        return figure.breathing.n_outcomes
    control = figure.by_name().get(dim)
    return None if control is None else control.size()


def _dim(figure: Figure, name: str, dim: str | None, size: int) -> None:
    if dim is None or dim in figure.coords:
        return
    wanted = _size(figure, dim)
    if wanted is None:
        raise ValueError(f"array {name!r} has dimension {dim!r}: no control, no coordinate.")
    if wanted != size:
        raise ValueError(
            f"array {name!r} has {size} entries along {dim!r}, which has {wanted} places."
        )


def _scalar(figure: Figure, name: str, who: str) -> None:
    if name not in figure.arrays or None in figure.arrays[name].dims:
        raise ValueError(f"{who} needs a scalar array, and {name!r} is none.")


def _coord(figure: Figure, coord: str, above: tuple[str, ...]) -> None:
    if coord in above:
        raise ValueError(f"coordinate {coord!r} depends on itself: {' -> '.join(above)}.")
    table = figure.coords[coord]
    _scalar(figure, table, f"coordinate {coord!r}")
    for dim in figure.arrays[table].dims:
        if dim in figure.coords:
            _coord(figure, str(dim), (*above, coord))


def _odds(text: Text, wanted: int) -> None:
    if text.bounds and len(text.bounds) != wanted:
        raise ValueError(
            f"odds over {tuple(text.dims)} have {len(text.bounds)} bounds, not {wanted}."
        )
    if text.reached and len(text.reached) != len(text.bounds):
        raise ValueError(
            f"odds over {tuple(text.dims)} have {len(text.reached)} attacks and {len(text.bounds)} bounds."
        )
    if text.refuted and len(text.refuted) != len(text.bounds):
        raise ValueError(
            f"odds over {tuple(text.dims)} have {len(text.refuted)} verdicts and {len(text.bounds)} bounds."
        )


def _text(figure: Figure, text: Text) -> None:
    sizes = [_size(figure, dim) for dim in text.dims]
    if None in sizes:
        raise ValueError(f"a text has dims={tuple(text.dims)}, and not all are controls.")
    wanted = math.prod(size for size in sizes if size is not None)
    _odds(text, wanted)
    if len(text.strings) != wanted:
        raise ValueError(
            f"a text over {tuple(text.dims)} has {len(text.strings)} sentences, not {wanted}."
        )
    if len(text.brief) not in (0, 1, wanted):
        raise ValueError(
            f"a text over {tuple(text.dims)} has {len(text.brief)} short forms, not 1 or {wanted}."
        )
    for name, instead in text.along.items():
        if name not in figure.previews:
            raise ValueError(f"a text goes along {name!r}, which has no preview.")
        _text(figure, instead)


def _panel(figure: Figure, panel: Panel) -> None:
    if panel.kind not in _PANELS:
        raise ValueError(f"panel {panel.key!r} has kind={panel.kind!r}: choose one of {_PANELS}.")
    if panel.kind == "mosaic" and not panel.tiles:
        raise ValueError(f"panel {panel.key!r} is a mosaic without tiles.")
    if panel.top and len(panel.top.ticks or ()) != len(panel.top.words or ()):
        raise ValueError(
            f"panel {panel.key!r} has a top axis whose ticks and words differ in number."
        )
    wanted = [name for layer in panel.layers for name in layer.array_names()]
    wanted += panel.question_arrays()
    for name in [*wanted, *filter(None, (panel.tiles, panel.still))]:
        if name not in figure.arrays:
            raise ValueError(f"panel {panel.key!r} draws {name!r}, which is no array.")
    for layer in panel.layers:
        _layer(figure, panel, layer)


def _preview(figure: Figure, control: str, instead: Mapping[str, str]) -> None:
    for name in filter(None, instead.values()):
        if name not in figure.arrays or control not in figure.by_name():
            raise ValueError(f"the preview of {control!r} draws {name!r}: no such array.")


def _breathing(figure: Figure) -> None:
    if figure.breathing is None:
        return
    for name, other in figure.breathing.stand_ins():
        for one in (name, other):
            if one not in figure.arrays:
                raise ValueError(f"outcomes of {name!r} are in {other!r}, and {one!r} is no array.")
    _person(figure, figure.breathing.person)
    for name in figure.breathing.at:
        if not isinstance(figure.by_name().get(name), Slider):
            raise ValueError(f"outcomes hold at one value of {name!r}, which is no slider.")
    _choice(figure, figure.breathing)
    for name in figure.breathing.text_arrays():
        _scalar(figure, name, "outcome words")


def _person(figure: Figure, name: str) -> None:
    array = figure.arrays.get(name)
    known = array is not None and array.values.shape[-array.dims.count(None) :] in ((1, 2), (1,))
    if name and not known:
        raise ValueError(
            f"the place of a person is {name!r}: no array of two coordinates or one number."
        )


def _choice(figure: Figure, breathing: Breathing) -> None:
    """Check that a figure has the control and the dots that the choice of a person by click needs."""
    if not breathing.record:
        return
    if breathing.record not in figure.by_name():
        raise ValueError(f"a choice of a person sets {breathing.record!r}, which is no control.")
    for name in filter(None, (breathing.dots, breathing.numbers)):
        if name not in figure.arrays:
            raise ValueError(f"a choice of a person needs {name!r}, which is no array.")


def _layer(figure: Figure, panel: Panel, layer: Layer) -> None:
    for slot, what in layer.named().items():
        name, who = getattr(layer, slot), f"panel {panel.key!r}: {slot}"
        if what == "scalar" and isinstance(name, str):
            _scalar(figure, name, f"{who} of a {layer.kind}")
        if what == "dimension" and name not in figure.coords and _size(figure, name) is None:
            raise ValueError(f"{who}={name!r} is no control, no coordinate.")
        left_out = name == type(layer).__dataclass_fields__[slot].default
        if what == "slider" and not left_out and not isinstance(figure.by_name().get(name), Slider):
            raise ValueError(f"{who}={name!r} of a {layer.kind} is no slider.")
