"""Numba compilation with a disk cache that is valid until any compiled module changes.

Numba's own cache recompiles a loop only if the module of the loop changes. But the machine code of a loop contains
functions of other modules (the noise, for example), and a correction of such a function would have no effect.
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
    """Return the source files from which machine code is compiled."""
    others = ("_jit.py", "_noise.py", "_vectors.py", "lvq/_lane_count.py", "lvq/contributions.py")
    return tuple(sorted([*_ROOT.rglob("_*compiled.py"), *(_ROOT / name for name in others)]))


@cache
def stamp(files: Iterable[Path]) -> str:
    """Return a digest of the contents of source files, which is stored with the machine code compiled from them."""
    digest = hashlib.sha256()
    for path in files:
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator like `numba.njit` that stores machine code on disk.

    Stored machine code is no longer used when one of the source files in `parts` has changed.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(cache=True, **options)(function)
        cache_file = getattr(
            dispatcher._cache, "_cache_file", None
        )  # None where the cache folder cannot be written
        if cache_file is not None:
            cache_file._source_stamp = stamp(parts())
        return dispatcher

    return decorate
