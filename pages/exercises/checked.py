"""Check of the figures that exercises name: the page, its parameters, the panel and the controls must exist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from streamlit.logger import set_log_level

from dpcore.exercises import Exercise, ExerciseInstance
from pages import specs
from ui.figure_kit.controls import labels
from ui.frame.page_spec import PageSpec
from ui.words import text

__all__ = ["faults"]

T = text.load_text(__file__)


def faults(exercise: Exercise) -> list[str]:
    """Return a sentence for each page, parameter, panel or control in an exercise that does not exist."""
    link, where = exercise.figure, f"{exercise.key}: figure"
    if link is None or not link.page:
        return []
    set_log_level("error")  # pages ask for a session; here there is none, and none is needed
    pages = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
    if link.page not in pages:
        return [_missing(f"{where}.page", link.page, pages)]
    spec = pages[link.page]
    known = spec.params.controls()
    strange = [_missing(f"{where}.state", name, known) for name in link.state if name not in known]
    if strange:
        return strange
    figures = [ExerciseInstance(exercise=exercise, parameters=one).figure for one in exercise.draws]
    names = labels(spec.params)
    refused = [
        problem for one in figures if one for problem in spec.params.from_link(one.state, names)[1]
    ]
    sentences = [f"{where}.state: {one}" for one in dict.fromkeys(refused)]
    return sentences or (_of_panel(exercise, spec, where) if link.panel else [])


def _of_panel(exercise: Exercise, spec: PageSpec[Any], where: str) -> list[str]:
    link = ExerciseInstance(exercise=exercise, parameters=exercise.draws[0]).figure
    if link is None:
        raise AssertionError("an exercise with a figure has one for every draw")
    whole = spec.figure(spec.pipeline.still(spec.params.from_link(link.state)[0]))
    panels = [panel.key for panel in whole.panels]
    if link.panel not in panels:
        return [_missing(f"{where}.panel", link.panel, panels)]
    controls = [control.name for control in whole.controls if control.name]
    named = {"keep": link.keep, "lock": link.lock}
    return [
        _missing(f"{where}.{field}", name, controls)
        for field, names in named.items()
        for name in names
        if name not in controls
    ]


def _missing(where: str, name: str, there: Collection[str]) -> str:
    return T("faults.missing", where=where, name=name, known=", ".join(there))
