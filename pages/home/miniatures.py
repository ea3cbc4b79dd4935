"""A page's own live figure made small: one panel, a slider or two, and the arrays they need."""

from __future__ import annotations

from dataclasses import replace

from ui import live
from ui.figure_kit.at_depth import needed
from ui.live import Figure
from ui.page_spec import Card

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card) -> Figure:
    """Return a compact live figure with a card's panel and controls; the others hold their values.

    Only sliders that move in the browser may be kept: a miniature never asks Python.
    """
    shown = next(found for found in whole.panels if found.key == card.panel)
    height = 330 if card.first else 250
    small = replace(shown, tab="", caption="", height=height, guess=None, bets=None)
    numbers = [item for item in whole.readouts if item.value][:2]
    wanted = sorted(needed(whole, [small], [item.value for item in numbers]))
    dims = {dim for name in wanted for dim in whole.arrays[name].dims if dim is not None}
    coords = {name: table for name, table in whole.coords.items() if name in dims}
    used = [c for c in whole.controls if c.name in dims | set(card.keep)]
    return live.Figure(
        controls=[_held(control, hidden=control.name not in card.keep) for control in used],
        values={control.name: whole.values[control.name] for control in used},
        arrays={name: whole.arrays[name] for name in wanted},
        panels=[small],
        coords=coords,
        readouts=numbers,
        texts=[text for text in whole.texts if card.first and set(text.dims) <= set(card.keep)],
        compact=True,
    )


def _held(control: live.Control, *, hidden: bool) -> live.Control:
    return replace(control, hidden=hidden, more=False, mode="local")
