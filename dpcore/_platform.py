"""Digest of the platform (Python, machine and numerical libraries) on which results are computed."""

from __future__ import annotations

import hashlib
import platform
from functools import lru_cache
from importlib import metadata

__all__ = ["platform_digest"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "torch", "dp-accounting")


@lru_cache(maxsize=1)
def platform_digest() -> str:
    """Return a digest of the version of Python, the versions of numerical libraries, and the type of machine.

    The digest has 8 hexadecimal digits. It is stored with results because another platform may round differently.
    """
    versions = (f"{library} {_version(library)}\n" for library in _LIBRARIES)
    text = f"{platform.python_version()} {platform.machine()}\n{''.join(versions)}"
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""
