"""Restriction of a figure to one level of detail and to the arrays that it then needs.

Glossary words in the figure are explained, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ui import live
from ui.live import NAMES, Figure, Panel, Readout, Text
from ui.live.depth import Depth
from ui.words import glossary
from ui.words.text import load_text

__all__ = ["at_depth", "needed", "unseen", "with_meaning", "with_terms"]

T = load_text(__file__)


def at_depth(figure: Figure, depth: Depth) -> Figure:
    """Return the figure without the parts that the level ``depth`` hides.

    The browser does not receive these parts. A hidden control keeps its value.
    """
    panels = [panel.at(depth) for panel in figure.panels if panel.depth <= depth]
    readouts = [_noted(item, depth) for item in figure.readouts if item.depth <= depth]
    controls = [_at(control, depth, figure.values) for control in figure.controls]
    seen = {control.name for control in controls if not control.hidden}
    names = [name for item in readouts for name in item.arrays()] + list(_in_texts(figure.texts))
    array_names = needed(figure, panels, names)
    previews = {
        name: {array: other for array, other in arrays.items() if array in array_names}
        for name, arrays in figure.previews.items()
        if name in seen
    }
    stand_ins = {other for arrays in previews.values() for other in arrays.values() if other}
    array_names |= needed(figure, [], list(stand_ins))
    breathing = figure.breathing.of(array_names) if figure.breathing else None
    if breathing:
        array_names |= needed(figure, [], breathing.needed())
    return replace(
        figure,
        panels=panels,
        readouts=readouts,
        controls=controls,
        previews=previews,
        arrays={name: array for name, array in figure.arrays.items() if name in array_names},
        coords={name: table for name, table in figure.coords.items() if table in array_names},
        texts=[_without(_in_full(text, depth), previews) for text in figure.texts],
        breathing=breathing,
        main_tab="" if depth is Depth.LOOK else T("depth.main_tab"),
    )


def unseen(figure: Figure, depth: Depth, usual: Mapping[str, object]) -> Figure:
    """Add a sentence that names the hidden controls with unusual values.

    An unusual value may come from a link, an example or a deeper level. ``usual`` has the default values of the
    parameters. Controls without a default (e.g. the position of a playback) are ignored. The choice of a person is
    ignored as well, since a ring marks this person in the figure.
    """
    chosen = figure.breathing.record if figure.breathing else ""
    hidden = [
        item
        for item in figure.controls
        if not item.hidden and item.depth > depth and item.name not in ("seed", chosen)
    ]
    other = [
        item
        for item in hidden
        if item.name in usual and figure.values.get(item.name) != usual[item.name]
    ]
    if not other:
        return figure
    names = ", ".join(f"“{item.label}”" for item in other)
    least = max(item.depth for item in other)
    sentence = T("depth.unusual", names=names, depth=least.words)
    return replace(figure, texts=[*figure.texts, Text(strings=[sentence])])


def needed(figure: Figure, panels: Sequence[Panel], names: Iterable[str]) -> set[str]:
    """Return the names of all arrays that a figure needs to show the given panels.

    They include the figure's arrays among ``names``, and the coordinates of all needed arrays.
    """
    queue = [name for panel in panels for name in _in_panel(figure, panel)]
    queue += [name for name in names if name in figure.arrays]
    seen: set[str] = set()
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        dims = figure.arrays[name].dims
        queue += [figure.coords[dim] for dim in dims if dim and dim in figure.coords]
    return seen


def with_meaning(figure: Figure, meaning: str | Text | None) -> Figure:
    """Return the figure with the sentence ``meaning`` directly below it.

    Return the figure unchanged if ``meaning`` is None.
    """
    if meaning is None:
        return figure
    text = Text(strings=[meaning]) if isinstance(meaning, str) else meaning
    return replace(figure, texts=[replace(text, role="meaning"), *figure.texts])


def with_terms(figure: Figure, seen: Collection[str] = ()) -> Figure:
    """Return the figure with each glossary word explained where it first occurs.

    Words in ``seen`` are not explained again.
    """
    known = set(seen)

    def first(texts: Sequence[str]) -> list[str]:
        marked_texts = [glossary.first_marks(text, known) for text in texts]
        known.update(term for text in marked_texts for term in glossary.marked(text))
        return marked_texts

    panels = [replace(panel, caption=first([panel.caption])[0]) for panel in figure.panels]
    texts = [
        replace(text, brief=first(text.brief), strings=first(text.strings)) for text in figure.texts
    ]
    terms = {term: glossary.TERMS[term] for term in sorted(known - set(seen))}
    return replace(figure, panels=panels, texts=texts, terms=terms)


def _at(control: live.Control, depth: Depth, values: Mapping[str, object]) -> live.Control:
    if control.depth > depth:
        return replace(control, hidden=True, more=False)
    if isinstance(control, live.Choice) and control.few and depth is Depth.LOOK:
        few = {*control.few, values[control.name]}
        options = [option for option in control.options if option[0] in few]
        return replace(control, options=options, more=False)
    return replace(control, more=False)


def _in_panel(figure: Figure, panel: Panel) -> Iterable[str]:
    used = [name for layer in panel.layers for name in layer.array_names()]
    dims = [dim for layer in panel.layers for dim in layer.dimension_names()]
    used += [figure.coords[dim] for dim in dims if dim in figure.coords]
    used += [name for name in (panel.tiles, panel.still, *panel.question_arrays()) if name]
    words = (
        panel.alt,
        panel.title,
        panel.caption,
        *(text for layer in panel.layers for text in layer.texts()),
    )
    return [*used, *(name for text in words for name in _named(figure, text))]


def _named(figure: Figure, text: object) -> list[str]:
    names = NAMES.findall(text) if isinstance(text, str) else []
    return [name for name in names if name in figure.arrays]


def _in_texts(texts: Sequence[Text]) -> set[str]:
    """Return the names of the arrays used in texts.

    Texts that are shown only while a slider moves are included.
    """
    said = [one for text in texts for one in (text, *text.along.values())]
    return {
        name
        for text in said
        for line in (*text.strings, *text.brief)
        for name in NAMES.findall(line)
    }


def _noted(readout: Readout, depth: Depth) -> Readout:
    """Return the readout with its short note at the first level of detail, and with its whole note at all others."""
    return readout if depth is Depth.LOOK else replace(readout, brief=None)


def _in_full(text: Text, depth: Depth) -> Text:
    """Return the text without its short form, except at the first level of detail.

    Sentences on odds keep their short form at every level, since their column is narrow.
    """
    if depth is Depth.LOOK or text.bounds:
        return text
    return replace(
        text, brief=(), along={name: _in_full(other, depth) for name, other in text.along.items()}
    )


def _without(text: Text, previews: Collection[str]) -> Text:
    return replace(
        text, along={name: other for name, other in text.along.items() if name in previews}
    )
