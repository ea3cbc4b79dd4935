"""How a page's parameters are set: their words, their depth, who answers while a handle moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from dpcore.experiments.params import Control, Params
from ui import live
from ui.frame.depth import Depth

__all__ = ["PageControl", "check_complete", "live_controls"]

Mode = Literal["server", "local"]


@dataclass(frozen=True)
class PageControl:
    """How one parameter is set on a page; what it may be is the parameter's own.

    Parameters
    ----------
    name : str
        The parameter.
    help : str
        One sentence on what it does.
    ends : (str, str)
        Words at the two ends of its slider.
    words : sequence of str
        What its slider says instead of each number of its grid.
    depth : Depth
        From where on it is shown; those below LOOK stand under "More".
    mode : "server" or "local"
        Who draws while it moves: Python, or the browser alone, which then holds all its values.
    label : str
        Its name on this page, where the parameter's own label does not do.
    hidden : bool
        Whether something else on the page sets it: a handle inside a picture, a form.
    play : bool
        Whether it has a button that plays it.
    unit : str
        What stands behind its value.
    idle : callable, optional
        Of the parameters: why it changes nothing now, in a sentence, or "" where it does. It is
        disabled then, and says so.
    offered : callable, optional
        Of a choice: whether this server can give it. One that is chosen already stays.
    """

    name: str
    _: KW_ONLY
    help: str = ""
    ends: tuple[str, str] = ("", "")
    words: Sequence[str] = ()
    depth: Depth = Depth.LOOK
    mode: Mode = "server"
    label: str = ""
    hidden: bool = False
    play: bool = False
    unit: str = ""
    idle: Callable[[Any], str] | None = None
    offered: Callable[[Any], bool] | None = None


def check_complete(controls: Sequence[PageControl], params: type[Params]) -> None:
    """Check that every parameter has one control and every control a parameter.

    Raises
    ------
    ValueError
        Naming those without the other, and those that are declared twice.
    """
    names, fields = [item.name for item in controls], params.controls()
    missing, unknown = sorted(set(fields) - set(names)), sorted(set(names) - set(fields))
    twice = sorted({name for name in names if names.count(name) > 1})
    if missing or unknown or twice:
        raise ValueError(
            f"The controls of {params.__name__} are not its parameters: without a control {missing}, "
            f"without a parameter {unknown}, twice {twice}."
        )


def live_controls(
    controls: Sequence[PageControl],
    params: Params,
    *,
    hide: tuple[str, ...] = (),
) -> list[live.Control]:
    """Return the live controls of the parameters in the order declared; free text has none."""
    fields = params.controls()
    return [
        _live_control(
            item,
            fields[item.name],
            getattr(params, item.name),
            why=item.idle(params) if item.idle else "",
        )
        for item in controls
        if item.name not in hide and fields[item.name].text is None
    ]


def _live_control(item: PageControl, field: Control, now: Any, *, why: str) -> live.Control:
    switch = live.Toggle(
        name=item.name, label=item.label or field.label, symbol=field.symbol, help=item.help,
        mode=item.mode, more=item.depth > Depth.LOOK, disabled=bool(why), hidden=item.hidden,
        depth=item.depth, why=why,
    )  # fmt: skip
    common = vars(switch)  # what all kinds have
    if field.choices is not None and {value for value, _ in field.choices} == {True, False}:
        return switch
    if field.choices is not None:
        options = [
            (value, words)
            for value, words in field.choices
            if item.offered is None or value == now or item.offered(value)
        ]
        return live.Choice(options=options, **common)
    if field.grid is not None:
        return live.Slider(
            grid=list(field.grid),
            words=item.words,
            ends=item.ends,
            play=item.play,
            unit=item.unit,
            **common,
        )
    return live.Number(low=field.low, high=field.high, **common)
