"""A page's own live figure made small: one panel, a slider or two, and the arrays they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ui import live
from ui.live import Figure, Panel

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
    wanted = _needed(whole, small, [item.value for item in numbers])
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


def _needed(whole: Figure, panel: Panel, names: list[str]) -> list[str]:
    """The arrays behind a panel and some numbers, with the tables of their coordinates."""
    found = [name for layer in panel.layers for name in layer.array_names()]
    found += [name for name in (panel.tiles, panel.still) if name]
    queue, seen = [*found, *names], []
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.append(name)
        queue += [
            whole.coords[dim] for dim in whole.arrays[name].dims if dim and dim in whole.coords
        ]
        queue += [
            whole.coords[dim]
            for layer in panel.layers
            for dim in layer.dimension_names()
            if dim in whole.coords
        ]
    return sorted(seen)
