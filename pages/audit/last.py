"""The table of the last full audit: one file, which this page and docs/audit.md show."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from ui.words.numbers import short, show

__all__ = ["FILE", "lines", "rows", "table"]

FILE = Path(__file__).resolve().parents[2] / "assets" / "audit" / "last.csv"
"""Written by ``python -m dpcore audit --seed 1 --out assets/audit/last.csv``."""
_HEAD = "| name | claimed ε, δ | n | (a) | (b) | strict | ceiling | verdict |\n|---|---|---|---|---|---|---|---|\n"
_WORDS = (
    "Every claim of the app, attacked with seed 1. *n*: trials counted in each world; *(a)*: ε is at least this, "
    "by the rule for any noise, and *(b)* by the rule for Gaussian noise, where valid, each at 95 %; *strict*: "
    "the stronger of both, such that all verdicts of the table together err with a chance below 0.001; *ceiling*: "
    "the most that so many trials could show. {n} claims, {broken}. That is no proof: another attack may show "
    "more."
)


@cache
def rows() -> tuple[dict[str, str], ...]:
    """Return the rows of the file, by the columns of `dpcore.audit.findings.COLUMNS`."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def lines() -> list[str]:
    """Return the rows in Markdown."""
    return [_line(row) for row in rows()]


def table() -> str:
    """Return the table with what its columns mean, in Markdown."""
    broken = sum(row["verdict"] == "BROKEN" for row in rows())
    said = _WORDS.format(n=len(rows()), broken=f"{broken} broken" if broken else "none is broken")
    return f"{said}\n\n{_HEAD}" + "\n".join(lines())


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
