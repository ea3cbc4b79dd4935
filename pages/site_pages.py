"""HTML pages of the static site, with the figures that `pages.site` has computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from pages import PAGES, specs
from pages.formulas.site import write_formulas
from pages.site import DEPTHS, file_of, on_site, prepared_pages
from pages.site_exercises import write_exercises
from pages.site_writing import Site, Written
from ui.frame import shell
from ui.frame.page_spec import PageEntry, PageSpec
from ui.static_site import markup, parts
from ui.static_site.files import SiteFolder, State
from ui.static_site.markup import FigureOnSite, page_file
from ui.static_site.states import PreparedPage
from ui.words import glossary

__all__ = ["write_pages"]

_OTHER = ("home", "lesson", "exercises", "formulas")


def write_pages(
    folder: SiteFolder, assets: str, keys: Sequence[str], failed: set[str], base: str
) -> list[Written]:
    """Write all pages of the site; return a record of each page, those of pages with prepared states first.

    Parameters
    ----------
    folder : SiteFolder
        The site, with the computed states.
    assets : str
        Path of the folder with scripts and style sheets.
    keys : sequence of str
        Keys of the wanted pages.
    failed : set of str
        Keys of pages with states that could not be computed. They are listed among those that need the app.
    base : str
        Address of the site, "" if unknown.
    """
    figures = [spec for spec in on_site(keys) if spec.key not in failed]
    known = {spec.key for spec in figures} | {key for key in _OTHER if key in keys}
    entries = [spec for spec in specs() if spec.key in known]
    elsewhere = [spec for spec in specs() if spec.key not in known]
    site = Site(folder=folder, assets=assets, entries=entries, elsewhere=elsewhere, base=base)
    written = [_figure_page(site, page) for spec in figures for page in prepared_pages(spec)]
    if "lesson" in known:
        written.append(_lesson(site))
    if "exercises" in known:
        written.append(write_exercises(site))
    if "formulas" in known:
        written.append(write_formulas(site))
    written.append(_home(site))
    _app(site)
    return written


def _figure_page(site: Site, page: PreparedPage) -> Written:
    """Write a page with a figure at one level of detail."""
    spec, depth = page.spec, page.depth
    found = [site.folder.find(file_of(page, params, site.folder)) for params in page.states]
    states = [state for state in found if state is not None]
    usual = next(
        state for state, params in zip(states, page.states, strict=True) if params == spec.params()
    )
    first = (usual.file, *usual.first)
    names = spec.params.controls()
    place = markup.figure_place(
        FigureOnSite(
            name=spec.key, prepared=page.values, states=[state.file for state in states], linked=True,
            usual={name: getattr(spec.params(), name) for name in names},
        )
    )  # fmt: skip
    labels = [
        item.label for item in spec.controls if item.name in page.values and item.depth <= depth
    ]
    body = (
        shell.heading(spec.title, spec.question)
        + markup.depth_links(spec.key, DEPTHS, depth)
        + shell.introduction(spec.opening)
        + parts.asked()
        + place
        + parts.below(labels)
        + usual.words
    )
    file = page_file(spec.key, depth)
    site.write(file, spec.title, spec.question, body, preload=first, depth=depth)
    return Written(key=spec.key, file=file, states=tuple(states), first=first)


def _lesson(site: Site) -> Written:
    """Write the first lesson: in each step a text, a figure, a question, and the explanation after an answer."""
    from pages.lesson.figures import FIGURES
    from pages.lesson.page import PAGE
    from pages.lesson.steps import STEPS

    states, sections, seen = [], [], list[str]()
    for number, step in enumerate(STEPS, start=1):
        name = f"lesson_{step.key}"
        state = site.state_of(name, FIGURES[step.key]())
        states.append(state)
        place = markup.figure_place(FigureOnSite(name=name, states=[state.file], later=number > 1))
        sections.append(
            f'<section><h2 id="step-{number}">{number}. {escape(step.title)}</h2>'
            f"{_prose(step.text, f'text-{step.key}', seen)}{place}{_question(step, seen)}</section>"
        )
        seen += glossary.marked(step.text) + glossary.marked(step.reveal)
    body = (
        shell.heading(PAGE.title, PAGE.question)
        + shell.introduction(PAGE.opening)
        + "".join(sections)
    )
    first = (states[0].file, *states[0].first)
    file = page_file(PAGE.key)
    site.write(file, PAGE.title, PAGE.question, body, preload=first, narrow=True)
    return Written(key=PAGE.key, file=file, states=tuple(states), first=first)


def _prose(text: str, prefix: str, seen: Sequence[str]) -> str:
    paragraphs = glossary.first_marks(text, seen).split("\n\n")
    return "".join(
        f'<p class="dp-prose">{glossary.to_html(part, prefix=f"{prefix}-{k}")}</p>'
        for k, part in enumerate(paragraphs)
    )


def _question(step: Any, seen: Sequence[str]) -> str:
    """Return the question of a step with its options, and the replies to right and wrong answers.

    The browser shows a reply when the reader chooses an option.
    """
    from pages.lesson.steps import T as words

    known = (*seen, *glossary.marked(step.text))
    options = "".join(
        f'<label><input type="radio" name="{step.key}" value="{k}"> {escape(option)}</label>'
        for k, option in enumerate(step.options)
    )
    replies = "".join(
        f'<div class="dp-site-reply" data-reply="{name}" hidden>'
        f"{_prose(words(name, reveal=step.reveal), f'{name}-{step.key}', known)}</div>"
        for name in ("right", "wrong")
    )
    return (
        f'<fieldset class="dp-site-question" data-right="{step.right}"><legend>{escape(step.question)}</legend>'
        f'{options}<div role="status">{replies}</div></fieldset>'
    )


def _home(site: Site) -> Written:
    """Write the start page: the large figure, a card for each page, the pages that need the app, and the glossary."""
    states: list[State] = []
    hero = "".join(_hero(site, states))
    first = (states[0].file, *states[0].first) if states else ()
    cards = _cards(site, states)
    home = next((page for page in specs() if page.key == "home"), None)
    question = home.question if home else parts.NAME
    body = (
        shell.heading(parts.NAME, question)
        + hero
        + cards
        + parts.needing(site.elsewhere)
        + parts.all_words()
    )
    site.write("index.html", parts.NAME, question, body, preload=first)
    return Written(key="home", file="index.html", states=tuple(states), first=first)


def _hero(site: Site, states: list[State]) -> Iterator[str]:
    """Yield the large figure of the start page as HTML, and append its state to ``states``."""
    if "home" not in PAGES:
        return
    from pages.home import cards

    for spec in site.entries:
        if spec.card and spec.card.first:
            state = site.state_of("home", cards.figure_of(spec.key, first=True))
            states.append(state)
            yield markup.figure_place(FigureOnSite(name="miniature", states=[state.file]))


def _cards(site: Site, states: list[State]) -> str:
    cards = [_card(site, spec, states) for spec in site.entries if spec.key != "home"]
    return f'<div class="dp-site-cards">{"".join(cards)}</div>'


def _card(site: Site, spec: PageEntry, states: list[State]) -> str:
    figure = ""
    if spec.card and isinstance(spec, PageSpec) and "home" in PAGES:
        from pages.home import cards

        name = f"mini_{spec.key}"
        state = site.state_of(name, cards.figure_of(spec.key))
        states.append(state)
        figure = markup.figure_place(FigureOnSite(name=name, states=[state.file], later=True))
    title = f'<h3><a href="{page_file(spec.key)}">{escape(spec.title)}</a></h3>'
    return (
        f'<article class="dp-site-card"><p class="dp-site-group">{escape(spec.group)}</p>{title}'
        f"<p>{escape(spec.question)}</p>{figure}</article>"
    )


def _app(site: Site) -> None:
    """Write the page that says what needs the app, and how to run the app."""
    title, question, body = parts.app()
    site.write(parts.APP, title, question, body)
