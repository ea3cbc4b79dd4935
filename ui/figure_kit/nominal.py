"""Marks of a nominal ε in figures of a user's table.

ε is nominal (not proved) if facts such as bounds were read from the table itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ui.live import Axis, Figure, Panel, Readout, Text
from ui.live.depth import Depth
from ui.words.text import load_text

__all__ = ["MARK", "marked"]

T = load_text(__file__)
MARK = T("nominal.mark")


def marked(figure: Figure, status: str, *, tabs: bool = False) -> Figure:
    """Return the figure with ``status`` written after each ε, or unchanged if ``status`` is "".

    Parameters
    ----------
    figure : Figure
        Figure of a user's own table.
    status : str
        Status of ε, such as "nominal: the bounds were estimated from the data".
    tabs : bool
        Whether the table is shown only in the tabs, and the figure above the tabs shows public data.
    """
    if not status:
        return figure
    return replace(
        figure,
        panels=[_panel(panel) if panel.tab or not tabs else panel for panel in figure.panels],
        readouts=[
            _readout(item) if item.depth > Depth.LOOK or not tabs else item
            for item in figure.readouts
        ],
        controls=figure.controls if tabs else [_control(item, status) for item in figure.controls],
        texts=figure.texts if tabs else [_text(text, status) for text in figure.texts],
    )


def _panel(panel: Panel) -> Panel:
    return replace(
        panel,
        x=_axis(panel.x),
        y=_axis(panel.y),
        layers=_layers(panel.layers),
        title=_title(panel.title),
        alt=T("nominal.alt", alt=panel.alt, mark=MARK) if "ε" in panel.alt else panel.alt,
    )


def _title(title: str) -> str:
    return T("nominal.title", title=title) if "ε" in title else title


def _layers(layers: Sequence[Any]) -> list[Any]:
    return [replace(layer, label=_title(layer.label)) if layer.label else layer for layer in layers]


def _axis(axis: Axis) -> Axis:
    if "ε" not in axis.title:
        return axis
    return replace(axis, title=T("nominal.axis", title=axis.title, mark=MARK))


def _readout(item: Readout) -> Readout:
    if "ε" not in item.label + item.note and "epsilon" not in item.value:
        return item
    item = replace(item, brief=T("nominal.brief", note=item.brief)) if item.brief else item
    return replace(item, note=T("nominal.note", note=item.note, mark=MARK) if item.note else MARK)


def _control(item: Any, status: str) -> Any:
    if item.name != "epsilon" or item.why:
        return item
    return replace(item, why=T("nominal.status", status=status))


def _text(text: Text, status: str) -> Text:
    if text.bounds:  # a nominal guarantee says itself that nothing is proved, also in short
        strings = [f"{T('nominal.status', status=status)} {line}" for line in text.strings]
        brief = text.brief
    else:
        strings = [
            T("nominal.sentence", sentence=line, mark=MARK) if _names_epsilon(line) else line
            for line in text.strings
        ]
        brief = [
            T("nominal.brief", note=line) if _names_epsilon(line) else line for line in text.brief
        ]
    along = {name: _text(other, status) for name, other in text.along.items()}
    return replace(text, strings=strings, brief=brief, along=along)


def _names_epsilon(line: str) -> bool:
    return "ε" in line or "{epsilon}" in line
