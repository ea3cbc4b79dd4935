"""CSV tables whose cells spreadsheets do not execute as formulas."""

from __future__ import annotations

import contextlib
import re

import pandas as pd

__all__ = ["csv_text"]

_BREAK = re.compile(r"[\t\r\n]+")  # where a spreadsheet may begin another cell
_FORMULA = re.compile(r"((?:^|;) *)([=+\-@])")  # some split at semicolons


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
    return _FORMULA.sub(r"\1'\2", _BREAK.sub(" ", cell))
