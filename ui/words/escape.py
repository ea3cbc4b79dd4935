"""Escaping of untrusted text from links, files and events, so that it is displayed literally.

Streamlit interprets Markdown: images, links, formulas, emoji codes, colours. It searches for URLs and emoji codes
after parsing, so that a backslash before them has no effect. Backticks around them (code) have one.
"""

from __future__ import annotations

import html
import re
import unicodedata

__all__ = ["code", "hyper", "plain", "tame"]

# A word of letters and digits with single marks inside ("sample_rate=0.5", "one-step", "(0.1,"):
# nothing that Markdown, an emoji code, a directive, a formula or an address could begin with.
_LETTERS = r"(?:[^\W_]|[€£¥°‰§])+"
_INNER = rf"{_LETTERS}(?:(?:[_=/’'-]|(?<=\d)[.:](?=\d)|(?<=\d)[.,](?=\d)){_LETTERS})*"
_NUMBER = r"-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?"
_SETTING = rf"[A-Za-z]+(?:_[A-Za-z]+)*={_NUMBER}"
_PLAIN = re.compile(rf"[(“\"']*(?:{_INNER}|{_NUMBER}|{_SETTING}|[=≤≥×±–—%…-])[)”\"'.,;:!?%…]*")
_MARKER = re.compile(r"[-=]+|\d+[.)]")  # what would begin a list or underline a heading
_ADDRESS = re.compile(r"www\b", re.IGNORECASE)


def tame(text: object, limit: int = 600) -> str:
    r"""Return a text as one line without control characters, cut off after ``limit`` characters.

    Control, formatting and unassigned characters (line breaks, reversals of direction, joiners) are replaced
    by a visible character; white space becomes a space.

    Examples
    --------
    >>> tame("a\n\u202eb", 2)
    'a …'
    """
    content = str(text)[: limit + 1]
    content = content[:limit] + "…" if len(content) > limit else content
    return "".join(
        " " if mark.isspace() else "�" if unicodedata.category(mark)[0] == "C" else mark
        for mark in content
    )


def code(value: object, limit: int = 60, *, table: bool = False) -> str:
    """Return a value as inline code in Markdown, displayed literally.

    ``table`` also escapes the vertical bar, which would end a table cell even inside code.

    Examples
    --------
    >>> code("![x](http://a)")
    '`![x](http://a)`'
    """
    content = tame(value, limit)
    if not content.strip():
        return "(empty)"
    fence = "`" * (1 + max(map(len, re.findall("`+", content)), default=0))
    edge = " " if "`" in (content[0], content[-1]) else ""
    content = content.replace("|", "\\|") if table else content
    return f"{fence}{edge}{content}{edge}{fence}"


def plain(sentence: object, limit: int = 600) -> str:
    """Return a sentence as Markdown that displays exactly this text.

    Words of letters and digits are unchanged; each run of other words becomes inline code.

    Examples
    --------
    >>> plain("sample_rate=[Log in](http://a) is not allowed: give 0.1.")
    'sample_rate=`[Log` `in](http://a)` is not allowed: give 0.1.'
    """
    first, *rest = tame(sentence, limit).split() or [""]
    first = code(first) if _MARKER.fullmatch(first) else _word(first) if first else ""
    return " ".join([first, *map(_word, rest)])


def _word(word: str) -> str:
    if _PLAIN.fullmatch(word) and not _ADDRESS.search(word):
        return word
    name, mark, value = word.partition("=")
    if mark and value and re.fullmatch(r"[A-Za-z]\w*[A-Za-z]", name) and "__" not in name:
        return f"{name}={code(value, len(value))}"
    return code(word, len(word))


def hyper(text: object, limit: int = 200) -> str:
    """Return text escaped for a Plotly label, in which tags, entities and formulas would be interpreted.

    Examples
    --------
    >>> hyper("<a href='http://a'>b</a>")
    "&lt;a href='http://a'&gt;b&lt;/a&gt;"
    """
    return html.escape(tame(text, limit), quote=False).replace("$", "&#36;")
