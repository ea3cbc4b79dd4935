"""Small version of an interactive figure: one panel, few controls, and their arrays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ui import live
from ui.figure_kit.detail_level import needed
from ui.live import Figure
from ui.words import text

__all__ = ["shrink"]

T = text.load_text(__file__)


def shrink(
    whole: Figure,
    panel: str,
    keep: Collection[str],
    *,
    lock: Collection[str] = (),
    height: int = 250,
    texts: bool = False,
) -> Figure:
    """Return a figure with one panel and the controls named in ``keep``.

    All other controls are fixed.

    Only controls that need no server can be kept. Those in ``lock`` are shown but cannot be moved. If ``texts``,
    the small figure also has the sentences that depend only on the kept controls, and the animation through
    outcomes.
    """
    shown = next(candidate for candidate in whole.panels if candidate.key == panel)
    small = replace(shown, tab="", caption="", height=height, guess=None, bets=None, face_off=None)
    numbers = [item for item in whole.readouts if item.value][:2]
    array_names = needed(whole, [small], [name for item in numbers for name in item.arrays()])
    breathing = whole.breathing.of(array_names) if texts and whole.breathing else None
    if breathing:
        breathing = breathing.alone()
        array_names |= needed(whole, [], breathing.needed())
    wanted = sorted(array_names)
    dims = {dim for name in wanted for dim in whole.arrays[name].dims if dim is not None}
    coords = {name: table for name, table in whole.coords.items() if name in dims}
    seen = {*keep, *lock}
    used = [c for c in whole.controls if c.name in dims | seen]
    return live.Figure(
        controls=[
            _fixed_control(c, hidden=c.name not in seen, locked=c.name in lock) for c in used
        ],
        values={control.name: whole.values[control.name] for control in used},
        arrays={name: whole.arrays[name] for name in wanted},
        panels=[small],
        coords=coords,
        readouts=numbers,
        texts=[text for text in whole.texts if texts and set(text.dims) <= set(keep)],
        breathing=breathing,
        compact=True,
    )


def _fixed_control(control: live.Control, *, hidden: bool, locked: bool) -> live.Control:
    copy = replace(control, hidden=hidden, more=False, mode="local")
    return replace(copy, disabled=True, why=T("thumbnail.locked")) if locked else copy
