"""The live controls of a page's parameters, from what each field declares of itself."""

from __future__ import annotations

from dpcore.experiments.params import Control, Params
from ui import live

__all__ = ["live_controls"]


def live_controls(
    params: Params, *, hide: tuple[str, ...] = (), disabled: tuple[str, ...] = ()
) -> list[live.Control]:
    """Return the live controls of the parameters, in the order of their fields."""
    return [
        _live_control(item, disabled=name in disabled)
        for name, item in params.controls().items()
        if name not in hide
    ]


def _live_control(item: Control, *, disabled: bool) -> live.Control:
    switch = live.Toggle(
        name=item.name, label=item.label, symbol=item.symbol, help=item.help, mode=item.moves,
        more=item.advanced, disabled=disabled,
    )  # fmt: skip
    common = vars(switch)  # what all kinds have
    if item.choices is not None and {value for value, _ in item.choices} == {True, False}:
        return switch
    if item.choices is not None:
        return live.Choice(options=list(item.choices), **common)
    if item.grid is not None:
        return live.Slider(grid=list(item.grid), ends=item.ends, **common)
    return live.Number(low=item.low, high=item.high, **common)
