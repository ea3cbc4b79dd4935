"""Controls of a page's parameters: their words, their levels of detail, and whether Python or the browser reacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal
from weakref import WeakKeyDictionary

from dpcore.experiments.params import Control, Params
from ui import live
from ui.live.depth import Depth
from ui.words.text import FieldText, Text, load_text

__all__ = [
    "PageControl",
    "check_complete",
    "field_text",
    "field_texts",
    "grouped",
    "labels",
    "live_controls",
    "moving_once",
    "option_words",
    "page_controls",
    "shared_control",
    "symbols",
]

Mode = Literal["server", "local"]


@dataclass(frozen=True)
class PageControl:
    """Control of one parameter.

    The allowed values of the parameter are declared in `Params`, its words in ``text.toml``.

    Parameters
    ----------
    name : str
        Name of the parameter.
    depth : Depth
        First level of detail that shows the control.
    mode : "server" or "local"
        Where the figure is updated while the control moves: in Python or in the browser. In the latter case
        the browser has the arrays at all values of the control.
    hidden : bool
        Whether the control is not drawn. The parameter is then set elsewhere on the page, e.g. by a form or
        by a draggable point of the figure.
    play : bool
        Whether the control has a button that moves it through all its values.
    idle : callable, optional
        Function of the parameters that returns the reason why the control has no effect, or "". With a
        reason the control is disabled and shows it.
    absent : callable, optional
        Function of the parameters that returns whether to omit the control from the figure. The
        parameter keeps its value.
    few : sequence, optional
        For a choice: the options offered at the first level of detail, if not all.
    offered : callable, optional
        For a choice: function that returns whether an option is available on this server. The chosen
        option is always offered.
    asked : bool
        For a slider: whether the introduction of the page asks users to move it. On a phone the slider then
        stands above the figure.
    press_anew : float, optional
        For a slider with a button ``press``: value from which on the button returns to the first value.
    group : str
        Key of the control's group in ``groups`` of the text; `page_controls` replaces it by the heading.
    tab : str
        Tab of the figure in which the control's group is drawn; "" for a place beside the figure.
    label, help, ends, words, unit, press, options
        Words of the control, which `page_controls` reads from the page's ``text.toml``.
    """

    name: str
    _: KW_ONLY
    depth: Depth = Depth.LOOK
    mode: Mode = "server"
    hidden: bool = False
    play: bool = False
    idle: Callable[[Any], str] | None = None
    absent: Callable[[Any], bool] | None = None
    few: Sequence[Any] = ()
    offered: Callable[[Any], bool] | None = None
    group: str = ""
    tab: str = ""
    label: str = ""
    help: str = ""
    ends: tuple[str, str] = ("", "")
    words: Sequence[str] = ()
    unit: str = ""
    press: str = ""
    press_anew: float | None = None
    asked: bool = False
    options: Mapping[str, str] | None = None


_USUAL = {  # parameters that many pages have
    "epsilon": PageControl("epsilon", mode="local"),
    "delta": PageControl("delta", mode="local"),
}
_SHARED = load_text(__file__)
_TEXTS: WeakKeyDictionary[type[Params], dict[str, FieldText]] = WeakKeyDictionary()


def page_controls(
    text: Text,
    params: type[Params],
    *,
    look: Sequence[str | PageControl] = (),
    understand: Sequence[str | PageControl] = (),
    check: Sequence[str | PageControl] = (),
    shared: Sequence[Text] = (),
) -> tuple[PageControl, ...]:
    """Return a page's controls in order, with their levels of detail and words.

    A control may be given by the name of its parameter only. Python then reacts to its changes, or the
    browser if the parameter is ε or δ. Words are taken from ``fields.<name>`` in the page's text. If they are
    missing there, they are taken from ``shared`` (texts common to some pages), and then from the
    text common to all pages.

    Raises
    ------
    ValueError
        When controls and parameters do not correspond, or an option has no words.
    """
    depths = ((Depth.LOOK, look), (Depth.UNDERSTAND, understand), (Depth.CHECK, check))
    controls = [replace(_plain(item), depth=depth) for depth, items in depths for item in items]
    check_complete(controls, params)
    fields = params.controls()
    _TEXTS[params] = {
        item.name: _allowed(field_text(text, item.name, shared), fields[item.name], text)
        for item in controls
    }
    _check_options(params, text.source)
    return tuple(
        replace(_worded(item, _TEXTS[params][item.name]), group=_heading(text, item.group, shared))
        for item in controls
    )


def grouped(key: str, *items: str | PageControl) -> tuple[PageControl, ...]:
    """Return controls to be drawn together under the heading ``groups.<key>``.

    If a page shows only one group, its controls are small and in a row. If there are several groups, they can be
    folded, and all but the first are folded initially.
    """
    return tuple(replace(_plain(item), group=key) for item in items)


def field_texts(params: type[Params]) -> Mapping[str, FieldText]:
    """Return the words for a page's parameters, by parameter name.

    A parameter that is missing in the page's text has shared words.
    """
    return _TEXTS.get(params) or {name: _SHARED.field(name) for name in params.controls()}


def shared_control(name: str) -> PageControl:
    """Return the control of a parameter that several pages have, with words common to these pages."""
    return _worded(_plain(name), _SHARED.field(name))


def labels(params: type[Params]) -> dict[str, str]:
    """Return the display names of a page's parameters, by parameter name."""
    return {name: text.label for name, text in field_texts(params).items()}


def symbols(params: type[Params]) -> dict[str, str]:
    """Return the symbols of a page's parameters, by parameter name.

    A parameter without a symbol has its display name.
    """
    known = labels(params)
    return {name: item.symbol or known[name] or name for name, item in params.controls().items()}


def _heading(text: Text, key: str, shared: Sequence[Text]) -> str:
    """Return the heading of the group ``key`` from the page's text or a shared text.

    The heading is "" without a key.
    """
    path = f"groups.{key}"
    return next((one for one in (text, *shared) if path in one), _SHARED)(path) if key else ""


def _plain(item: str | PageControl) -> PageControl:
    return _USUAL.get(item, PageControl(item)) if isinstance(item, str) else item


def field_text(text: Text, name: str, shared: Sequence[Text] = ()) -> FieldText:
    """Return the words for the parameter ``name`` from the text of a page.

    If the page has no words for the parameter, the words are taken from the texts that pages share.
    """
    words: dict[str, Any] = {}
    for one in (_SHARED, *reversed(shared), text):
        words |= one.field_words(name)
    return FieldText(**words)


def _allowed(words: FieldText, item: Control, text: Text) -> FieldText:
    """Return the words of the parameter ``item`` for a page, with names for the options that the page has.

    ``words`` may come from a text that pages share, and then may name more options; these are removed. If ``text``,
    the page's own text, names the options, ``words`` are returned unchanged.
    """
    if words.options is None or text.field(item.name).options:
        return words
    values = set(map(item.show, item.choices or ()))
    return replace(words, options={k: v for k, v in words.options.items() if k in values})


def _check_options(params: type[Params], source: str) -> None:
    for name, item in params.controls().items():
        if item.choices is None or set(item.choices) == {True, False}:
            continue
        wanted, keys = set(map(item.show, item.choices)), set(_TEXTS[params][name].options or ())
        if wanted != keys:
            raise ValueError(
                f"{source}: fields.{name}.options lacks {sorted(wanted - keys)} and has {sorted(keys - wanted)}."
            )


def _worded(item: PageControl, text: FieldText) -> PageControl:
    words = {key: value for key, value in vars(text).items() if key != "idle"}
    return replace(item, **words)


def check_complete(controls: Sequence[PageControl], params: type[Params]) -> None:
    """Check that every parameter has exactly one control, and every control belongs to a parameter.

    Raises
    ------
    ValueError
        When a parameter or a control has no counterpart or is declared twice. The message names them.
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
    """Return the browser's controls of the parameters, in the page's order.

    Text fields and the controls named in ``hide`` are left out.
    """
    fields = params.controls()
    return [
        _live_control(
            item,
            fields[item.name],
            getattr(params, item.name),
            why=item.idle(params) if item.idle else "",
        )
        for item in controls
        if item.name not in hide
        and fields[item.name].text is None
        and not (item.absent and item.absent(params))
    ]


def moving_once(
    figure: live.Figure, name: str, how: Literal["sways", "rises"] = "sways"
) -> live.Figure:
    """Return the figure with a slider ``name`` that moves by itself, once, when the figure comes into view.

    The slider either moves to its ends and back ("sways"), or from its first to its current value ("rises").
    """
    controls = [
        replace(one, sways=how == "sways", rises=how == "rises")
        if isinstance(one, live.Slider) and one.name == name
        else one
        for one in figure.controls
    ]
    return replace(figure, controls=controls)


def _live_control(item: PageControl, field: Control, now: Any, *, why: str) -> live.Control:
    common: dict[str, Any] = {
        "name": item.name, "label": item.label, "symbol": field.symbol, "help": item.help,
        "mode": item.mode, "more": item.depth > Depth.LOOK, "disabled": bool(why), "hidden": item.hidden,
        "depth": item.depth, "why": why, "group": item.group,
        "tab": item.tab,
    }  # fmt: skip
    if field.choices is not None and set(field.choices) == {True, False}:
        return live.Toggle(**common)
    if field.choices is not None:
        options = [
            (value, option_words(item, field, value))
            for value in field.choices
            if item.offered is None or value == now or item.offered(value)
        ]
        return live.Choice(options=options, few=item.few, **common)
    if field.grid is not None:
        return live.Slider(
            grid=list(field.grid),
            words=item.words,
            ends=item.ends,
            play=item.play,
            unit=item.unit,
            press=item.press,
            press_anew=item.press_anew,
            asked=item.asked,
            **common,
        )
    return live.Number(low=field.low, high=field.high, **common)


def option_words(item: PageControl, field: Control, value: Any) -> str:
    """Return the displayed words for one value of a choice."""
    return (item.options or {})[field.show(value)]
