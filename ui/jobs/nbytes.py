"""How many bytes a result holds: the one measure that bounds what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

__all__ = ["nbytes"]


def nbytes(value: object) -> int:
    """Return the bytes of all arrays in ``value``, through fields, mappings and sequences.

    What is met twice counts once; numbers, texts and classes count nothing.

    Examples
    --------
    >>> import numpy as np
    >>> row = np.zeros(3)
    >>> nbytes({"a": row, "b": [row, np.zeros(2)]})
    40
    """
    total = 0
    rest: list[object] = [value]
    seen: set[int] = set()
    while rest:
        item = rest.pop()
        if id(item) in seen or isinstance(item, type | ModuleType | str | bytes):
            continue
        seen.add(id(item))
        size = getattr(item, "nbytes", None)
        if isinstance(size, int):
            total += size
        elif isinstance(item, Mapping):
            rest.extend(item.values())
        elif isinstance(item, list | tuple | set | frozenset):
            rest.extend(item)
        else:
            rest.extend(getattr(item, "__dict__", {}).values())
    return total
