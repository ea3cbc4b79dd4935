"""Allowed errors of the arrays sent to the browser.

The errors are so small that neither drawings nor displayed numbers change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from ui.live.figure import Axis, Figure, Panel
from ui.live.layers import Layer
from ui.live.wire import EXACT, Tolerance

__all__ = ["ERRORS", "USES", "tolerances"]

ERRORS = {
    "position": 1 / (3 * 3840),  # of the panel's range: a third of a pixel where it is 3840 wide
    "place": 1 / 3,  # of a pixel of a map on a screen of 3840 × 2160, upright or across
    "probability": 1
    / (2 * 1023),  # of 0 to 1: 8 bits for the colour, 2 more for the border at one half
    "shade": 1 / (2 * 255),  # of its range: 8 bits of colour
    "picture": 1 / (2 * 255),  # of the panel's range
    "centre": 0.0,  # what 16 bits of their own range can do: borders between near centres move further
}
"""Largest errors of values that are only drawn, by kind of value.

All other values, such as displayed numbers, are exact."""

USES = {
    ("regions", "centres"): "centre", ("boundary", "centres"): "centre",
    ("shade", "values"): "shade", ("field", "values"): "probability",
    ("points", "xy"): "xy", ("markers", "xy"): "xy", ("cloud", "xy"): "xy", ("paths", "xy"): "xy",
    ("arrows", "xy"): "xy", ("line", "x"): "x", ("line", "y"): "y", ("band", "x"): "x",
    ("band", "low"): "y", ("band", "high"): "y", ("bars", "edges"): "x", ("bars", "heights"): "y",
}  # fmt: skip
"""Kind of value of an argument, by the kind of layer and the argument's name.

Arguments that are missing here are displayed as numbers, or have few values.
"""

_READ = re.compile(r"{(?:trend:)?([^{}:]+)[:}]")


def tolerances(figure: Figure) -> dict[str, Tolerance]:
    """Return the tolerance of every array in a figure: the strictest one that any use of the array requires."""
    limits: dict[str, Tolerance] = {}
    for name, tolerance in _uses(figure):
        limits[name] = _tightest(limits[name], tolerance) if name in limits else tolerance
    for name, stand_in in _stand_ins(figure):
        if name in limits:
            tolerance = limits[name]
            limits[stand_in] = (
                _tightest(limits[stand_in], tolerance) if stand_in in limits else tolerance
            )
    return _by_content(figure, limits)


def _stand_ins(figure: Figure) -> Iterator[tuple[str, str]]:
    """Yield pairs of a drawn array and its replacement.

    The replacement is drawn while a slider moves, or for another outcome (random draw).
    """
    for instead in figure.previews.values():
        yield from ((name, other) for name, other in instead.items() if other)
    if figure.breathing:
        yield from figure.breathing.stand_ins()


def _by_content(figure: Figure, limits: Mapping[str, Tolerance]) -> dict[str, Tolerance]:
    """Return the tolerance of every array, which is the same for arrays of equal content.

    Such arrays are sent only once.
    """
    shared: dict[str, Tolerance] = {}
    for name, array in figure.arrays.items():
        tolerance = limits.get(name, EXACT) if array.kind == "f4" else EXACT
        before = shared.get(array.digest)
        shared[array.digest] = tolerance if before is None else _tightest(before, tolerance)
    return {name: shared[array.digest] for name, array in figure.arrays.items()}


def _uses(figure: Figure) -> Iterator[tuple[str, Tolerance]]:
    """Yield the uses of arrays in a figure, with their required tolerances."""
    for name in (
        *(name for item in figure.readouts for name in item.arrays()),
        *figure.coords.values(),
    ):
        yield name, EXACT
    for panel in figure.panels:
        words = (panel.alt, *(text for layer in panel.layers for text in layer.texts()))
        for text in words:
            for name in _READ.findall(text):
                yield name, EXACT
        for name in filter(None, (panel.tiles, panel.still)):
            yield name, _share("picture", panel.range)
        for layer in panel.layers:
            for name, tolerance in _tolerances(panel, layer):
                yield name, tolerance


def _tolerances(panel: Panel, layer: Layer) -> Iterator[tuple[str, Tolerance]]:
    for slot, what in layer.named().items():
        name = getattr(layer, slot)
        if isinstance(name, str) and what in ("array", "scalar"):
            yield name, _tolerance(panel, layer, slot)


def _share(kind: str, whole: tuple[float, float]) -> Tolerance:
    return Tolerance("linear", (ERRORS[kind] * abs(whole[1] - whole[0]),))


def _tolerance(panel: Panel, layer: Layer, slot: str) -> Tolerance:
    match USES.get((layer.kind, slot)):
        case "x":
            return _along(panel, panel.x)
        case "y":
            return _along(panel, panel.y)
        case "xy":
            x, y = _along(panel, panel.x), _along(panel, panel.y)
            if not x.scale == y.scale == "linear":
                return EXACT
            errors, middles = (*x.errors, *y.errors), (*x.middle, *y.middle)
            return Tolerance("linear", errors, middles, (*x.reach, *y.reach))
        case "probability":
            return _share("probability", (0.0, 1.0))
        case "shade":
            return _share("shade", getattr(layer, "range"))  # noqa: B009 (only a Shade has it)
        case "centre":
            return Tolerance("linear", (ERRORS["centre"], ERRORS["centre"]))
    return EXACT


def _along(panel: Panel, axis: Axis) -> Tolerance:
    low, high = axis.range
    if axis.log and min(low, high) <= 0:
        return EXACT  # no logarithm to share
    if axis.log:
        return Tolerance("log", (ERRORS["position"] * abs(math.log10(high / low)),))
    whole = abs(high - low)
    on_map = panel.kind == "map"
    error = ERRORS["place"] * _pixel(panel) if on_map else ERRORS["position"] * whole
    return Tolerance("linear", (error,), ((low + high) / 2,), (whole / 2,))


def _pixel(panel: Panel) -> float:
    """Return the smallest size of a pixel of a map on any screen, in data units of both axes."""
    wide, high = (abs(axis.range[1] - axis.range[0]) for axis in (panel.x, panel.y))
    return min(max(wide / across, high / up) for across, up in ((3840, 2160), (2160, 3840)))


def _tightest(a: Tolerance, b: Tolerance) -> Tolerance:
    if a.scale != b.scale or len(a.errors) != len(b.errors):
        return EXACT
    errors = tuple(map(min, a.errors, b.errors))
    same = (a.middle, a.reach, a.errors) == (b.middle, b.reach, b.errors)
    return Tolerance(a.scale, errors, a.middle, a.reach) if same else Tolerance(a.scale, errors)
