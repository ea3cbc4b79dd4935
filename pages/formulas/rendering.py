"""Markdown of a formula from a document: as printed, with its correction, and with the words of the document."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qsl

from dpcore.experiments.formulas import CORRECTION, Entry
from pages.formulas.figure import values
from ui.frame import shell
from ui.words import text

__all__ = ["corrected", "describe", "large", "link", "number_sentence"]

T = text.load_text(__file__)
_WRONG, _RIGHT = "#d2402c", "#1a9257"  # legible on both grounds
_INDEXED = re.compile(r"(?<![\w^\\])[^\W\d_]_\d(?![\w^])")


def describe(entry: Entry) -> str:
    """Return the Markdown text below a formula: the document's words, the correct version, and the reason."""
    why = f" {entry.why}" if entry.why else ""
    return f"{_quoted(entry)}{T('entry.right', right=entry.right)}{why}"


def corrected(text: str) -> str:
    """Return Markdown for a corrected formula, with the wrong part struck out in red and the correction in green.

    Examples
    --------
    >>> corrected("it has ~~less~~++more++ effect")
    'it has :red[~~less~~] → :green[more] effect'
    """
    return _each_part(
        text, partial(CORRECTION.sub, _in_text), formula=partial(CORRECTION.sub, _in_formula)
    )


def large(text: str) -> str:
    """Return Markdown text whose formulas have fractions, sums and products in full size (TeX display style)."""
    return _each_part(text, formula=lambda part: rf"\displaystyle {part}")


def _each_part(
    text: str, words: Callable[[str], str] = str, *, formula: Callable[[str], str] = str
) -> str:
    """Return Markdown text after the function ``words`` is applied to its prose, and ``formula`` to its formulas."""
    parts = text.split("$")  # every second one is a formula
    return "$".join((formula if k % 2 else words)(part) for k, part in enumerate(parts))


def _in_text(match: re.Match[str]) -> str:
    right = f" → :green[{match['right']}]" if match["right"] else ""
    return f":red[~~{match['wrong']}~~]{right}"


def _in_formula(match: re.Match[str]) -> str:
    right = rf"\;\to\;\textcolor{{{_RIGHT}}}{{{match['right']}}}" if match["right"] else ""
    return rf"\textcolor{{{_WRONG}}}{{\cancel{{{match['wrong']}}}}}{right}"


def _quoted(entry: Entry) -> str:
    """Return the document's words as a Markdown quotation, with the document's name."""
    parts = [f"> {_inline(_typeset(part))}\n\n" for part in entry.quote]
    return "".join(parts) + f":small[{entry.document}]\n\n"


def _typeset(part: str) -> str:
    """Return a part of a quotation as Markdown: a formula, prose with formulas or, if it is neither, code."""
    if part.startswith("\\"):
        return f"${part}$"
    words = _indexed(part)
    return words if "$" in words or not set(words) & set("^_&|") else f"`{words}`"


def _indexed(part: str) -> str:
    r"""Return a quoted text in which symbols with an index, such as ε_2, are formulas.

    >>> print(_indexed("a given ε_2 with $x_1$, in the L_2 norm"))
    a given $\varepsilon_2$ with $x_1$, in the $L_2$ norm
    """
    return _each_part(part, partial(_INDEXED.sub, _symbol))


def _symbol(match: re.Match[str]) -> str:
    symbol = match[0].replace("ε", r"\varepsilon")
    return f"${symbol}$"


def _inline(part: str) -> str:
    """Return a text with its display formulas ($$) changed to inline formulas ($)."""
    return part.replace("$$", "$")


def number_sentence(entry: Entry) -> str:
    """Return a sentence with the example number of a formula, which replaces the figure where it is not drawn."""
    number, (printed, right) = entry.number, values(entry)
    place = number.grid.index(number.start)
    about: dict[str, object] = {"title": number.title, "symbol": number.symbol, "at": number.start}
    about["right"] = right[place]
    if printed is None:
        return T("entry.number", **about)
    return T("entry.number_beside", printed=printed[place], **about)


def link(entry: Entry) -> None:
    """Draw a link to the page of the app that treats a formula."""
    query = dict(parse_qsl(entry.link))
    shell.page_link(entry.page, T("entry.see"), icon="➡️", query_params=query)
