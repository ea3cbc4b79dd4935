"""List of the page states (pages with certain parameters) whose results are computed in advance.

Each page is listed with its default parameters, with those in links of the tour and in screenshots, and with each
data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from streamlit.logger import set_log_level

from pages import PAGES, specs
from ui.figure_kit.controls import option_words
from ui.frame.page_spec import PageSpec
from ui.runner import View

__all__ = ["tour", "work"]


def work() -> list[View]:
    """Return the page states whose results are computed in advance, starting with those in which pages open."""
    set_log_level(
        "error"
    )  # a page's work asks for a session; here there is none, and none is needed
    pages = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
    views: dict[Any, View] = {}
    for name, spec, params, whole in _views(pages):
        view = View(f"{spec.key}, {name}", spec.pipeline, params, whole)
        if view.is_public():
            views.setdefault((spec.key, params), view)
    return list(views.values())


def _views(
    pages: Mapping[str, PageSpec[Any]],
) -> Iterator[tuple[str, PageSpec[Any], Any, bool]]:
    for spec in pages.values():
        yield "as it opens", spec, spec.params(), True
    for key, label, link, *_ in tour():
        if key in pages:
            yield f"tour: {label}", pages[key], pages[key].params.from_link(link)[0], False
    for spec in pages.values():
        for look, query in spec.looks.items():
            yield f"look: {look}", spec, spec.params.from_link(dict(parse_qsl(query)))[0], False
    for spec in pages.values():
        yield from _by_data(spec)


def _by_data(spec: PageSpec[Any]) -> Iterator[tuple[str, PageSpec[Any], Any, bool]]:
    choice = spec.pipeline.data.choice if spec.pipeline.data else ""
    control = next((item for item in spec.controls if item.name == choice), None)
    field = spec.params.controls().get(choice)
    if control is None or field is None:
        return
    for value in field.choices or ():
        if value != "own":
            yield (
                f"data: {option_words(control, field, value)}",
                spec,
                spec.params().but(**{choice: value}),
                False,
            )


def tour() -> Iterable[tuple[str, str, Mapping[str, str], str]]:
    """Return the links of the guided tour on the start page; there are none if this page is missing."""
    if "home" not in PAGES:
        return ()
    from pages.home.words import TOUR

    return TOUR
