"""Glossary: terms with one explanation each, common to all pages.

A text marks a term as ``[[adversary]]``, or as ``[[adversary|attackers]]`` to display another word.
The first mark of a term on a page becomes a button. By hovering, tapping or a key, the button shows
the explanation, with a link to the glossary on Home.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection

from ui.words.text import load_text

__all__ = ["MARK", "TERMS", "anchor", "first_marks", "link", "marked", "plain", "to_html"]

T = load_text(__file__)
MARK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
TERMS = T.group("glossary.terms")
"""Explanation of each term in one or two sentences, for the whole application."""
MORE = T("glossary.more")


def anchor(term: str) -> str:
    """Return the HTML anchor of a term in the glossary, as Streamlit names it.

    >>> anchor("Laplace noise")
    'laplace-noise'
    """
    return term.lower().replace(" ", "-")


def link(term: str) -> str:
    """Return the URL of a term's entry in the glossary, relative to any page.

    >>> link("noise")
    './?words=open#noise'
    """
    return f"./?words=open#{anchor(term)}"


def plain(text: str) -> str:
    """Return a text without term marks.

    >>> plain("an [[adversary]], or two [[adversary|attackers]]")
    'an adversary, or two attackers'
    """
    return MARK.sub(lambda match: match[2] or match[1], text)


def marked(text: str) -> list[str]:
    """Return the terms that are marked in a text, in order.

    >>> marked("more [[noise]], less [[privacy loss|loss]]")
    ['noise', 'privacy loss']
    """
    return [match[1] for match in MARK.finditer(text)]


def first_marks(text: str, seen: Collection[str] = ()) -> str:
    """Return a text with the first mark of each term only.

    Marks of terms in ``seen`` are dropped as well.

    Raises
    ------
    KeyError
        When a term has no explanation.
    """
    known = set(seen)

    def keep(match: re.Match[str]) -> str:
        term = match[1]
        if term not in TERMS:
            raise KeyError(f"the glossary does not explain “{term}”")
        if term in known:
            return match[2] or term
        known.add(term)
        return match[0]

    return MARK.sub(keep, text)


def to_html(text: str, *, prefix: str) -> str:
    """Return a text as HTML, with marked terms as buttons that show the explanation.

    ``prefix`` makes the names of HTML elements unique in the page. Text between double asterisks is bold.
    """
    parts: list[str] = []
    end = 0
    for k, match in enumerate(MARK.finditer(text)):
        parts.append(_escaped(text[end : match.start()]))
        term, here = match[1], match[2] or match[1]
        name = f"{prefix}-{k}"
        parts.append(
            f'<span class="dp-term-box"><button type="button" class="dp-term" aria-describedby="{name}">'
            f'{html.escape(here)}</button><span class="dp-tip"><span role="tooltip" id="{name}">'
            f'{html.escape(TERMS[term])}</span> <a href="{link(term)}" target="_blank">{MORE}</a></span></span>'
        )
        end = match.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html.escape(text))
