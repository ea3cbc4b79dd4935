"""A page's own live figure made small: one panel, a slider or two, and the arrays they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ui import live
from ui.figure_kit.at_depth import needed
from ui.live import Figure

__all__ = ["shrink"]


def shrink(
    whole: Figure, *, panel: str, keep: Sequence[str], readouts: int = 2, height: int = 250
) -> Figure:
    """Return a compact live figure with one panel and the controls ``keep``; the others hold their values.

    Only sliders that move in the browser may be kept: a miniature never asks Python.
    """
    shown = next(found for found in whole.panels if found.key == panel)
    small = replace(shown, tab="", caption="", height=height)
    numbers = [item for item in whole.readouts if item.value][:readouts]
    wanted = sorted(needed(whole, [small], [item.value for item in numbers]))
    dims = {dim for name in wanted for dim in whole.arrays[name].dims if dim is not None}
    coords = {name: table for name, table in whole.coords.items() if name in dims}
    used = [c for c in whole.controls if c.name in dims | set(keep)]
    return live.Figure(
        controls=[_held(control, hidden=control.name not in keep) for control in used],
        values={control.name: whole.values[control.name] for control in used},
        arrays={name: whole.arrays[name] for name in wanted},
        panels=[small],
        coords=coords,
        readouts=numbers,
        compact=True,
    )


def _held(control: live.Control, *, hidden: bool) -> live.Control:
    return replace(control, hidden=hidden, more=False, mode="local")
