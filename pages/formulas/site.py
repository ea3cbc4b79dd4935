"""The Formulas page of the static site: vote on each printed formula, then see its correction."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pages.site_writing import Site, Written
from ui.embed.markup import as_json
from ui.frame import shell
from ui.static_site import markup
from ui.static_site.markup import FigureOnSite, page_file
from ui.static_site.prose import inline, to_html
from ui.words.text import load_text

if TYPE_CHECKING:
    from dpcore.experiments.formulas import Entry
    from ui.static_site.files import State

__all__ = ["write_formulas"]

T = load_text(__file__)


def write_formulas(site: Site) -> Written:
    """Write the page of the printed formulas.

    Formulas to vote on are shown one at a time, the others are folded.
    """
    from pages.formulas import ask
    from pages.formulas.page import PAGE
    from pages.formulas.view import chosen

    states: list[State] = []
    entries = chosen()
    asked = ask.asked(entries)
    others = [entry for entry in entries if entry not in asked]
    verdict = {"verdict": "{verdict}"}  # the browser fills the templates
    words = {
        "told": T("ask.told", **verdict),
        "agreed": T("ask.agreed", **verdict),
        "differed": T("ask.differed", vote="{vote}", **verdict),
        "score": T("site.score", right="{right}", n="{n}"),
    }
    body = (
        shell.heading(PAGE.title, PAGE.question)
        + shell.introduction(PAGE.opening)
        + '<div class="dp-site-votes">'
        + "".join(_asked(site, entry, states) for entry in asked)
        + '<p class="dp-site-score" role="status"></p></div>'
        + f'<script type="application/json" id="votes">{as_json(words)}</script>'
        + f'<p class="dp-site-note">{inline(T("ask.wrong_means"))}</p>'
        + f"<h2>{escape(T('site.others', n=len(others)))}</h2>"
        + "".join(_other(entry) for entry in others)
    )
    file = page_file(PAGE.key)
    site.write(file, PAGE.title, PAGE.question, body, formulas=True)
    return Written(key=PAGE.key, file=file, states=tuple(states), first=())


def _asked(site: Site, entry: Entry, states: list[State]) -> str:
    """Return a formula as printed, with buttons to vote, and the verdict that the browser shows after the vote."""
    from pages.formulas import ask, rendering
    from pages.formulas.figure import figure

    key = ask.key_of(entry)
    name = f"formula_{key.replace('-', '_')}"
    state = site.state_of(name, figure(entry, height=300))
    states.append(state)
    place = markup.figure_place(FigureOnSite(name=name, states=[state.file], later=True))
    plain = ask.T.group("asked").get(key, "")
    buttons = "".join(
        f'<button type="button" data-vote="{vote}">{escape(T(f"ask.{vote}"))}</button>'
        for vote in (*ask.ASKED, "show")
    )
    corrected = inline(rendering.large(rendering.corrected(entry.corrected)))
    reason = to_html(rendering.describe(entry)) + _evidence(entry) + _link(site, entry)
    return (
        f'<section class="dp-site-vote" id="formula-{key}" data-verdict="{entry.verdict}" hidden>'
        f"<h2>{escape(entry.title.partition(' (')[0])} <small>{escape(entry.document)}</small></h2>"
        f'<p class="dp-site-printed">{inline(rendering.large(entry.printed))}</p>'
        f'<div data-before>{to_html(plain) if plain else ""}<p class="dp-site-buttons">{buttons}</p></div>'
        f'<div data-after hidden><p class="dp-site-printed">{corrected}</p>'
        '<p class="dp-site-told"><b role="status"></b> '
        f'<button type="button" data-next>{escape(T("ask.next"))}</button></p>'
        f'<div class="dp-site-two"><div>{reason}</div>'
        f"<div>{place}</div></div></div></section>"
    )


def _other(entry: Entry) -> str:
    """Return a folded section with a formula that is not in the vote, and its verdict."""
    from pages.formulas import rendering

    return (
        f'<details class="dp-site-exercise"><summary>{escape(entry.title)} '
        f"<small>{escape(entry.document)}, {escape(entry.verdict)}</small></summary>"
        f'<p class="dp-site-printed">{inline(rendering.large(rendering.corrected(entry.corrected)))}</p>'
        f"{to_html(rendering.describe(entry))}{_evidence(entry)}</details>"
    )


def _evidence(entry: Entry) -> str:
    if not entry.evidence:
        return ""
    return f"<details><summary>{escape(T('entry.evidence'))}</summary>{to_html(entry.evidence)}</details>"


def _link(site: Site, entry: Entry) -> str:
    if entry.page not in {page.key for page in site.entries}:
        return ""
    address = f"{page_file(entry.page)}?{entry.link}"
    return f'<p><a href="{escape(address)}">{escape(T("entry.see"))}</a></p>'
