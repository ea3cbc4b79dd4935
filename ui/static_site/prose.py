r"""HTML of the Markdown texts of exercises and formulas. Formulas in TeX are typeset in the browser."""

from __future__ import annotations

import re
from html import escape

__all__ = ["inline", "to_html"]

_KEPT = re.compile(r"\$\$?(?P<tex>[^$]+)\$\$?|`(?P<code>[^`]+)`")
_MARKS = (
    (re.compile(r":(red|green)\[((?:[^\[\]]|\[[^\]]*\])*)\]"), r'<span class="dp-site-\1">\2</span>'),
    (re.compile(r":(?:small|gray)\[([^\]]*)\]"), r"<small>\1</small>"),
    (re.compile(r"~~(.+?)~~"), r"<del>\1</del>"),
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"<strong>\1</strong>"),
    (re.compile(r"\*(?=\S)(.+?)(?<=\S)\*", re.DOTALL), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)"), r'<a href="\2">\1</a>'),
)  # fmt: skip
_HOLD = "\ue000{}\ue001"  # private characters: no text has them
_HELD = re.compile("\ue000(\\d+)\ue001")


def inline(text: str) -> str:
    """Return a Markdown text of one paragraph as HTML; each formula is the content of an element ``dp-tex``.

    Examples
    --------
    >>> inline("the **least** σ at $a<b$")
    'the <strong>least</strong> σ at <span class="dp-tex">a&lt;b</span>'
    """
    kept: list[str] = []

    def hold(match: re.Match[str]) -> str:
        tex, code = match["tex"], match["code"]
        kept.append(
            f"<code>{escape(code)}</code>"
            if tex is None
            else f'<span class="dp-tex">{escape(tex.strip())}</span>'
        )
        return _HOLD.format(len(kept) - 1)

    found = escape(_KEPT.sub(hold, text), quote=False)
    for pattern, html in _MARKS:
        found = pattern.sub(html, found)
    return _HELD.sub(lambda match: kept[int(match[1])], found)


def to_html(text: str) -> str:
    """Return a Markdown text as HTML: paragraphs, quotations, lists.

    Examples
    --------
    >>> to_html("> so it is\\n\\nor *not*")
    '<blockquote>so it is</blockquote><p class="dp-prose">or <em>not</em></p>'
    """
    return "".join(_block(block) for block in re.split(r"\n\s*\n", text.strip()) if block.strip())


def _block(block: str) -> str:
    lines = block.strip().split("\n")
    if all(line.startswith(">") for line in lines):
        return f"<blockquote>{inline(' '.join(line[1:].strip() for line in lines))}</blockquote>"
    if all(line.startswith(("- ", "* ")) for line in lines):
        return f"<ul>{''.join(f'<li>{inline(line[2:])}</li>' for line in lines)}</ul>"
    return f'<p class="dp-prose">{inline(" ".join(lines))}</p>'
