"""CSV tables without cells that spreadsheets would execute as formulas."""

from __future__ import annotations

import contextlib
import re
import unicodedata

import pandas as pd

__all__ = ["csv_text"]

_BREAK = re.compile(
    r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+"
)  # where a spreadsheet may begin another cell
_BEGINS = frozenset("=+-@")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")  # letters that are not seen


def csv_text(table: pd.DataFrame) -> str:
    """Return a table as CSV without its index.

    Column names and texts that a spreadsheet would execute as a formula, such as ``=cmd|...`` in a user's own
    table, are prefixed by an apostrophe; numbers are unchanged.
    """
    plain = table.copy(deep=False)
    for at, kind in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind)):
            plain.isetitem(at, table.iloc[:, at].map(_harmless).to_numpy(object))
    plain.columns = pd.Index([_harmless(name) for name in table.columns], dtype=object)
    return str(plain.to_csv(index=False))


def _harmless(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    with contextlib.suppress(ValueError):
        float(cell)
        return cell
    return ";".join(map(_as_text, _BREAK.sub(" ", cell).split(";")))  # some split at semicolons


def _as_text(cell: str) -> str:
    """Return a cell with an apostrophe before the sign that would start a formula.

    Spreadsheets may drop invisible signs, and read full-width signs as ordinary ones.
    """
    for at, sign in enumerate(cell):
        if unicodedata.category(sign)[0] in "CMZ" or sign in _FILLERS:
            continue
        begins = unicodedata.normalize("NFKC", sign)[0] in _BEGINS
        return f"{cell[:at]}'{cell[at:]}" if begins else cell
    return cell
