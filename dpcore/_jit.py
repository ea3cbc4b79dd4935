"""Numba compilation with a disk cache that is invalidated when any module of compiled code changes.

By itself Numba recompiles cached machine code only if the module of the compiled function changes. A compiled
loop also contains code of the modules that it calls, so that a fix there (e.g. in the clipping or the noise) would
have no effect.
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
    """Return the source files of all modules whose code is part of compiled loops."""
    others = ("_jit.py", "_noise.py", "_vectors.py", "lvq/_lane_count.py", "lvq/contributions.py")
    return tuple(sorted([*_ROOT.rglob("_*compiled.py"), *(_ROOT / name for name in others)]))


@cache
def stamp(files: Iterable[Path]) -> str:
    """Return a SHA-256 digest of the contents of source files, as a cache key."""
    digest = hashlib.sha256()
    for path in files:
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator like `numba.njit` whose disk cache is valid only for the current `stamp` of all `parts`."""

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(cache=True, **options)(function)
        cache_file = getattr(
            dispatcher._cache, "_cache_file", None
        )  # None where the cache folder cannot be written
        if cache_file is not None:
            cache_file._source_stamp = stamp(parts())
        return dispatcher

    return decorate
