"""The Exercises page of the static site: every exercise with one set of numbers, checked in the browser."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pages.site_writing import Site, Written
from ui.frame import shell
from ui.static_site import exercise, markup, parts
from ui.static_site.markup import FigureOnSite, page_file

if TYPE_CHECKING:
    from dpcore.exercises import ExerciseInstance
    from ui.static_site.files import State

__all__ = ["write_exercises"]

_WHO = "site"  # course and pseudonym from which the numbers follow


def write_exercises(site: Site) -> Written:
    """Write the page of the exercises."""
    from dpcore.exercises.offline import checks
    from pages.exercises.page import PAGE
    from ui.exercises.files import load_all

    states: list[State] = []
    sections, n_checked = [], 0
    for key, one in load_all().items():
        instance = one.draw(_WHO, _WHO)
        salt = f"{_WHO} {key}"
        known = checks(instance, salt)
        n_checked += known is not None
        figure = _figure(site, instance, states)
        sections.append(exercise.section(instance, known, salt=salt, figure=figure))
    body = (
        shell.heading(PAGE.title, PAGE.question)
        + exercise.introduction(n_checked, len(sections))
        + "".join(sections)
    )
    file = page_file(PAGE.key)
    site.write(file, PAGE.title, PAGE.question, body, formulas=True)
    return Written(key=PAGE.key, file=file, states=tuple(states), first=())


def _figure(site: Site, instance: ExerciseInstance, states: list[State]) -> str:
    """Return HTML with the curves that an exercise defines, or with a link to the page that shows its figure.

    The state of the curves is appended to ``states``. The result is "" if the exercise has no figure.
    """
    from pages.exercises import beside

    if instance.curves:
        name = f"exercise_{instance.exercise.key.replace('-', '_')}"
        state = site.state_of(name, beside.own(instance.curves))
        states.append(state)
        return markup.figure_place(FigureOnSite(name=name, states=[state.file], later=True))
    link = instance.figure
    if link is None or not link.page:
        return ""
    if link.page not in {page.key for page in site.entries}:
        return f'<p><a href="{parts.APP}">{escape(exercise.T("exercises.figure_in_app"))}</a></p>'
    address = f"{page_file(link.page)}?{urlencode(dict(link.state))}"
    return f'<p><a href="{escape(address)}">{escape(exercise.T("exercises.figure"))}</a></p>'
