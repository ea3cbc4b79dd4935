"""Purpose for which each array of a figure is sent."""

from __future__ import annotations

from collections.abc import Iterator

from ui.live.figure import NAMES, Figure, Panel, Text

__all__ = ["FIRST", "OUTCOMES", "arrays_of_panel", "purposes"]

FIRST = ""
OUTCOMES = "outcomes"


def purposes(figure: Figure) -> dict[str, str]:
    """Return the most urgent purpose for which each array of a figure is sent.

    The purposes in order of urgency are "" (first view), "tab NAME", "preview CONTROL", and
    "outcomes" (other random draws). An array that is not used has the purpose "".
    """
    by_name: dict[str, str] = {}
    for name in _first(figure):
        by_name[name] = FIRST
    for panel in figure.panels:
        for name in (*arrays_of_panel(panel), *_named(*_words(panel))):
            by_name.setdefault(name, f"tab {panel.tab}")
    for control, instead in figure.previews.items():
        for name in filter(None, instead.values()):
            by_name.setdefault(name, f"preview {control}")
    for name in _of_outcomes(figure):
        by_name.setdefault(name, OUTCOMES)
    return {name: by_name.get(name, FIRST) for name in figure.arrays}


def _first(figure: Figure) -> Iterator[str]:
    yield from (name for readout in figure.readouts for name in readout.arrays())
    yield from figure.coords.values()
    yield from _named(*(line for text in figure.texts for line in _lines(text)))
    tabs = [panel.tab for panel in figure.panels]
    has_main_tab = figure.main_tab and "" in tabs
    opened = {"", "" if has_main_tab else next(filter(None, tabs), "")}
    for panel in figure.panels:
        if panel.tab in opened:
            yield from arrays_of_panel(panel)
            yield from _named(*_words(panel))


def _words(panel: Panel) -> list[str]:
    """Return all texts of a panel."""
    layers = [text for layer in panel.layers for text in layer.texts()]
    return [panel.title, panel.caption, panel.alt, *layers]


def _lines(text: Text) -> Iterator[str]:
    """Yield all strings of a text, including those that are shown only while a slider moves."""
    yield from (*text.strings, *text.brief)
    for other in text.along.values():
        yield from _lines(other)


def _named(*texts: str) -> Iterator[str]:
    """Yield the names between braces in texts."""
    for text in texts:
        yield from NAMES.findall(text)


def _of_outcomes(figure: Figure) -> Iterator[str]:
    if figure.breathing:
        yield from figure.breathing.needed()


def arrays_of_panel(panel: Panel) -> Iterator[str]:
    """Yield the names of the arrays that a panel draws."""
    for layer in panel.layers:
        yield from layer.array_names()
    yield from filter(None, (panel.tiles, panel.still, *panel.question_arrays()))
