"""Guarantees as text and as an HTML table."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpcore.guarantee import Guarantee

__all__ = ["as_html", "as_source", "as_text", "number", "rows"]

_STATUS = {
    "proved": "proved",
    "proved_under_assumption": "proved under assumptions",
    "nominal": "nominal: a number without a proof",
}
_RELATION = {
    "add_remove": "one {} added or removed (add_remove)",
    "replace_one": "one {} replaced by another, with their number public (replace_one)",
}


def number(value: float) -> str:
    """Return an upper bound as text with four significant digits, rounded up.

    Examples
    --------
    >>> number(1.59321), number(2.0), number(1e-5), number(math.inf)
    ('1.594', '2', '1e-05', '∞')
    """
    if math.isinf(value):
        return "∞"
    text = f"{value:.4g}"
    if float(text) >= value:
        return text
    return f"{value + 10.0 ** (math.floor(math.log10(value)) - 3):.4g}"


def rows(guarantee: Guarantee) -> list[tuple[str, tuple[str, ...]]]:
    """Return the statements of a guarantee as pairs of a label and its sentences.

    Labels without sentences are left out.
    """
    tail = () if guarantee.claimed_epsilon is None else (
        f"ε = {number(guarantee.claimed_epsilon)} by the published method",
    )  # fmt: skip
    every = [
        ("ε", (f"{number(guarantee.epsilon)} at δ = {number(guarantee.delta)}",)),
        ("claimed", tail),
        ("counted for", (_RELATION[guarantee.neighbouring].format(guarantee.unit.singular),)),
        ("status", (_STATUS[guarantee.status],)),
        ("argument", (guarantee.argument,) if guarantee.argument else ()),
        ("assumes", guarantee.assumptions),
        ("releases", tuple(
            f"{part.name}: {part.mechanism}, ε = {number(part.epsilon)}, δ = {number(part.delta)}"
            for part in guarantee.parts
        )),
        ("public", guarantee.public),
        ("not protected", guarantee.not_protected),
    ]  # fmt: skip
    return [(label, sentences) for label, sentences in every if sentences]


def as_text(guarantee: Guarantee) -> str:
    """Return a guarantee as text with one statement on each line."""
    table = rows(guarantee)
    width = max(len(label) for label, _ in table) + 2
    return "\n".join(
        f"{label if i == 0 else '':{width}}{sentence}"
        for label, sentences in table
        for i, sentence in enumerate(sentences)
    )


def as_source(guarantee: Guarantee) -> str:
    """Return Python source of a call that constructs an equal guarantee.

    Each argument has its own line. Arguments equal to their default are left out.
    """
    lines = [
        f"    {field.name}={getattr(guarantee, field.name)!r},"
        for field in fields(guarantee)
        if field.default is MISSING or getattr(guarantee, field.name) != field.default
    ]
    return "\n".join(("Guarantee(", *lines, ")"))


def as_html(guarantee: Guarantee) -> str:
    """Return a guarantee as an HTML table that loads no other file; all text is escaped."""
    lines = "".join(
        f'<tr><th scope="row" style="text-align:left;vertical-align:top">{escape(label)}</th>'
        f'<td style="text-align:left">{"<br>".join(map(escape, sentences))}</td></tr>'
        for label, sentences in rows(guarantee)
    )
    return f"<table><caption>Privacy guarantee</caption><tbody>{lines}</tbody></table>"
