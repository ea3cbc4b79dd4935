"""Downloadable programs: runnable files into which the user's parameter values are inserted."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

__all__ = ["filled"]


def filled(file: Path, **values: str) -> str:
    """Return the source code of a program with new values in its top-level assignments.

    Parameters
    ----------
    file : Path
        File of the program.
    **values : str
        New expressions, by the name of the assigned variable.

    Raises
    ------
    LookupError
        When the program does not assign one of the names.
    """
    text, places = _read(file)
    unknown = sorted(values.keys() - places.keys())
    if unknown:
        raise LookupError(f"{file.name} assigns no {unknown[0]}: it assigns {', '.join(places)}.")
    raw = text.encode()
    for name in sorted(values, key=lambda one: places[one], reverse=True):
        start, end = places[name]
        raw = raw[:start] + values[name].encode() + raw[end:]
    return raw.decode()


@lru_cache(maxsize=32)
def _read(file: Path) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return the source code of a program, and for each assigned name the byte range of its value.

    Only assignments at the top level count.
    """
    text = file.read_text("utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    places = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if value.end_lineno is None or value.end_col_offset is None:
                raise AssertionError("a parsed expression has an end")
            places[node.targets[0].id] = (
                starts[value.lineno - 1] + value.col_offset,
                starts[value.end_lineno - 1] + value.end_col_offset,
            )
    return text, places
