"""Parts of the static site's pages that the application does not have: notes, lists, folded glossary."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ui.frame import shell
from ui.frame.page_spec import PageEntry
from ui.words import glossary
from ui.words.text import load_text

__all__ = ["APP", "NAME", "all_words", "app", "asked", "below", "needing"]

T = load_text(__file__)
APP = "app.html"
"""File of the page that says what needs the application, and how to run it."""
NAME = T("home.heading")


def below(labels: Sequence[str]) -> str:
    """Return the note below a figure as HTML: which controls have prepared values only, and how to get the app.

    ``labels`` are the labels of these controls.
    """
    note = " ".join(filter(None, [_on_steps(labels), T("page.elsewhere")]))
    return f'<p class="dp-site-note">{escape(note)} <a href="{APP}">{T("page.get")}</a></p>'


def _on_steps(labels: Sequence[str]) -> str:
    if not labels:
        return ""
    quoted = [f"“{label}”" for label in labels]
    if len(quoted) == 1:
        return T("page.step", names=quoted[0])
    return T("page.steps", names=T("names.pair", first=", ".join(quoted[:-1]), last=quoted[-1]))


def asked() -> str:
    """Return the hidden note in which the browser names the values of a link that are not prepared."""
    return (
        '<p class="dp-embed-note dp-site-asked" role="note" hidden '
        f'data-says="{escape(T("page.asked"))}"></p>'
    )


def needing(pages: Sequence[PageEntry]) -> str:
    """Return the list of the pages that are not on the site, "" for none."""
    if not pages:
        return ""
    rows = "".join(f"<li>{escape(page.title)}: {escape(page.question)}</li>" for page in pages)
    return f'<h2>{T("home.needs")}</h2><ul>{rows}</ul><p><a href="{APP}">{T("home.app")}</a></p>'


def all_words() -> str:
    """Return the glossary, folded, with the anchors to which explained words link."""
    known = sorted(glossary.TERMS.items(), key=lambda item: item[0].lower())
    words = "".join(
        f'<dt id="{glossary.anchor(term)}">{escape(term)}</dt><dd>{escape(meaning)}</dd>'
        for term, meaning in known
    )
    title = T("home.glossary")
    return (
        f'<h2 id="glossary">{title}</h2><details id="words"><summary>{title}</summary>'
        f'<dl class="dp-site-words">{words}</dl></details>'
    )


def app() -> tuple[str, str, str]:
    """Return title, question and content of the page on what needs the application."""
    title, question = T("app.title"), T("app.question")
    texts = "".join(
        f"<p>{escape(one)}</p>" for one in (T("app.has"), T("app.needs"), T("app.steps"))
    )
    return title, question, shell.heading(title, question) + texts
