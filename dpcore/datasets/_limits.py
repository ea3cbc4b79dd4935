"""Size limits of uploaded tables; most limits are checked before a table is parsed."""

from __future__ import annotations

import os
from dataclasses import dataclass

from dpcore.datasets._parse import MOST_COLUMNS, header_of

__all__ = ["DataError", "Limits", "checked", "content"]


class DataError(ValueError):
    """Error: a data set or table cannot be used; the message states the reason and the remedy."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Largest allowed size of an uploaded table.

    Only ``rows_of_a_class`` is a lower limit, the smallest allowed number of rows in each class.
    """

    megabytes: float = 20.0
    rows: int = 100_000
    columns: int = MOST_COLUMNS
    cells: int = 10_000_000
    features: int = 500
    classes: int = 30
    rows_of_a_class: int = 5


def checked(raw: bytes, limits: Limits) -> str:
    """Return the text of an uploaded file, or raise a DataError if the file is invalid or too large."""
    if len(raw) > limits.megabytes * 2**20:
        raise _too_large(len(raw), limits)
    if b"\0" in raw:
        raise DataError("The file is not text: save the table as CSV (UTF-8).")
    n_lines = max(raw.count(b"\n"), raw.count(b"\r"))
    _most("rows", n_lines - 1, limits.rows, "Take a random sample of its rows.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("The file is not UTF-8 text: save the table as CSV in UTF-8.") from None
    separator, n_columns = header_of(text, limits.columns)
    _most("columns", n_columns, limits.columns, "Leave some out.")
    n_cells = raw.count(separator.encode()) + n_lines
    _most("cells", n_cells, limits.cells, "Take a random sample of its rows, or leave columns out.")
    if not text.strip():
        raise DataError("The file is empty: it needs a header line and rows.")
    return text


def _most(what: str, number: int, allowed: int, remedy: str) -> None:
    if number > allowed:
        raise DataError(
            f"The table has about {_shown(number)} {what}; at most {_shown(allowed)} are allowed. {remedy}"
        )


def _shown(count: int) -> str:
    """Return a count as text, with thin spaces between groups of three digits from 10,000 on."""
    return f"{count:,}".replace(",", "\u202f" if count >= 10_000 else "")


def _too_large(size: int, limits: Limits) -> DataError:
    return DataError(
        f"The file has {size / 2**20:.0f} MB; at most {limits.megabytes:g} MB are allowed. "
        "Take a random sample of its rows."
    )


def content(source: bytes | str | os.PathLike[str], limits: Limits) -> bytes:
    """Return the bytes of a file, or raise a DataError if the file is too large.

    If ``source`` is the bytes themselves, they are returned unchanged.
    """
    if isinstance(source, bytes):
        return source
    size = os.stat(source).st_size
    if size > limits.megabytes * 2**20:
        raise _too_large(size, limits)
    with open(source, "rb") as file:
        return file.read()
