"""Deterministic shuffling, the same on every machine and in every Python version."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["seed_of", "shuffled"]

T = TypeVar("T")


def seed_of(*parts: str) -> bytes:
    """Return the SHA-256 digest of a list of texts.

    Each text is hashed first, so different lists with the same concatenation have different digests.
    """
    return hashlib.sha256(
        b"".join(hashlib.sha256(part.encode()).digest() for part in parts)
    ).digest()


def shuffled(items: Sequence[T], seed: bytes) -> list[T]:
    """Return the items in a pseudorandom order, given by keyed hashes of their indices.

    The key is ``seed``.

    Examples
    --------
    >>> sorted(shuffled([1, 2, 3], b"seed"))
    [1, 2, 3]
    """
    places = sorted(
        range(len(items)), key=lambda place: hashlib.sha256(seed + place.to_bytes(4)).digest()
    )
    return [items[place] for place in places]
