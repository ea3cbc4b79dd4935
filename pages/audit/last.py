"""Results of the last full audit of the project, read from a CSV file.

The Audit page and docs/audit.md show these results as a table.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from ui.words import text
from ui.words.numbers import short, show

__all__ = ["FILE", "lines", "rows", "table"]

T = text.load_text(__file__)
FILE = Path(__file__).resolve().parents[2] / "assets" / "audit" / "last.csv"
"""CSV file with the results of ``python -m dpcore audit --seed 1 --out assets/audit/last.csv``."""


@cache
def rows() -> tuple[dict[str, str], ...]:
    """Return the rows of the audit's CSV file as dictionaries with the keys `dpcore.audit.findings.COLUMNS`."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def lines() -> list[str]:
    """Return every row of the last audit as a line of a Markdown table."""
    return [_line(row) for row in rows()]


def table() -> str:
    """Return the last audit as a Markdown table, with its columns explained."""
    n, broken = len(rows()), sum(row["verdict"] == "BROKEN" for row in rows())
    outcome = T("words.last.broken", n=n, broken=broken) if broken else T("words.last.none", n=n)
    head = T("words.last.head")
    rule = "|".join(["---"] * len(head.split("|")))
    return "\n".join(
        [T("words.last.columns", outcome=outcome), "", f"| {head} |", f"|{rule}|", *lines()]
    )


def _line(row: dict[str, str]) -> str:
    delta = float(row["delta"])
    claim = show(float(row["claimed"]), ".4g") + (f", {short(delta)}" if delta else "")
    bounds = (_two(row[key]) for key in ("bound", "gaussian", "strict"))
    cells = (
        row["name"], claim, show(int(row["n"]), "d"), *bounds, show(float(row["ceiling"]), ".1f"), row["verdict"],
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _two(text: str) -> str:
    return show(float(text), ".2f") if text else ""
