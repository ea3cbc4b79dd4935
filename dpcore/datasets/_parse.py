"""Parser of CSV files into typed columns, which uses only the standard library.

The module is also a program. It reads a CSV file from standard input, with limits on memory and processor time, and
writes the columns to standard output. An untrusted table can thus be parsed outside the process of the app.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

__all__ = [
    "MOST_COLUMNS",
    "Column",
    "TableError",
    "header_of",
    "limit",
    "number",
    "parse",
    "short",
]

MISSING = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip
_BLOCK = 500  # rows between two reports of progress
MOST_COLUMNS = 1_000
_EMPTY = re.compile(r'\s*|"\s*"')
_CELLS = {  # a cell from its first sign on; a quote within a cell that does not begin with one is a sign
    separator: re.compile(rf'(?:"(?:[^"]++|"")*+"?)?[^{separator}\r\n]*+') for separator in ",;\t"
}
_COMMA = re.compile(
    r"\s*[-+]?(?![1-9]\d{0,2},\d{3}\s*$)\d+,\d+\s*"
)  # 27,4 and 0,125, and not 1,234


class TableError(ValueError):
    """Error: a file is not a table; the message states the fault and the remedy."""


@dataclass(frozen=True)
class Column:
    """Column of a table, with one entry in ``values`` for each row.

    The values are integers, floats (NaN for an empty cell) or strings (None for an empty cell), as stated by
    ``kind``. ``numeric`` is True if more than half of the non-empty values are numbers.
    """

    name: str
    kind: Literal["int", "float", "text"]
    values: Any
    numeric: bool


def parse(
    text: str, report: Callable[[float], None] | None = None, most: int = MOST_COLUMNS
) -> list[Column]:
    """Return the columns of a table with a header line and cells separated by comma, semicolon or tab.

    If the separator is a semicolon or tab, the cell 27,4 is read as the number 27.4. A cell such as 1,234 is read as
    text, because its comma may also separate thousands.

    Parameters
    ----------
    text : str
        Content of the file.
    report : callable, optional
        Function that is called with the completed fraction, in [0, 1].
    most : int
        Largest allowed number of columns.

    Returns
    -------
    list of Column
        The columns, which all have the same length and distinct names.

    Raises
    ------
    TableError
        When the text is not a table.
    """
    report = report or (lambda part: None)
    header, rows, separator = _rows(text, report, most)
    columns = []
    cells = list(zip(*rows, strict=True))
    rows.clear()
    for at, name in enumerate(header):
        columns.append(_typed(name, cells[at] if separator == "," else _pointed(cells[at])))
        cells[at] = ()
        report(0.5 + 0.5 * (at + 1) / len(header))
    return columns


def number(cell: str) -> float | None:
    """Return the number in a cell, or None if the cell is not a number or the number is too large for a float."""
    try:
        value = float(cell)
    except ValueError:
        return None
    plain = cell.isascii() and "_" not in cell
    too_large = value in (float("inf"), float("-inf")) and any(c in "0123456789" for c in cell)
    return value if plain and not too_large else None


def short(value: object) -> str:
    """Return a value as text on one line of at most 40 characters, for error messages."""
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "…"


def header_of(text: str, most: int) -> tuple[str, int]:
    """Return the separator of a table and the number of cells in its header.

    The header is the first row that is not empty. The separator is the one among comma, semicolon and tab that
    divides the header into most cells. Separators and line breaks inside quotes are part of a cell. Beyond ``most``
    cells, however, every separator is counted, even inside quotes.
    """
    counts = {separator: _cells_of_header(text, separator, most) for separator in _CELLS}
    separator = max(counts, key=lambda one: counts[one])
    return separator, counts[separator]


def _cells_of_header(text: str, separator: str, most: int) -> int:
    n_cells, at = 0, 0
    while n_cells <= most:
        cell = cast("re.Match[str]", _CELLS[separator].match(text, at))
        n_cells, at = n_cells + 1, cell.end()
        if text[at : at + 1] == separator:
            at += 1
        elif at < len(text) and n_cells == 1 and _EMPTY.fullmatch(cell[0]):
            n_cells, at = 0, at + 1  # an empty row before the header
        else:
            return n_cells
    ends = [end for end in (text.find("\n", at), text.find("\r", at), len(text)) if end >= 0]
    return n_cells + text.count(separator, at, min(ends)) + 1


def _rows(
    text: str, report: Callable[[float], None], most: int
) -> tuple[list[str], list[list[str]], str]:
    separator, _ = header_of(text, most)
    lines = _lines(text, separator)
    _, first = next(lines, (1, []))
    if len(first) > most:
        raise TableError(
            f"The table has {len(first)} columns; at most {most} are allowed. Leave some out."
        )
    header = _header(first)
    rows = []
    n_lines = text.count("\n") + 1
    for line, row in lines:
        if len(row) != len(header):
            raise TableError(
                f"Line {line} has {len(row)} cell{'s' * (len(row) != 1)} and the header {len(header)}: give "
                "every row as many cells as the header, and put cells that hold a comma into quotes."
            )
        rows.append(row)
        if len(rows) % _BLOCK == 0:
            report(min(0.5, 0.5 * line / n_lines))
    if not rows:
        raise TableError("The table has a header but no rows: add at least one.")
    return header, rows, separator


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each non-empty row of a table, with the number of the line in which the row starts."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise TableError(_wrong_quotes(line, str(error))) from None
        if len(row) > 1 or (row and row[0].strip()):
            yield line, row


def _wrong_quotes(line: int, error: str) -> str:
    if "field limit" in error:
        return (
            f"The file could not be read as a table: a cell that begins in line {line} is longer than "
            f"{csv.field_size_limit() // 1000} thousand characters, perhaps because a quote is not closed. Close the "
            "quote or shorten the cell."
        )
    return (
        f"The file could not be read as a table: in line {line} a quote is not closed, or text follows "
        "a closed one. Close it, and write a quote inside a cell as two."
    )


def _header(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) < 2:
        raise TableError(
            "The table has one column; one to predict and a numeric one are needed. Between the cells of a row "
            "stands a comma, a semicolon or a tab."
        )
    names = [name or f"column {i + 1}" for i, name in enumerate(names)]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(
                f"Two columns are called “{short(name)}”: give each its own name. The first line has to hold the "
                "names of the columns."
            )
        seen.add(name)
    return names


def _pointed(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells of a column with decimal commas replaced by points.

    Whether a cell has a decimal comma depends only on this cell. All other cells are unchanged.
    """
    if not any("," in cell for cell in cells):
        return cells
    return tuple(cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell for cell in cells)


def _typed(name: str, cells: tuple[str, ...]) -> Column:
    known = [cell for cell in cells if cell not in MISSING]
    plain = not any("_" in cell or not cell.isascii() for cell in known)
    if plain and known and len(known) == len(cells):
        with contextlib.suppress(ValueError, OverflowError):
            return Column(name, "int", array("q", map(int, cells)), True)
    numbers = [number(cell) for cell in known]
    n_numbers = sum(value is not None for value in numbers)
    numeric = n_numbers > 0.5 * len(known) if known else False
    if n_numbers == len(known):
        left = iter(numbers)
        values = (float("nan") if cell in MISSING else next(left) for cell in cells)
        return Column(name, "float", array("d", values), numeric)
    return Column(name, "text", [None if cell in MISSING else cell for cell in cells], numeric)


def limit(megabytes: int, seconds: int) -> None:
    """Limit the memory and the processor time of this process, if the operating system allows this."""
    with contextlib.suppress(ImportError):
        import resource

        for what, most in (
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_CPU, seconds),
        ):
            hard = resource.getrlimit(what)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (most, most))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)  # lower priority than page requests


def main(megabytes: str, seconds: str, most: str) -> None:
    """Parse a CSV file from standard input, with limits on memory and time, and write the result to standard output.

    First lines of progress are written, and then the columns or an error.
    """
    limit(int(megabytes), int(seconds))
    out = sys.stdout.buffer

    def tell(**news: object) -> None:
        out.write(json.dumps(news).encode() + b"\n")
        out.flush()

    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
        columns = parse(text, lambda part: tell(done=round(part, 3)), int(most))
        blobs = [_packed(column) for column in columns]
    except TableError as error:
        tell(error=str(error))
    except MemoryError:
        tell(memory=True)
    else:
        heads = [[c.name, c.kind, c.numeric, len(b)] for c, b in zip(columns, blobs, strict=True)]
        tell(rows=len(columns[0].values), columns=heads)
        out.writelines(blobs)
        out.flush()


def _packed(column: Column) -> bytes:
    if column.kind != "text":
        return cast("bytes", column.values.tobytes())
    # Each distinct text once, because class names repeat.
    codes: dict[str | None, int] = {}
    at = array("i", (codes.setdefault(cell, len(codes)) for cell in column.values))
    return at.tobytes() + json.dumps(list(codes)).encode()


if __name__ == "__main__":
    main(*sys.argv[1:])
