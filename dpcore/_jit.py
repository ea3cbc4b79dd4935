"""Numba compilation whose disk cache is invalidated by a change of any module compiled in.

Numba caches machine code per module and recompiles it only if that module changes. A compiled loop
also contains the code of modules it calls, so a fix there (e.g. in the clipping or the noise) would
be missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit

__all__ = ["jit", "parts", "stamp"]

_ROOT = Path(__file__).parent


@cache
def parts() -> tuple[Path, ...]:
    """Return the modules that compiled loops are made of."""
    others = ("_jit.py", "_noise.py", "_vectors.py", "lvq/_lane_count.py", "lvq/contributions.py")
    return tuple(sorted([*_ROOT.rglob("_*compiled.py"), *(_ROOT / name for name in others)]))


@cache
def stamp(files: Iterable[Path]) -> str:
    """Return a cache key that changes with the text of any of the files."""
    found = hashlib.sha256()
    for path in files:
        text = path.read_bytes()
        found.update(f"{path.name} {len(text)}\n".encode() + text)
    return found.hexdigest()


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return numba's decorator with a disk cache keyed by `stamp` of all `parts`."""

    def decorate(function: Callable[..., Any]) -> Any:
        made = njit(cache=True, **options)(function)
        kept = getattr(
            made._cache, "_cache_file", None
        )  # None where the cache folder cannot be written
        if kept is not None:
            kept._source_stamp = stamp(parts())
        return made

    return decorate
